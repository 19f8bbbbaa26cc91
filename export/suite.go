package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sonde/model"
)

// Suite is the input of an export: tests, and how to reach the service that they call.
type Suite struct {
	// Title is the title of the API, for readers.
	Title string
	// Spec is the path or URL of the specification as the user gave it; "" if unknown.
	Spec string
	// BaseURL is the service's URL in the run. The files use it unless their environment names another URL.
	// With a Service it has the form of a Plan's BaseURL.
	BaseURL string
	// Insecure lets the service present any certificate.
	Insecure bool
	// TLS names the files for TLS with the service, relative to the folder of the
	// tests.
	TLS model.TLSFiles
	// Service is the program that the tests start, unless their environment names a running one. It is nil if
	// they start none.
	Service *model.Service
	// Dir is the folder in which the commands of Service and Reset start, relative to the folder of the
	// files. It is used in place of the Service's Dir.
	Dir string
	// Reset is done before each test; nil if none is configured.
	Reset *model.Reset
	// Users are the users of the service. Calls refer to them by name.
	Users []model.User
	Tests []model.Test
	// Code maps the ID of a test to the targets in the service's source for which the
	// test is kept.
	Code map[string][]string
	// Net is the virtual network around the service, nil for the real network. Build is the command that
	// builds the service for the virtual network, without "-o" and the name of the binary. In the Service's
	// Command, model.BinaryPlaceholder means that binary.
	Net   *model.VirtualNetwork
	Build []string
	// Local lets servers of the tests play the hosts around the service. The servers' addresses replace the
	// addresses of the hosts in the Service's Command and Env. The Service is built without a virtual
	// network.
	Local bool
	// Oracles are the oracles of tests with a Mock, nil for all. Each becomes a test
	// function of its own, or with CombineOracles all are in one.
	Oracles        []model.MockOracle
	CombineOracles bool
	// EarlierState are the IDs of tests that are left out because they depend, or may depend, on state that
	// other tests leave in the service.
	EarlierState []string
	// IncludeEarlierState includes the tests of faults that depend on earlier state.
	IncludeEarlierState bool
	// Faults are the faults of the run, for which SplitFaults makes tests; FaultMode is what
	// these tests do.
	Faults    []model.Fault
	FaultMode FaultMode
	// Command is the command line that writes the files again.
	Command string

	shown     shownFaults // in a suite of tests that show faults; nil in others
	unshown   []string    // lines about faults that no test shows
	retired   []string    // first comment lines of tests that the file no longer has
	firstCall string      // the first statement of each test, "" for that of the settings
	// networkOnly are the IDs of tests that are left out because they need a virtual
	// network.
	networkOnly []string
}

// ErrEmpty reports a suite in which no test has a call that was sent.
var ErrEmpty = errors.New("there is no test to export: pick one that has been run")

// check returns the first inconsistency of a suite as an error of one line, or nil.
func (s Suite) check() error {
	played := 0
	for _, t := range s.Tests {
		if err := s.checkTest(t); err != nil {
			return fmt.Errorf("test %q cannot be exported: %w", t.ID, err)
		}
		if hasRun(t) && (t.Mock == nil || len(s.oracles().of(t)) > 0) {
			played++
		}
	}
	if played == 0 {
		return ErrEmpty
	}
	if err := s.hosts().check(); err != nil {
		return err
	}
	_, err := s.withLocalHosts()
	return err
}

func (s Suite) checkTest(t model.Test) error {
	for i, l := range t.Links {
		if l.From < 0 || l.From >= l.To || l.To >= len(t.Calls) {
			return fmt.Errorf("link %d goes from call %d to call %d of %d", i, l.From, l.To, len(t.Calls))
		}
		if l.IsOpen() && t.Calls[l.To].Status != 0 {
			return fmt.Errorf("link %d is open: run the test first", i)
		}
	}
	for i, c := range t.Checks {
		if c.Call < 0 || c.Call >= len(t.Calls) {
			return fmt.Errorf("check %d is of call %d of %d", i, c.Call, len(t.Calls))
		}
		if len(c.Equals) > 0 && !json.Valid(c.Equals) {
			return fmt.Errorf("check %d wants %q, which is not JSON", i, c.Equals)
		}
	}
	if t.Mock != nil {
		if err := checkMock(t); err != nil {
			return err
		}
	}
	for _, c := range t.Calls {
		u, ok := s.users().named(c.User)
		switch {
		case c.User == "":
		case !ok:
			return fmt.Errorf("it calls as %q, which is not a user of the suite", c.User)
		case u.Env == "" && u.Public == "" && len(u.Sends) == 0 && u.Login == nil:
			return fmt.Errorf("it calls as %q: name the environment variable with the credential", c.User)
		}
	}
	return nil
}

// users returns the users of the suite.
func (s Suite) users() userList { return s.Users }

// callers returns the users who make calls in the suite's tests.
func (s Suite) callers() userList { return s.users().callersIn(s.Tests...) }

// oracles returns how tests with a Mock become test functions.
func (s Suite) oracles() oracleSetup {
	return oracleSetup{chosen: s.Oracles, combined: s.CombineOracles, hosts: s.hosts().playsHosts()}
}

// hosts returns how the tests play the hosts around the service.
func (s Suite) hosts() hostSetup {
	h := hostSetup{network: s.Net, local: s.Local, build: s.Build, service: s.Service}
	for _, t := range s.Tests {
		if hasRun(t) {
			h.stubs = append(h.stubs, t.Stubs...)
		}
	}
	h.stubs = append(h.stubs, h.permanent()...)
	return h
}

// settings returns the settings that the Go files declare.
func (s Suite) settings() settings {
	return settings{
		baseURL:  s.BaseURL,
		tls:      s.TLS,
		insecure: s.Insecure,
		service:  s.Service,
		dir:      s.Dir,
		reset:    s.Reset,
		hosts:    s.hosts(),
		users:    s.callers(),
	}
}

// omissions returns what the files of the suite leave out.
func (s Suite) omissions() omissions {
	o := omissions{networkOnly: excerpt(s.networkOnly), faults: s.unshown}
	for _, t := range s.Tests {
		if !hasRun(t) {
			o.notRun = append(o.notRun, remark(t.ID, 40))
		}
	}
	for _, id := range s.EarlierState {
		o.earlierState = append(o.earlierState, remark(id, 40))
	}
	return o
}

// hasRunTests reports whether a test of the suite was run.
func (s Suite) hasRunTests() bool { return slices.ContainsFunc(s.Tests, hasRun) }

// hasMocks reports whether the suite has tests of recorded exchanges.
func (s Suite) hasMocks() bool {
	return slices.ContainsFunc(s.Tests, func(t model.Test) bool { return t.Mock != nil && hasRun(t) })
}

// ShowsFaults reports whether the suite is the second result of SplitFaults: each of its tests shows a
// fault.
func (s Suite) ShowsFaults() bool { return s.shown != nil }

// UnshownFaults returns a line with the reason for each fault that no test shows.
func (s Suite) UnshownFaults() []string { return s.unshown }

// RetiredTests returns the first comment lines of tests that the suite no longer has and that an earlier
// version of the file may have.
func (s Suite) RetiredTests() []string { return s.retired }

// EarlierStateNote returns a line about the tests that are left out because they depend, or may depend, on
// earlier state; "" if there are none.
func (s Suite) EarlierStateNote() string { return s.omissions().earlierStateLine() }

// WrittenTests returns the tests that a Go file contains: those that have run and whose hosts can be played.
func (s Suite) WrittenTests() []model.Test {
	if played, err := s.withLocalHosts(); err == nil {
		s = played
	}
	return slices.DeleteFunc(slices.Clone(s.Tests), func(t model.Test) bool { return !hasRun(t) })
}

// last returns the index of the last call that was sent, or -1.
func last(t model.Test) int {
	for i := len(t.Calls) - 1; i >= 0; i-- {
		if t.Calls[i].Status != 0 {
			return i
		}
	}
	return -1
}

// hasRun reports whether a call of the test was sent.
func hasRun(t model.Test) bool { return last(t) >= 0 }
