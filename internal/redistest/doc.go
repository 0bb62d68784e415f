// Package redistest starts real redis-servers of a test's own: one server, a
// master with replicas, or a cluster of three masters. Every server listens on
// loopback or on a unix socket only, keeps its files in a directory of its own, and
// is stopped by its pid when the test ends.
//
// The program is $REDIS_SERVER, or redis-server from PATH. Where there is none, the
// test is skipped with a message that says what to install; with
// LOCKLINT_REQUIRE_REDIS=1 it fails instead, so that a CI job cannot pass by skipping. Other
// tests that need something from outside do the same with [Missing].
// Plain functional tests can use [Functional], which falls back to miniredis, a
// server in the test process.
package redistest
