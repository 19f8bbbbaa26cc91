// Package probe embeds the source that runner/instrument/probe adds to a service under test. It is
// the second of four packages on the way from source to scores, which the comment of package
// probedata lists.
//
// The folders sondeprobe, sondeagent, sondequery, sondeunits and sondevalue are packages, which are also compiled and tested
// here. The folders _sql, _net and _units have files that are added to packages of the standard library,
// and that compile only there.
package probe

import "embed"

var (
	// Runtime has the package sondeprobe, which probes call.
	//
	//go:embed sondeprobe/*.go
	Runtime embed.FS
	// Agent has the package sondeagent, which the service's main package imports.
	//
	//go:embed sondeagent/*.go
	Agent embed.FS
	// Query has the package sondequery, which the changed database/sql imports.
	//
	//go:embed sondequery/*.go
	Query embed.FS
	// Units has the package sondeunits, which records invocations of functions.
	//
	//go:embed sondeunits/*.go
	Units embed.FS
	// Values has the package sondevalue, the format of recorded invocations.
	//
	//go:embed sondevalue/*.go
	Values embed.FS
	// Goroutines has the files by which sondeunits gets the number of a goroutine: one is added to the package runtime, the
	// other replaces a file of sondeunits.
	//
	//go:embed _units/runtime/*.go _units/units/*.go
	Goroutines embed.FS
	// SQL has the files that are added to database/sql.
	//
	//go:embed _sql/sql.go _sql/rows.go _sql/postgres.go
	//go:embed _sql/clean.go _sql/cleansqlite.go _sql/cleanpostgres.go _sql/postgrescatalog.go _sql/postgresseed.go
	SQL embed.FS
	// ByRequest has the file that is added to sondeagent if the memory of the probes has the tags of requests.
	//
	//go:embed _net/agent/request.go
	ByRequest embed.FS
	// Net has a folder for each package to which the virtual network adds files.
	//
	//go:embed _net/net/*.go _net/poll/*.go _net/x509/*.go _net/os/*.go _net/http/*.go _net/pprof/*.go
	Net embed.FS
)
