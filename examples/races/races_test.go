package main

import (
	"os"
	"strings"
	"testing"
)

// The program starts itself as the process that is killed; so does its test.
func TestMain(m *testing.M) {
	if crashes(os.Args[1:]) {
		return
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out, ""); err != nil {
		t.Fatal(err)
	}
	rest := out.String()
	for _, want := range []string{
		"1a.", ", no TTL", "=> the key has no TTL",
		"1b.", "=> A's TTL ended the lock",
		"2a.", "DEL key: 1", "=> A deleted B's lock",
		"2b.", " and DEL: 0", "=> A deleted nothing",
	} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("no %q, where it should be, in\n%s", want, out.String())
		}
		rest = after
	}
}

func TestNoRedis(t *testing.T) {
	if err := run(t.Context(), &strings.Builder{}, "127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "no Redis at 127.0.0.1:1") {
		t.Errorf("got %v", err)
	}
}
