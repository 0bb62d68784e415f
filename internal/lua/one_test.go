package lua

import (
	"slices"
	"testing"
)

func TestOneCommand(t *testing.T) {
	t.Parallel()
	keys, argv := Ref{Kind: Keys, Index: 1}, Ref{Kind: Argv, Index: 1}
	for text, want := range map[string]One{
		`return redis.call("DEL", KEYS[1])`:                                 {"del", []Ref{keys}, AnswerCommand},
		`local key = KEYS[1] redis.call('unlink', key) return 1`:            {"unlink", []Ref{keys}, AnswerNumber},
		`redis.call('del', KEYS[1])`:                                        {"del", []Ref{keys}, AnswerNothing},
		`local n = redis.call('del', KEYS[1]); return n`:                    {"del", []Ref{keys}, AnswerCommand},
		`return redis.call("pexpire", KEYS[1], tonumber(ARGV[1]))`:          {"pexpire", []Ref{keys, argv}, AnswerCommand},
		"#!lua flags=no-writes\nreturn redis.call('expire', KEYS[1], 30)":   {"expire", []Ref{keys, {Kind: Const, Text: "30"}}, AnswerCommand},
		`local a, b = KEYS[1], ARGV[1] return redis.call("expire", a, b)`:   {"expire", []Ref{keys, argv}, AnswerCommand},
		`local KEYS = {ARGV[1]} return redis.call("del", KEYS[1])`:          {},
		`return redis.call("del", KEYS[1]) + redis.call("del", KEYS[2])`:    {},
		`redis.call("del", KEYS[2]) return redis.call("del", KEYS[1])`:      {},
		`if ARGV[1] then return redis.call("del", KEYS[1]) end return 0`:    {},
		`for i = 1, 2 do redis.call("del", KEYS[1]) end`:                    {},
		`return redis.pcall("del", KEYS[1])`:                                {},
		`return redis.call("del", KEYS[1] .. ":owner")`:                     {},
		`local n = redis.call("del", KEYS[1]) local n = 7 return n`:         {},
		`local key = KEYS[1] key = KEYS[2] return redis.call("del", key)`:   {},
		`redis = {call = function() end} return redis.call("del", KEYS[1])`: {},
		`return redis.call("del", unpack(KEYS))`:                            {},
		`return redis.call(ARGV[1], KEYS[1])`:                               {},
		`redis.call("del", KEYS[1]) return redis.status_reply("OK")`:        {},
		`return 1`:     {},
		`return (`:     {},
		"":             {},
		"#!lua name=x": {},
	} {
		one, ok := OneCommand(text)
		if ok != (want.Name != "") || ok && (one.Name != want.Name || one.Answer != want.Answer || !slices.Equal(one.Args, want.Args)) {
			t.Errorf("%s: %+v, %v", text, one, ok)
		}
	}
}
