// Package golangci makes locklint a linter of golangci-lint, as a module plugin.
//
// Name it in .custom-gcl.yml, build with "golangci-lint custom", and enable the
// linter locklint; docs/golangci-lint.md has the files to copy. It needs
// golangci-lint v2.15 or later: earlier ones lose what one package tells another.
package golangci

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/config"
)

func init() { register.Plugin("locklint", New) }

type plugin struct{ cfg locklint.Config }

// New reads the settings of the linter: the names of locklint's flags, lists as
// lists. No settings are the defaults; an unknown one is an error that names it.
func New(settings any) (register.LinterPlugin, error) {
	cfg := locklint.DefaultConfig()
	if settings != nil {
		var err error
		if cfg, err = register.DecodeSettings[locklint.Config](settings); err != nil {
			return nil, fmt.Errorf("settings of locklint: %w", err)
		}
	}
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("settings of locklint: %w", err)
	}
	// golangci-lint prints the name of the analyzer, would show each related position
	// as an issue of its own, and tells which //nolint comments silence nothing.
	cfg.Prefix = config.PrefixKind
	cfg.NoRelated = true
	cfg.DriverNolint = true
	return &plugin{cfg}, nil
}

// BuildAnalyzers returns the passes.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return locklint.Analyzers(&p.cfg), nil
}

// GetLoadMode asks for types.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
