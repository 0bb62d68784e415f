package main

import (
	"github.com/locklint/locklint"
	"github.com/locklint/locklint/internal/load"
)

// mayHold says where a lock can be.
func mayHold(cfg *locklint.Config) load.MayHold {
	m := load.MayHold{Clients: []string{
		"github.com/redis/go-redis/v9",
		"github.com/go-redis/redis/v8",
		"github.com/go-redis/redis/v7",
		"github.com/go-redis/redis",
		"gopkg.in/redis.v5",
	}}
	if cfg.Interfaces {
		m.Words = []string{"SetNX", "SetIfAbsent", "SetIfNotExist", "AddIfAbsent"}
	}
	return m
}
