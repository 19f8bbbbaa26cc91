// Package probe embeds what is built into a service under test: the memory of its
// probes, the agent that shares that memory with Sonde, and the distances of queries.
// These are compiled and tested here. The files that are added to packages of the
// standard library, such as the virtual network, are not: they are parts of those
// packages.
package probe

import "embed"

// Runtime is the package that probes call, Agent the one that main imports. SQL is
// added to database/sql, which then imports Query. Net has a folder for each package to
// which the virtual network adds files.
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
