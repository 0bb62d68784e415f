// Package config holds the settings of locklint. Flags of the program, settings
// of the golangci-lint plugin and flags of each exported Analyzer all fill the
// one Config.
package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Fixes says which suggested fixes are attached to diagnostics.
type Fixes string

const (
	// FixesSafe attaches the fixes that keep results and remove the fault.
	FixesSafe Fixes = "safe"
	// FixesAll also attaches the fixes that hold a decision of their own.
	FixesAll Fixes = "all"
	// FixesNone attaches no fix.
	FixesNone Fixes = "none"
)

// Config is every setting. The zero value is not useful: start from Default.
type Config struct {
	// LockWords are words that name a lock, beside the built-in ones.
	LockWords []string `json:"lock-words"`
	// NotLock are prefixes of keys that are never locks.
	NotLock []string `json:"not-lock"`
	// Acquire names functions that acquire a lock, Release functions that free
	// one, as "import/path.Func" or "import/path.Type.Method". The key is the
	// first string parameter.
	Acquire []string `json:"acquire"`
	Release []string `json:"release"`
	// Disable names kinds that are not reported.
	Disable []string `json:"disable"`
	// Interfaces says whether a method of an interface with the name and the
	// parameters of a Redis command is taken for that command.
	Interfaces bool `json:"interfaces"`
	// Fixes says which fixes are attached.
	Fixes Fixes `json:"fixes"`
	// Tests says whether _test.go files are reported on.
	Tests bool `json:"tests"`

	// What follows belongs to the front end, not to the user.

	// Prefix says what a message begins with.
	Prefix Prefix `json:"-"`
	// NoRelated puts the related positions into the message, for drivers that
	// would show each as a finding of its own.
	NoRelated bool `json:"-"`
	// DriverNolint leaves //nolint comments to the driver, which has to know which
	// of them are of use.
	DriverNolint bool `json:"-"`
	// First is the pass that reports what is of no pass, the first of those that run;
	// without it the first of the table.
	First string `json:"-"`
	// Silenced, if not nil, is told what a comment in the source keeps silent, and the
	// reason that it gives. It is called concurrently.
	Silenced func(pass *analysis.Pass, d analysis.Diagnostic, reason string) `json:"-"`
}

// Prefix says what stands before the text of a message.
type Prefix uint8

const (
	// PrefixNone is for drivers that print analyzer and category themselves.
	PrefixNone Prefix = iota
	// PrefixKind gives "kind: text", for drivers that print the analyzer's name.
	PrefixKind
	// PrefixPassKind gives "pass/kind: text", for drivers that print the text alone.
	PrefixPassKind
)

// Default returns the settings in force when nothing is set.
func Default() Config {
	return Config{Interfaces: true, Fixes: FixesSafe}
}

// UnmarshalJSON starts from Default, so that what is not set keeps its default,
// and refuses unknown settings by name.
func (c *Config) UnmarshalJSON(data []byte) error {
	type plain Config
	p := plain(Default())
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return err
	}
	*c = Config(p)
	return nil
}

// Validate reports the first setting that makes no sense.
func (c *Config) Validate() error {
	if err := checkFixes(c.Fixes); err != nil {
		return fmt.Errorf("fixes: %w", err)
	}
	for _, l := range []struct {
		name  string
		words []string
		check func(string) error
	}{
		{"lock-words", c.LockWords, checkWord},
		{"not-lock", c.NotLock, checkPrefix},
		{"acquire", c.Acquire, checkFunc},
		{"release", c.Release, checkFunc},
		{"disable", c.Disable, checkKind},
	} {
		for _, w := range l.words {
			if err := l.check(w); err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
		}
	}
	return nil
}

// Enabled reports whether a kind is on.
func (c *Config) Enabled(kind string) bool { return !slices.Contains(c.Disable, kind) }

// Bind registers the settings as flags.
func (c *Config) Bind(fs *flag.FlagSet) {
	fs.Var(&list{&c.LockWords, checkWord}, "lock-words", "comma-separated `words` that name a lock, beside lock, mutex, lease, leader, semaphore")
	fs.Var(&list{&c.NotLock, checkPrefix}, "not-lock", "comma-separated `prefixes` of keys that are never locks")
	fs.Var(&list{&c.Acquire, checkFunc}, "acquire", "comma-separated `functions` (import/path.Func or import/path.Type.Method) that acquire a lock")
	fs.Var(&list{&c.Release, checkFunc}, "release", "comma-separated `functions` that release a lock")
	fs.Var(&list{&c.Disable, checkKind}, "disable", "comma-separated `kinds` that are not reported")
	fs.BoolVar(&c.Interfaces, "interfaces", c.Interfaces, "take methods of interfaces that look like Redis commands for them")
	fs.Var((*fixes)(&c.Fixes), "fixes", "which `fixes` are offered: safe, all or none")
	fs.BoolVar(&c.Tests, "tests", c.Tests, "report on _test.go files too")
}
