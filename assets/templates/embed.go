// Package templates holds the fixed text of the files that Sonde writes.
package templates

import "embed"

// The files with the helpers that exported Go tests call. GoCalls is for calls, GoUsers
// for users, GoService for a service that the tests start, GoCommands for commands, GoSnapshots for
// snapshots of the service's state, and GoExpectations for assertions on faults. GoHosts are for the hosts around the service;
// with GoNetwork these are in a virtual network, and with GoLocal on the loopback. GoTable
// is for tests in a table. GoMimics are for tests of recorded exchanges, and GoOracles for
// the assertions of those tests on outward calls. The files are compiled and tested here.
var (
	//go:embed gotest/helpers_test.go
	GoCalls string
	//go:embed gotest/users_test.go
	GoUsers string
	//go:embed gotest/service_test.go
	GoService string
	//go:embed gotest/command_test.go
	GoCommands string
	//go:embed gotest/snapshot_test.go
	GoSnapshots string
	//go:embed gotest/expect_test.go
	GoExpectations string

	//go:embed gotest/stubs_test.go gotest/conn_test.go gotest/rules_test.go gotest/inflight_test.go
	//go:embed gotest/protocol_test.go gotest/http_test.go gotest/tcp_test.go gotest/udp_test.go gotest/database_test.go
	GoHosts embed.FS
	//go:embed gotest/network_test.go gotest/tls_test.go gotest/dns_test.go gotest/environment_test.go
	//go:embed gotest/client_test.go gotest/quiescence_test.go gotest/isolated_test.go
	GoNetwork embed.FS
	//go:embed gotest/loopback_test.go
	GoLocal embed.FS

	//go:embed gotest/table_test.go
	GoTable embed.FS

	//go:embed gotest/mimic_test.go gotest/matchers_test.go gotest/compare_test.go gotest/output_test.go
	GoMimics embed.FS
	//go:embed gotest/outward_test.go gotest/parameters_test.go gotest/sequence_test.go gotest/unmatched_test.go
	GoOracles embed.FS
)
