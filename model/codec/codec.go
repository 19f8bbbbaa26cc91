// Package codec keeps runs on disk: a folder with run.json (what was asked),
// events.ndjson (what happened, a line each, appended), suite.json (the tests),
// faults.json (what is wrong with the service), answers.json (how often each operation
// was answered with each status) and traffic.har (what was sent
// and answered in the tests); where the run saw into a Go service also cover.out
// (what was reached, as go tool cover reads it) and code.json (which test is kept
// for which statements and branches). Files are written whole or not at all (but on
// Windows, which cannot replace a file at once), and as the run goes, so that a
// run that was killed can still be opened.
//
// It keeps recordings, too: a folder with recording.json (of what, and how the
// service is started), exchanges.ndjson (what was seen, a line each, appended as each
// ends) and bodies (the large ones, by their SHA-256).
//
// It also reads what tests of other sources call, as trails: suites, lines of
// seqs, HAR files, exported Go.
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

// The names of the files in a run's folder that hold tests.
const (
	SuiteFile  = "suite.json"
	FaultsFile = "faults.json"
)

// CoverFile is the file in a run's folder that go tool cover reads.
const CoverFile = "cover.out"

// RunHeader is what a run was asked to do: run.json.
type RunHeader struct {
	Version  int          `json:"version"`
	Title    string       `json:"title"`
	Spec     string       `json:"spec"`
	SpecHash string       `json:"spec_hash"`
	BaseURL  string       `json:"base_url"`
	Users    []model.User `json:"users,omitempty"`
	Reset    *model.Reset `json:"reset,omitempty"`
	Seed     uint64       `json:"seed"`
	Limits   model.Limits `json:"limits"`
	// Rate is the most requests a second, Timeout that of a call.
	Rate     float64       `json:"rate,omitempty"`
	Timeout  time.Duration `json:"timeout,omitempty"`
	Insecure bool          `json:"insecure,omitempty"`
	// TLS names the files that TLS with the service needed, as seen from Folder.
	TLS      model.TLSFiles `json:"tls,omitzero"`
	Tuning   model.Tuning   `json:"tuning"`
	Sampling model.Sampling `json:"sampling"`
	// Commands are what a person did while it went on.
	Commands []model.AppliedCommand `json:"steers,omitempty"`
	// Oracles and Owners are those of the plan.
	Oracles []string              `json:"oracles,omitempty"`
	Owners  []model.OwnedResource `json:"owners,omitempty"`
	// Service is the plan's, and Dir the folder in which commands started: that
	// in which Sonde was, where the service names none.
	Service *model.Service `json:"service,omitempty"`
	Dir     string         `json:"dir,omitempty"`
	// Net is the virtual network around the service, nil for the real one. The Service
	// then is one that is to be built.
	Net     *model.VirtualNetwork `json:"net,omitempty"`
	Command string                `json:"command"`
	// Args are the arguments of sonde search that the run began with, and Folder
	// where Sonde was then: files in them are seen from there.
	Args   []string `json:"args,omitempty"`
	Folder string   `json:"folder,omitempty"`
	// Release is that of the Sonde which made the run, and Started when it did.
	Release string    `json:"release,omitempty"`
	Started time.Time `json:"started,omitzero"`
	// Operations are all of the spec's.
	Operations []model.OpID `json:"operations,omitempty"`
}

// suite is suite.json. It follows from seed, settings and the service alone.
type suite struct {
	Version  int          `json:"version"`
	Title    string       `json:"title"`
	SpecHash string       `json:"spec_hash"`
	Tests    []model.Test `json:"tests"`
}

// code is code.json, of runs that saw into their service: what each test is kept
// for there.
type code struct {
	Version int                 `json:"version"`
	Tests   []model.TestTargets `json:"tests"`
}

// byTest are the targets by the tests' IDs, nil where there are none.
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

// faults is faults.json. Runs of before there was one do without.
type faults struct {
	Version int           `json:"version"`
	Faults  []model.Fault `json:"faults"`
}

// answers is answers.json: operation → status → times. Runs of before there was one do
// without.
type answers struct {
	Version int                        `json:"version"`
	Answers map[model.OpID]map[int]int `json:"answers"`
}
