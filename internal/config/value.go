package config

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"

	"github.com/locklint/locklint/internal/kinds"
)

// A list is a flag of comma-separated words, each of which check has to accept.
type list struct {
	words *[]string
	check func(string) error
}

func (l *list) String() string {
	if l.words == nil {
		return ""
	}
	return strings.Join(*l.words, ",")
}

func (l *list) Set(s string) error {
	var words []string
	for w := range strings.SplitSeq(s, ",") {
		if w = strings.TrimSpace(w); w == "" {
			continue
		}
		if err := l.check(w); err != nil {
			return err
		}
		words = append(words, w)
	}
	*l.words = words
	return nil
}

type fixes Fixes

func (f *fixes) String() string { return string(*f) }

func (f *fixes) Set(s string) error {
	if err := checkFixes(Fixes(s)); err != nil {
		return err
	}
	*f = fixes(s)
	return nil
}

func checkFixes(f Fixes) error {
	switch f {
	case FixesSafe, FixesAll, FixesNone:
		return nil
	}
	return fmt.Errorf("%q is not one of safe, all, none", f)
}

// checkWord wants letters alone: names and keys are cut into words at all else.
func checkWord(w string) error {
	if w == "" || strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return fmt.Errorf("%q is not one word of letters; separate words by commas", w)
	}
	return nil
}

// checkPrefix refuses the prefix of all keys.
func checkPrefix(p string) error {
	if p == "" {
		return fmt.Errorf("\"\" is a prefix of all keys")
	}
	return nil
}

func checkKind(k string) error {
	if _, ok := kinds.ByName(k); !ok {
		return fmt.Errorf("there is no kind %q; the kinds are %s", k, strings.Join(kinds.Names(), ", "))
	}
	return nil
}

// checkFunc wants what could name a function; whether there is one is not known
// before packages are loaded.
func checkFunc(f string) error {
	slash := strings.LastIndexByte(f, '/') + 1
	// The last element of a path may have dots of its own, as in gopkg.in/redis.v5.
	parts := strings.Split(f[slash:], ".")
	last := parts[len(parts)-1]
	if len(parts) < 2 || parts[0] == "" || !token.IsIdentifier(last) || strings.ContainsAny(f, " \t()*") {
		return fmt.Errorf("%q names no function; write import/path.Func or import/path.Type.Method", f)
	}
	return nil
}
