// Package probe holds what is injected into a service under test: the memory of
// its probes, and the agent that shares that memory with Sonde. Both are
// compiled and tested where they lie.
package probe

import "embed"

// Runtime is the package that probes call, Agent the one that main imports.
var (
	//go:embed sondeprobe/*.go
	Runtime embed.FS
	//go:embed sondeagent/*.go
	Agent embed.FS
)
