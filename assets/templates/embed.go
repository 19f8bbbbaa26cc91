// Package templates holds the fixed text of the files that Sonde writes.
package templates

import _ "embed"

// GoTest is a Go file with the helpers that exported Go tests call. It is
// compiled and tested where it lies.
//
//go:embed gotest/helpers_test.go
var GoTest string
