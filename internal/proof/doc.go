// Package proof shows on a real redis-server that the fixes of locklint remove the
// fault and nothing else.
//
// The programs in testdata hold each form that internal/rewrite knows, with its
// fault, as people write it. The tests build them, make the race happen and see the
// fault in the state of the server; then locklint fixes the source, and the same
// schedule shows that the fault is gone. What the calls return with the key free,
// held by another, and with the server down is the same before and after.
//
// Many forms stand in testdata/src/fix as well, and neither can be made from the other. There the
// text that a fix writes is held in golden files: comments, imports, names in the way, short
// leases, what gets no fix. Here a form is called and tells what it saw, so each has a key of its own,
// a lease longer than the test, results that can be compared, and a call in the harness. A new form of a
// fix needs both; TestProof fails on a form without a schedule, and on one that the fixes leave as it is.
package proof
