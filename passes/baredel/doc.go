// Package baredel finds Redis locks that are freed or renewed by somebody else.
//
// # Analyzer baredel
//
// baredel: report Redis locks that are freed or renewed without checking the owner
//
// When a lock's TTL runs out, its key belongs to whoever acquires it next. A holder
// that is late and frees the key without looking frees that one's lock:
//
//	ok, err := rdb.SetNX(ctx, key, token, 30*time.Second).Result()
//	...
//	defer rdb.Del(ctx, key) // unowned-release: deletes whoever's lock it is by then
//
// The pass reports the command that frees or renews, and shows where the lock is
// acquired. Frees are Del, Unlink, GetDel, Expire with 0, DelExArgs without IFEQ, a
// key in a list of keys, a script that does not compare; in the same function, in a
// sibling method, in a wrapper, behind an interface, or in a package that imports
// the acquiring one. Two packages with no import path between them are not
// compared.
//
// Evidence of a lock is one of these: the holder frees the key when its work is done;
// the key is freed or renewed elsewhere with an owner check; it is created and freed by
// functions named like acquire and release; the key, the function or the type is named
// after a lock. Each report states its evidence.
//
// To avoid false reports, the pass is silent on a compare and delete in one step in
// any form it knows, on keys that are freed only where the work failed, on forced
// unlocks and clean-ups, on lock libraries, and on scripts that it does not understand. It
// is not this pass's goal to find locks that are never freed.
//
// A free or a renewal can be rewritten as a compare-and-delete or
// compare-and-expire where the stored token is in scope.
package baredel
