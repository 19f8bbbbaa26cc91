// Package codec reads and writes the folders of runs and recordings.
//
// A run is a folder with these files:
//
//	run.json       the plan: spec, limits, seed, applied commands
//	events.ndjson  the events, one a line, appended as they happen
//	suite.json     the kept tests
//	faults.json    the faults
//	answers.json   the number of answers by operation and status
//	traffic.har    the exchanges of the kept tests
//	cover.out      the coverage of a Go service, for go tool cover
//	code.json      the targets in the source for which each test is kept
//
// The files cover.out and code.json exist only if coverage was measured. Files are written during the run, so that a
// run that was killed can be opened. Each file except events.ndjson is replaced atomically. On Windows, files cannot be
// replaced atomically, and are overwritten.
//
// A recording is a folder with these files:
//
//	recording.json    the spec, the service and the users
//	exchanges.ndjson  the exchanges, one a line, each appended when it ends
//	bodies            large bodies, in files that are named by their SHA-256
//
// Runs and recordings of earlier versions can be read; fields that they lack are zero. Names in files therefore stay
// the same when a Go name changes: in run.json, Commands is still called "steers".
//
// The package also reads the sequences of requests in files of other sources, as RequestSeqs: suites, lines of seqs,
// HAR files and exported Go tests.
package codec

import (
	"time"

	"sonde/model"
)

// Version is the version of the format that this package writes.
const Version = 1

const (
	runFile     = "run.json"
	eventsFile  = "events.ndjson"
	trafficFile = "traffic.har"
	codeFile    = "code.json"
	answersFile = "answers.json"
)

// The names of the files with tests in a run's folder.
const (
	SuiteFile  = "suite.json"
	FaultsFile = "faults.json"
)

// CoverFile is the name of the file in a run's folder that go tool cover reads.
const CoverFile = "cover.out"

// RunHeader is the content of run.json: the plan of a run.
type RunHeader struct {
	Version  int          `json:"version"`
	Title    string       `json:"title"`
	Spec     string       `json:"spec"`
	SpecHash string       `json:"spec_hash"`
	BaseURL  string       `json:"base_url"`
	Users    []model.User `json:"users,omitempty"`
	// Environment is the environment of the configuration in which the run called the service, "" for its top level.
	// Headers are copied from the plan.
	Environment string             `json:"environment,omitempty"`
	Headers     []model.Credential `json:"headers,omitempty"`
	Reset       *model.Reset       `json:"reset,omitempty"`
	Seed        uint64             `json:"seed"`
	Limits      model.Limits       `json:"limits"`
	// Rate is the maximum number of requests a second, and Timeout the time limit of a call.
	Rate     float64       `json:"rate,omitempty"`
	Timeout  time.Duration `json:"timeout,omitempty"`
	Insecure bool          `json:"insecure,omitempty"`
	// TLS names the files for TLS with the service. Paths are relative to Folder.
	TLS      model.TLSFiles `json:"tls,omitzero"`
	Tuning   model.Tuning   `json:"tuning"`
	Sampling model.Sampling `json:"sampling"`
	Sizes    model.Sizes    `json:"sizes,omitzero"`
	// Commands are the commands of the user that took effect during the run.
	Commands []model.AppliedCommand `json:"steers,omitempty"`
	// Oracles and Owners are copied from the plan.
	Oracles []string              `json:"oracles,omitempty"`
	Owners  []model.OwnedResource `json:"owners,omitempty"`
	// Service and Driver are copied from the plan. Dir is the working folder of the commands that start and reset the
	// service or its driver: the Dir of these commands if it is set, otherwise Sonde's working folder.
	Service *model.Service `json:"service,omitempty"`
	Driver  *model.Driver  `json:"driver,omitempty"`
	Dir     string         `json:"dir,omitempty"`
	// Build describes the build with probes that Sonde made, nil if Sonde did not build the service. Without a virtual
	// network, Service does not start this build.
	Build *model.GoBuild `json:"build,omitempty"`
	// Net is the virtual network around the service, nil for the real network.
	Net     *model.VirtualNetwork `json:"net,omitempty"`
	Command string                `json:"command"`
	// Args are the arguments of the sonde search command that started the run. Folder is Sonde's working
	// folder, to which paths in Args are relative.
	Args   []string `json:"args,omitempty"`
	Folder string   `json:"folder,omitempty"`
	// Release is the version of Sonde that made the run. Started is the time when the run started.
	Release string    `json:"release,omitempty"`
	Started time.Time `json:"started,omitzero"`
	// Operations are all operations of the spec.
	Operations []model.OpID `json:"operations,omitempty"`
}

// suite is the content of suite.json. It depends only on the seed, the plan and the service.
type suite struct {
	Version  int          `json:"version"`
	Title    string       `json:"title"`
	SpecHash string       `json:"spec_hash"`
	Tests    []model.Test `json:"tests"`
}

// code is the content of code.json. For each test, it has the targets in the service's source for which the test is
// kept.
type code struct {
	Version int                 `json:"version"`
	Tests   []model.TestTargets `json:"tests"`
}

// byTest returns a map from the ID of each test to its targets. It returns nil if there are no tests.
func (c code) byTest() map[string][]string {
	if len(c.Tests) == 0 {
		return nil
	}
	by := map[string][]string{}
	for _, t := range c.Tests {
		by[t.Test] = t.Targets
	}
	return by
}

// faults is the content of faults.json. Older runs do not have this file.
type faults struct {
	Version int           `json:"version"`
	Faults  []model.Fault `json:"faults"`
}

// answers is the content of answers.json: the number of answers by operation and status. Older runs do not
// have this file.
type answers struct {
	Version int                        `json:"version"`
	Answers map[model.OpID]map[int]int `json:"answers"`
}
