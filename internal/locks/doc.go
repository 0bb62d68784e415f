// Package locks finds the Redis locks of a package.
//
// Calls become Effects on keys (create, expire, free, renew, read), effects of
// helper functions are carried to their callers by summaries, and effects on one
// key are grouped into a Lock where there is evidence that the key is one. The
// passes judge Locks; they never look at calls.
package locks
