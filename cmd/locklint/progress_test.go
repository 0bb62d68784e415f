package main

import (
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	p := &progress{w: &b}
	p.show("listing")
	if b.Len() > 0 {
		t.Errorf("a run that is still young prints %q", b.String())
	}
	p.shown = true // as after a while
	p.show("analyzing")
	p.clear()
	if want := "\r\x1b[Klocklint: analyzing ...\r\x1b[K"; b.String() != want {
		t.Errorf("printed %q, want %q", b.String(), want)
	}
	p.show("too late")
	p.clear()
	if strings.Contains(b.String(), "late") || strings.Count(b.String(), "\r") != 2 {
		t.Errorf("after the end it prints %q", b.String())
	}

	// What is no terminal sees nothing, however long the run.
	b.Reset()
	p = newProgress(&b)
	p.shown = true
	p.show("listing")
	p.clear()
	if b.Len() > 0 {
		t.Errorf("printed %q to what is no terminal", b.String())
	}
}
