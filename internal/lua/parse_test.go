package lua

import (
	"strings"
	"sync"
	"testing"
	"time"
)

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"syntax":         `if redis.call('get', KEYS[1]) == ARGV[1] redis.call('del', KEYS[1]) end`,
		"C not equal":    `if a != b then return 1 end`,
		"open string":    `return 'abc`,
		"open comment":   `--[[ abc`,
		"bare verb":      `return %d`,
		"too long":       strings.Repeat("return 1 ", maxText/8),
		"binary":         "\x00\xff",
		"unclosed block": strings.Repeat("do ", 1000),
	} {
		s, err := Parse(text)
		if err == nil {
			t.Errorf("%s: no error, got %+v", name, s)
			continue
		}
		if !strings.HasPrefix(err.Error(), "lua: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q", name, err)
		}
	}
}

func TestParseEmpty(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " \n", "-- nothing", "--[[ nothing ]]", "#!lua\n"} {
		s, err := Parse(text)
		if err != nil || !s.Complete || len(s.Effects) != 0 {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}

// hard are scripts made to be expensive.
var hard = map[string]string{
	"deep parentheses": "return " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000),
	"deep not":         "return " + strings.Repeat("not ", 10000) + "1",
	"deep concat":      "return " + strings.Repeat("'a'..", 5000) + "'a'",
	"deep blocks":      strings.Repeat("do ", 5000) + strings.Repeat(" end", 5000),
	"deep functions":   "return " + strings.Repeat("function() return ", 2000) + "1" + strings.Repeat(" end", 2000),
	"many ifs": strings.Repeat("if redis.call('get', ARGV[1]) == ARGV[2] then x = redis.call('incr', KEYS[1]) end\n", 500) +
		"redis.call('del', KEYS[1])",
	"many variables": manyFlags(40) + "redis.call('del', KEYS[1])",
	"many ors":       "if " + strings.Repeat("redis.call('get', KEYS[1]) == redis.call('incr', KEYS[2]) or ", 60) + "false then redis.call('del', KEYS[1]) end",
	"nested loops":   strings.Repeat("for i = 1, #KEYS do ", 30) + "redis.call('del', KEYS[i])" + strings.Repeat(" end", 30),
	"nested unroll":  strings.Repeat("for i = 1, 8 do ", 12) + "redis.call('del', KEYS[i])" + strings.Repeat(" end", 12),
	"doubling":       "local s = ARGV[1] " + strings.Repeat("s = s .. s ", 200) + "redis.call('del', s)",
	"call tree": "local function f0() redis.call('del', KEYS[1]) end " + callTree(20) +
		"f20()",
	"endless":                    "while true do redis.call('del', KEYS[1]) end",
	"many effects":               strings.Repeat("redis.call('del', KEYS[1]) ", 2000),
	"many locals":                strings.Repeat("local a = KEYS[1] ", 3500),
	"many locals on many paths":  strings.Repeat("local a = KEYS[1] ", 1500) + manyFlags(40) + strings.Repeat("local a = ARGV[1] ", 1000),
	"one long table":             "local t = {} " + strings.Repeat("t[#t+1] = 1 ", 4000),
	"many tables":                strings.Repeat("local t = {1} ", 4000),
	"many words":                 strings.Repeat("local a = 'word' .. ARGV[1] .. 'word' ", 1500),
	"many keys":                  "redis.call('del'" + strings.Repeat(", KEYS[1]..#KEYS", 4000) + ")",
	"many branches around frees": strings.Repeat("if redis.call('get', KEYS[#ARGV]) == ARGV[1] then x = 1 else y = 2 end redis.call('del', KEYS[2]) ", 300),
	"huge table":                 "return {" + strings.Repeat("{1,2,3},", 3000) + "}",
}

func manyFlags(n int) string {
	var b strings.Builder
	for i := range n {
		v := "v" + strings.Repeat("x", i)
		b.WriteString("local " + v + " = 0 if redis.call('get', KEYS[" + strings.Repeat("1", i%5+1) + "]) == ARGV[1] then " + v + " = 1 end\n")
	}
	return b.String()
}

func callTree(n int) string {
	var b strings.Builder
	prev := "f0"
	for i := 1; i <= n; i++ {
		name := "f" + strings.Repeat("x", i)
		if i == n {
			name = "f20"
		}
		b.WriteString("local function " + name + "() " + prev + "() " + prev + "() end ")
		prev = name
	}
	return b.String()
}

func TestParseHard(t *testing.T) {
	t.Parallel()
	for name, text := range hard {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			s, err := Parse(text)
			if err != nil {
				if strings.Contains(err.Error(), "internal") {
					t.Error(err)
				}
				return
			}
			t.Logf("%v, complete %v, %d effects", time.Since(start).Round(time.Millisecond), s.Complete, len(s.Effects))
			for _, e := range s.Effects {
				if e.Kind == Free && e.Checked {
					t.Errorf("checked free in a script that checks nothing: %+v", e)
				}
			}
		})
	}
}

func TestParseIsDeterministic(t *testing.T) {
	t.Parallel()
	for _, c := range releaseCases {
		want := ""
		for i := range 5 {
			s, err := Parse(c.script)
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(s); i == 0 {
				want = got
			} else if got != want {
				t.Fatalf("%s: %q, then %q", c.name, want, got)
			}
		}
	}
}

func TestParseConcurrently(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, c := range releaseCases[:20] {
				if _, err := Parse(c.script); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestLines(t *testing.T) {
	t.Parallel()
	s, err := Parse("#!lua\n\nlocal v = redis.call('get', KEYS[1])\nif v ~= ARGV[1] then\n  return\nend\nredis.call(\n  'del',\n  KEYS[1])")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Effects) != 2 || s.Effects[0].Pos != 3 || s.Effects[1].Pos != 7 {
		t.Errorf("%+v", s.Effects)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range releaseCases {
		f.Add(c.script)
	}
	for _, text := range hard {
		if len(text) < 4096 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if (s == nil) == (err == nil) {
			t.Fatalf("script %v, error %v", s, err)
		}
		if s == nil {
			if strings.Contains(err.Error(), "internal") {
				t.Fatal(err)
			}
			return
		}
		for _, e := range s.Effects {
			if e.Checked && (e.IfCreated || e.Unclear) || e.IfCreated && e.Unclear {
				t.Errorf("two answers in one effect: %+v", e)
			}
			if e.Key.Kind == Unknown && s.Complete {
				t.Errorf("complete, yet a key is not known: %+v", e)
			}
			if e.Key.Kind == Unknown && e.Bare() {
				t.Errorf("claim about an unknown key: %+v", e)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, bench := range []struct{ name, script string }{
		{"release", releaseCases[0].script},
		{"branches", `
local v = redis.call('get', KEYS[1])
if v == false then return -1
elseif v ~= ARGV[1] then return 0
elseif redis.call('exists', KEYS[2]) == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) return 2
else return redis.call('del', KEYS[1]) end`},
		{"too many paths", hard["many variables"]},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(bench.script); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
