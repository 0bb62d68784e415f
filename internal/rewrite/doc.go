// Package rewrite makes the one plan of edits that turns a lock into a right one.
//
// A rewrite belongs to a lock, not to a diagnostic: every diagnostic of a lock
// that carries a fix carries the whole plan, byte for byte the same, so that the
// drivers apply it once, whichever passes are on. A plan has up to three parts:
// the expiry moves into the create, the value becomes a token of its own for each
// acquisition, and what frees or renews the lock compares that token.
//
// Locks that can only be made right together, for one command frees them or their
// plans together leave an import unused, share one plan: each carries all of it.
//
// A plan is offered only if the package still type-checks with it.
package rewrite
