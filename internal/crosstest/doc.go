// Package crosstest holds the tests that need the whole suite: odd and broken code,
// modules that import one another, the cost on packages without Redis.
package crosstest
