package sondeunits

// Build is a digest of the edited source. This file is a placeholder: runner/instrument/probe replaces it with the tables
// of a build.
const Build uint64 = 0

// Module is the path of the service's module.
const Module = "sonde"

var (
	functions []Function
	sites     []Site
	mocked    map[string]bool
)
