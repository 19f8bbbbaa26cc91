// Package probe holds what is injected into a service under test: the memory of
// its probes, the agent that shares that memory with Sonde, and what tells how far
// a query is from rows. They are compiled and tested where they lie. What is added
// to database/sql cannot be: it is a part of that package.
package probe

import "embed"

// Runtime is the package that probes call, Agent the one that main imports. SQL is
// added to database/sql, which then imports Query.
var (
	//go:embed sondeprobe/*.go
	Runtime embed.FS
	//go:embed sondeagent/*.go
	Agent embed.FS
	//go:embed sondequery/*.go
	Query embed.FS
	//go:embed _sql/sql.go
	SQL embed.FS
)
