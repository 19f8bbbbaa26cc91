package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"sonde/model"
)

// Suite is the input of an export: tests, and how to reach the service that they call.
type Suite struct {
	// Title is the title of the API, for readers.
	Title string
	// Spec is the path or URL of the specification as the user gave it; "" if unknown.
	Spec string
	// BaseURL is the service's URL in the run. The tests use it unless the environment names another URL. If Service
	// is set, the port may be model.PortPlaceholder, as in model.Plan.
	BaseURL string
	// Insecure lets the service present any certificate.
	Insecure bool
	// TLS names the files for TLS connections to the service, relative to the folder of the tests.
	TLS model.TLSFiles
	// Service is the program that the tests start, unless the environment names a running one. It is nil if
	// the tests start no program.
	Service *model.Service
	// Driver starts, resets and stops the service, unless the environment names a running service. The tests start
	// the driver if it has a start command. Driver is nil if there is none. If it is set, Service is nil.
	Driver *model.Driver
	// Dir is the folder in which the commands of Service, Driver and Reset run, relative to the folder of the
	// files. It replaces their Dir.
	Dir string
	// Reset is performed before each test. If it is nil, the Driver resets the service; without a Driver, there is
	// no reset.
	Reset *model.Reset
	// Users are the users of the service. Calls refer to them by name.
	Users []model.User
	// Headers are sent with each request to the service. Set them by WithHeaders. A value of the form "${NAME}" is an
	// environment variable.
	Headers []model.Credential
	Tests   []model.Test
	// Code has the targets in the service's source for which each test is kept, by the ID of the test.
	Code map[string][]string
	// Net is the virtual network around the service, nil for the real network. Build is the command that
	// builds the service for the virtual network, without "-o" and the name of the binary.
	// model.BinaryPlaceholder in the Service's Command means this binary.
	Net   *model.VirtualNetwork
	Build []string
	// RowsBuild is the command that builds the service so that tests can insert rows into its database and clean it, in the
	// form of Build. If there is a virtual network, the command builds the service for the network, too. If RowsBuild or
	// Service is nil, tests that insert rows are left out, and there is no reset by clean.
	RowsBuild []string
	// Local lets servers of the tests play the hosts around the service. The servers' addresses replace the
	// addresses of the hosts in the Service's Command and Env. The Service is built without a virtual
	// network.
	Local bool
	// Oracles are the oracles of tests with a Mock, nil for all oracles. Each becomes a test function of
	// its own, unless CombineOracles is set.
	Oracles        []model.MockOracle
	CombineOracles bool
	// EarlierState has the IDs of tests that are left out because they may depend on state that other tests
	// leave in the service.
	EarlierState []string
	// IncludeEarlierState includes the tests of faults that depend on earlier state.
	IncludeEarlierState bool
	// Faults are the faults of the run, for which SplitFaults makes tests. FaultMode selects what these
	// tests do.
	Faults    []model.Fault
	FaultMode FaultMode
	// Command is the command that writes the files.
	Command string

	shown   shownFaults // nil unless the tests show faults
	unshown []string    // lines about faults that no test shows
	retired []string    // first comment lines of tests that are no longer in the file
	shared  *settings   // the settings that the file shares with others, nil for its own
	bodies  *bodyFiles  // collects large expected bodies; nil if they are in the tests
	// networkOnly has the IDs of tests that are left out because they need a virtual network.
	networkOnly []string
	withRows    []string // the IDs of tests that are left out because they insert rows
}

// ErrEmpty reports a suite without a test that has run.
var ErrEmpty = errors.New("there is no test to export: pick one that has been run")

// check returns the first inconsistency of a suite as an error of one line, ErrEmpty if no test has run, or nil.
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

// snapshotFolder matches the names of folders of snapshots.
var snapshotFolder = regexp.MustCompile(`^[0-9a-f]+-[0-9]+$`)

func (s Suite) checkTest(t model.Test) error {
	if r := s.Reset; r != nil && r.Snapshots != "" && hasRun(t) {
		switch {
		case len(r.Command) == 0 && !r.Restart:
			return errors.New("a request cannot restore the snapshots of the service's state")
		case t.Mock == nil || !snapshotFolder.MatchString(t.Mock.Snapshot):
			return errors.New("it does not say which snapshot of the service's state it begins with")
		}
	}
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

// oracles returns the settings for tests with a Mock.
func (s Suite) oracles() oracleSetup {
	return oracleSetup{chosen: s.Oracles, combined: s.CombineOracles, hosts: s.hosts().playsHosts()}
}

// hosts returns the settings for hosts around the service.
func (s Suite) hosts() hostSetup {
	h := hostSetup{network: s.Net, local: s.Local, build: s.Build, service: s.Service}
	if s.usesDatabase() {
		h.build = s.RowsBuild
	}
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
	set := settings{
		baseURL:  s.BaseURL,
		tls:      s.TLS,
		insecure: s.Insecure,
		service:  s.Service,
		driver:   s.Driver,
		dir:      s.Dir,
		reset:    s.Reset,
		hosts:    s.hosts(),
		users:    s.callers(),
		headers:  s.Headers,
	}
	if s.usesDatabase() {
		set.rowsBuild = s.RowsBuild
	}
	return set
}

// omissions returns the tests and faults that the files of the suite leave out.
func (s Suite) omissions() omissions {
	o := omissions{networkOnly: excerpt(s.networkOnly), withRows: s.withRows, faults: s.unshown}
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

// ShowsFaults reports whether each test of the suite shows a fault, as in the second result of SplitFaults.
func (s Suite) ShowsFaults() bool { return s.shown != nil }

// UnshownFaults returns a line with the reason for each fault that no test shows.
func (s Suite) UnshownFaults() []string { return s.unshown }

// RetiredTests returns the first comment lines of tests that the suite no longer has. An earlier version of
// the file may have them.
func (s Suite) RetiredTests() []string { return s.retired }

// EarlierStateNote returns a line about the tests that are left out because they may depend on earlier
// state, "" if there are none.
func (s Suite) EarlierStateNote() string { return s.omissions().earlierStateLine() }

// usesDatabase reports whether tests of the suite have the service insert rows into its database or clean it.
func (s Suite) usesDatabase() bool {
	hasRows := func(t model.Test) bool { return len(t.Rows) > 0 && hasRun(t) }
	return s.canInsert() && (s.Reset != nil && s.Reset.Clean || slices.ContainsFunc(s.Tests, hasRows))
}

// canInsert reports whether Go tests of the suite can insert rows and clean databases. The tests must build the service for
// it, and start it.
func (s Suite) canInsert() bool { return len(s.RowsBuild) > 0 && s.Service != nil }

// WithoutRows returns a suite without the tests that insert rows.
func (s Suite) WithoutRows() Suite {
	var all []model.Test
	for _, t := range s.Tests {
		if len(t.Rows) == 0 {
			all = append(all, t)
		} else {
			s.withRows = append(slices.Clip(s.withRows), remark(t.ID, 40))
		}
	}
	s.Tests = all
	return s
}

// insertable returns a suite without the tests whose rows a Go file cannot insert.
func (s Suite) insertable() Suite {
	if s.canInsert() {
		return s
	}
	return s.WithoutRows()
}

// RowsNote returns a line about the tests that a Go file leaves out because it cannot insert their rows, "" if there are
// none.
func (s Suite) RowsNote() string { return s.insertable().omissions().rowsLine() }

// WrittenTests returns the tests that a Go file contains: those that have run, whose rows can be inserted, and whose hosts
// can be played.
func (s Suite) WrittenTests() []model.Test {
	s = s.insertable()
	if played, err := s.withLocalHosts(); err == nil {
		s = played
	}
	return slices.DeleteFunc(slices.Clone(s.Tests), func(t model.Test) bool { return !hasRun(t) })
}

// last returns the index of the last call that was sent, -1 if none was.
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
