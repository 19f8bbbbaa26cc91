// Package templates holds the fixed text of the files that Sonde writes.
package templates

import "embed"

// The files with the helpers that exported Go tests call. The files are compiled and tested here. Each variable is
// for:
//
//   - GoCalls: calls
//   - GoUsers: users who log in
//   - GoService: a service that the tests start
//   - GoDriver: a driver that starts the service
//   - GoCommands: commands
//   - GoSnapshots: snapshots of the service's state
//   - GoExpectations: assertions on faults
//   - GoRows: rows that tests insert into the database of the service
//   - GoHosts: hosts around the service, in a virtual network (with GoNetwork) or on loopback (with GoLocal)
//   - GoTable: tests in a table
//   - GoMimics: tests of recorded exchanges
//   - GoOracles: the assertions of tests of recorded exchanges on outward calls
var (
	//go:embed gotest/helpers_test.go
	GoCalls string
	//go:embed gotest/users_test.go
	GoUsers string
	//go:embed gotest/service_test.go
	GoService string
	//go:embed gotest/driver_test.go
	GoDriver string
	//go:embed gotest/command_test.go
	GoCommands string
	//go:embed gotest/snapshot_test.go
	GoSnapshots string
	//go:embed gotest/expect_test.go
	GoExpectations string
	//go:embed gotest/rows_test.go
	GoRows string

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

// UnitHelpers is the file with the helpers of generated unit tests, for another package.
//
//go:embed unittest/helpers_test.go
var UnitHelpers string

// UnitGuards is a file with helpers for unit tests whose inputs can be left out, for another package.
//
//go:embed unittest/guards_test.go
var UnitGuards string
