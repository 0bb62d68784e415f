// Package setnxexpire finds Redis locks that can stay for ever.
//
// # Analyzer setnxexpire
//
// setnxexpire: report Redis locks that are created without an expiry
//
// A lock in Redis has to end by itself when its holder dies. Only one command can
// promise that: SET with NX and a TTL. This pass reports keys that are created
// without one, at the call that creates them:
//
//	ok, err := rdb.SetNX(ctx, key, token, 0).Result() // setnx-expire
//	...
//	rdb.Expire(ctx, key, 30*time.Second) // never runs if the process stops here
//
// It follows the key through helper functions, methods, generic receivers,
// interfaces and other packages that the package imports, into func literals and
// goroutines, and into scripts whose text is known at compile time. The clients
// are go-redis v9, v8, v7 and v6; raw commands sent by Do and Process count too.
//
// A key that is created and then expired by a second command has to exclude others
// to be reported: the answer of the create decides whether code runs, and no data
// command meets the key. A key with no expiry at all needs evidence of a lock: its
// holder frees or renews it. Each report states its evidence.
//
// To avoid false reports, the pass is silent if the TTL is a parameter or a variable
// whose value is not known, if the key is only ever set (a seed, a generation id), if
// it is freed only where the work failed (a dedupe marker), or if everybody runs the
// Expire (a sliding window). It is not this pass's goal to judge how long a TTL is.
//
// A create whose TTL is set by a second command can be rewritten in place, if the TTL
// can be evaluated there and nothing shows that it could be 0 or less. A lock
// without any TTL gets no guessed one: the message says what to add.
package setnxexpire
