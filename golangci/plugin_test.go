package golangci

import (
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/config"
)

func build(t *testing.T, settings any) (*plugin, error) {
	t.Helper()
	newPlugin, err := register.GetPlugin("locklint")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlugin(settings)
	if err != nil {
		return nil, err
	}
	return p.(*plugin), nil
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	for _, settings := range []any{nil, map[string]any{}} {
		p, err := build(t, settings)
		if err != nil {
			t.Fatalf("%v: %v", settings, err)
		}
		want := locklint.DefaultConfig()
		if p.cfg.Fixes != want.Fixes || p.cfg.Interfaces != want.Interfaces || p.cfg.Tests != want.Tests || len(p.cfg.Disable) > 0 {
			t.Errorf("%v: settings are %+v, want the defaults", settings, p.cfg)
		}
		if p.cfg.Prefix != config.PrefixKind || !p.cfg.NoRelated || !p.cfg.DriverNolint {
			t.Errorf("%v: not set up for golangci-lint: %+v", settings, p.cfg)
		}
		if got := p.GetLoadMode(); got != register.LoadModeTypesInfo {
			t.Errorf("load mode %q, want types", got)
		}
		analyzers, err := p.BuildAnalyzers()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, a := range analyzers {
			names = append(names, a.Name)
		}
		cfg := locklint.DefaultConfig()
		for _, a := range locklint.Analyzers(&cfg) {
			if !slices.Contains(names, a.Name) {
				t.Errorf("%s is not among %v", a.Name, names)
			}
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	p, err := build(t, map[string]any{
		"lock-words": []any{"latch"},
		"disable":    []any{"no-ttl"},
		"interfaces": false,
		"fixes":      "all",
		"tests":      true,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := p.cfg
	if !slices.Equal(c.LockWords, []string{"latch"}) || c.Enabled("no-ttl") || c.Interfaces || c.Fixes != config.FixesAll || !c.Tests {
		t.Errorf("settings are %+v", c)
	}
}

func TestBadSettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		settings any
		want     string
	}{
		{map[string]any{"lock-word": []any{"latch"}}, `"lock-word"`},
		{map[string]any{"lock-words": "latch"}, "lock-words"},
		{map[string]any{"disable": []any{"nokind"}}, `"nokind"`},
		{map[string]any{"fixes": "some"}, `"some"`},
		{map[string]any{"acquire": []any{"Lock"}}, `"Lock"`},
		{[]any{"no-ttl"}, "settings"},
	} {
		if _, err := build(t, tt.settings); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v does not say %s", tt.settings, err, tt.want)
		}
	}
}
