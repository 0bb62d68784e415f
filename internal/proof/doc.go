// Package proof shows on a real redis-server that the fixes of locklint remove the
// fault and nothing else.
//
// The programs in testdata hold each form that internal/rewrite knows, with its
// fault, as people write it. The tests build them, make the race happen and see the
// fault in the state of the server; then locklint fixes the source, and the same
// schedule shows that the fault is gone. What the calls return with the key free,
// held by another, and with the server down is the same before and after.
package proof
