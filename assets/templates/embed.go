// Package templates holds the fixed text of the files that Sonde writes.
package templates

import _ "embed"

// The files with the helpers that exported Go tests call: those for calls, for
// users, for a service that the tests start, and for commands. They are compiled
// and tested where they lie.
var (
	//go:embed gotest/helpers_test.go
	GoCalls string
	//go:embed gotest/users_test.go
	GoUsers string
	//go:embed gotest/service_test.go
	GoService string
	//go:embed gotest/command_test.go
	GoCommands string
)
