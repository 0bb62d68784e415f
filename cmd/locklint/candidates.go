package main

import (
	"strings"

	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/directive"
	"github.com/locklint/locklint/internal/load"
	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
)

// mayHold says where a lock can be, or a comment that is about one.
func mayHold(cfg *locklint.Config) load.MayHold {
	m := load.MayHold{
		Clients: rediscmd.ImportPaths(),
		Comment: directive.Name,
		Helper:  locks.BuildsText,
	}
	for _, list := range [][]string{cfg.Acquire, cfg.Release} {
		for _, f := range list {
			m.Also = append(m.Also, pathOf(f))
		}
	}
	if cfg.Interfaces {
		m.Methods = locks.ShapeNames()
	}
	return m
}

// pathOf is the import path in import/path.Func or import/path.Type.Method.
func pathOf(f string) string {
	slash := strings.LastIndexByte(f, '/') + 1
	name, _, _ := strings.Cut(f[slash:], ".")
	return f[:slash] + name
}
