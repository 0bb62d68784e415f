// Package lua answers one question about a Redis Lua script whose text is known
// at compile time: what does it do to which key?
//
// [Parse] reads the text with a real Lua 5.1 parser and runs it once with
// unknown KEYS and ARGV, along every path that differs in what it knows about
// stored values. Every command that touches a key becomes an [Effect], with the
// condition it stands on:
//
//   - Checked: the script compared the value stored at that key with a value
//     from outside before it came here (an owner check);
//   - IfCreated: the script itself created the key before it came here;
//   - Unclear: some condition on stored data stands before it that this package
//     does not understand, or that is no owner check of this key;
//   - none of these ([Effect.Bare]): every caller of the script gets here,
//     whoever owns the key.
//
// The package prefers silence. A condition it cannot read makes the effects
// behind it Unclear, a command it cannot read makes the script not Complete, and
// a script that is too large to follow has no effects at all.
//
// What it follows: local variables, upvalues and tables; functions of the
// script (put in at each call); if, and, or, not, early return, error and assert;
// loops over KEYS and over constant lists; redis.call, redis.pcall, server.call
// and their aliases; cjson.decode, string and number conversions. What it does
// not follow: recursion, metatables, loadstring, coroutines, keys that come from
// stored data, function libraries (#!lua name=...).
//
// Three facts of Lua in Redis are taken as they are, because scripts get them
// wrong: the number 0 is true, a missing value is false rather than nil (both
// are read as "missing"), and a string never equals a number
// ([Effect.NeverEqual]).
//
// All functions are safe for concurrent use; a Script is not changed after
// Parse returns it.
package lua
