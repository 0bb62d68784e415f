package config_test

import (
	"encoding/json"
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/locklint/locklint/internal/config"
)

func TestDefault(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
	if !cfg.Interfaces || cfg.Fixes != config.FixesSafe || cfg.Tests || !cfg.Enabled("no-ttl") {
		t.Errorf("got %+v", cfg)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{}`, `null`, ` { } `} {
		got := config.Config{Tests: true}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !reflect.DeepEqual(got, config.Default()) {
			t.Errorf("%s: got %+v", text, got)
		}
	}
	var got config.Config
	err := json.Unmarshal([]byte(`{"lock-words": ["gate"], "not-lock": ["tmp:"], "acquire": ["a/b.F"], "release": ["a/b.T.M"],
		"disable": ["no-ttl"], "interfaces": false, "fixes": "all", "tests": true}`), &got)
	want := config.Config{
		LockWords: []string{"gate"}, NotLock: []string{"tmp:"}, Acquire: []string{"a/b.F"}, Release: []string{"a/b.T.M"},
		Disable: []string{"no-ttl"}, Fixes: config.FixesAll, Tests: true,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
}

// What is wrong with settings is refused, by name.
func TestJSONErrors(t *testing.T) {
	t.Parallel()
	for text, name := range map[string]string{
		`{"lock-word": ["gate"]}`:     "lock-word",
		`{"Prefix": 1}`:               "Prefix",
		`{"NoRelated": true}`:         "NoRelated",
		`{"DriverNolint": true}`:      "DriverNolint",
		`{"First": "baredel"}`:        "First",
		`{"Silenced": null}`:          "Silenced",
		`{"lock-words": "gate"}`:      "lock-words",
		`{"interfaces": "yes"}`:       "interfaces",
		`{"fixes": 1}`:                "fixes",
		`{"tests": [true]}`:           "tests",
		`{"tests": true, "tests2":1}`: "tests2",
		`[]`:                          "array",
		`"safe"`:                      "string",
	} {
		cfg := config.Default()
		err := json.Unmarshal([]byte(text), &cfg)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: the error does not name %s: %v", text, name, err)
		}
		if !reflect.DeepEqual(cfg, config.Default()) {
			t.Errorf("%s: settings changed to %+v", text, cfg)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cfg  config.Config
		want []string // in the error
	}{
		{config.Config{Fixes: "some"}, []string{"fixes: ", `"some"`, "safe, all, none"}},
		{config.Config{}, []string{"fixes: ", `""`}},
		{config.Config{Fixes: "safe", Disable: []string{"no-ttl", "typo"}}, []string{"disable: ", `"typo"`, "no-ttl, "}},
		{config.Config{Fixes: "safe", Acquire: []string{"Lock"}}, []string{"acquire: ", `"Lock"`, "import/path.Func"}},
		{config.Config{Fixes: "safe", Release: []string{""}}, []string{"release: ", `""`}},
		{config.Config{Fixes: "safe", LockWords: []string{"gate", "a b"}}, []string{"lock-words: ", `"a b"`, "letters"}},
		{config.Config{Fixes: "safe", NotLock: []string{"tmp:", ""}}, []string{"not-lock: ", `""`, "all keys"}},
	} {
		err := c.cfg.Validate()
		for _, w := range c.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%+v: no %q in the error %v", c.cfg, w, err)
			}
		}
	}
}

func parse(args ...string) (config.Config, error) {
	cfg := config.Default()
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	cfg.Bind(fs)
	err := fs.Parse(args)
	return cfg, err
}

func TestFlags(t *testing.T) {
	t.Parallel()
	got, err := parse("-lock-words=gate, barrier,,", "-not-lock=tmp:,job:", "-acquire=a/b.F", "-release=a/b.T.M", "-disable=no-ttl,bad-args",
		"-interfaces=false", "-fixes=none", "-tests")
	want := config.Config{
		LockWords: []string{"gate", "barrier"}, NotLock: []string{"tmp:", "job:"}, Acquire: []string{"a/b.F"}, Release: []string{"a/b.T.M"},
		Disable: []string{"no-ttl", "bad-args"}, Fixes: config.FixesNone, Tests: true,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if got, err := parse(); err != nil || !reflect.DeepEqual(got, config.Default()) {
		t.Errorf("no flags: got %+v, %v", got, err)
	}
	if _, err := parse("-lock-words=锁,Latch", "-acquire=gopkg.in/redis.v5.Client.Lock,p.F"); err != nil {
		t.Error(err)
	}
	if got, err := parse("-disable=no-ttl", "-disable="); err != nil || len(got.Disable) != 0 {
		t.Errorf("the last flag wins: got %+v, %v", got, err)
	}
	for _, bad := range []string{
		"-fixes=some", "-disable=typo", "-tests=maybe", "-interfaces=2", "-prefix=1", "-lock-words=a b", "-lock-words=k8s",
		"-acquire=foo", "-acquire=a/b", "-acquire=a/b.", "-acquire=a/b.(*T).Lock", "-release=a/b.F,foo",
	} {
		if _, err := parse(bad); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
