// Package testfiles has its faults in a test file only.
package testfiles
