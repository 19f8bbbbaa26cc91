// Package probe holds what is injected into a service under test: the memory of
// its probes, the agent that shares that memory with Sonde, and what tells how far
// a query is from rows. They are compiled and tested where they lie. What is added
// to packages of the standard library, as the virtual network is, cannot be: it is a
// part of these.
package probe

import "embed"

// Runtime is the package that probes call, Agent the one that main imports. SQL is
// added to database/sql, which then imports Query. Net has a folder for each package
// to which the virtual network adds something.
var (
	//go:embed sondeprobe/*.go
	Runtime embed.FS
	//go:embed sondeagent/*.go
	Agent embed.FS
	//go:embed sondequery/*.go
	Query embed.FS
	//go:embed _sql/sql.go
	SQL embed.FS
	//go:embed _net/net/*.go _net/poll/*.go _net/x509/*.go _net/os/*.go _net/http/*.go _net/pprof/*.go
	Net embed.FS
)
