// Package constvalue finds Redis locks whose holders look alike.
//
// # Analyzer constvalue
//
// constvalue: report Redis locks whose value cannot tell their holders apart
//
// A lock can be freed safely only by comparing its value with the token that was
// stored. The value therefore has to be fresh for each acquisition, and kept:
//
//	ok, err := rdb.SetNX(ctx, key, "locked", 30*time.Second).Result() // weak-token
//	...
//	unlock.Run(ctx, rdb, []string{key}, "locked") // compares a constant with itself
//
// The pass reports the value where the lock is created: a constant, the host's name,
// the process id, a package variable, the clock in whole seconds (weak-token), or a
// unique value that is made in the call and kept by nobody (lost-token). Where a
// caller supplies the value to a general helper, it reports at that call.
//
// It speaks of locks only: something has to free or renew the key, and there has to
// be evidence, as in baredel. About three of four SetNX calls are no locks, and
// there a constant value is right.
//
// To avoid false reports, the pass is silent if the value is a parameter, if it has a
// unique part, if it is kept in a variable or a field, and for a leader election with
// one campaign a process. It is not this pass's goal to judge how random a token is.
package constvalue
