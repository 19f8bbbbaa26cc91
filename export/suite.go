package export

import (
	"encoding/json"
	"errors"
	"fmt"

	"sonde/model"
)

// Suite is what an export writes.
type Suite struct {
	// Title is the API's, for people.
	Title string
	// Spec is where the API's document is, as a person said it; "" where nobody knows.
	Spec string
	// BaseURL is where the run's service was. The files use it unless their
	// environment names another one. With a Service it is as in a model.Plan.
	BaseURL string
	// Insecure lets the service say by any certificate who it is.
	Insecure bool
	// TLS names the files that TLS with the service needs, seen from the folder of the
	// tests.
	TLS model.TLS
	// Service is what the tests start, unless their environment names one; nil
	// where somebody else does.
	Service *model.Service
	// Dir is the folder, seen from that of the files, in which commands start:
	// the Service's and the Reset's. It takes the place of the Service's own.
	Dir string
	// Reset is done before each test; nil where nobody knows how.
	Reset *model.Reset
	// Users are those whom calls name; others may be there.
	Users []model.User
	Tests []model.Test
	// Code are the targets in the service's source that a test is kept for, by its
	// ID.
	Code map[string][]string
	// Net is the virtual network around the service, nil for the real one, and Build
	// what makes the service's binary with it, but for "-o" and a name. BinaryHere
	// stands for that in the Service's Command.
	Net   *model.VirtualNetwork
	Build []string
	// Local has servers of the tests' own stand for the hosts, whose addresses take
	// their place in the Service's Command and Env. The Service is then built without a
	// network.
	Local bool
	// Oracles are those that tests with a Mimic get, each a function of its own; none
	// are all three. With Together they are in one.
	Oracles  []model.Oracle
	Together bool
	// EarlierState are the IDs of tests that are left out because they depend on what
	// other tests leave in the service, or because that is not known.
	EarlierState []string
	// AllStates has tests of faults that depend on earlier state written, too.
	AllStates bool
	// Faults are those of the run, whose tests Split makes, and FaultMode what these do.
	Faults    []model.Fault
	FaultMode FaultMode
	shows     map[string]*showing // in a suite of tests that show faults: by their IDs
	unshown   []string            // lines about faults that no test shows
	begins    string              // what each test begins with, "" for what first says
	retired   []string            // lines of comments about tests that are in another file now
	// virtually are the IDs of tests that are left out because they need a network.
	virtually []string
	// Command is what a person types to make the files again.
	Command string
}

// ErrEmpty is the error of a suite without a test that was run.
var ErrEmpty = errors.New("there is no test to export: pick one that has been run")

// check returns what is wrong with a suite, in one line.
func (s Suite) check() error {
	played := 0
	for _, t := range s.Tests {
		if err := s.checkTest(t); err != nil {
			return fmt.Errorf("test %q cannot be exported: %w", t.ID, err)
		}
		if last(t) >= 0 && (t.Mock == nil || len(s.oraclesOf(t)) > 0) {
			played++
		}
	}
	if played == 0 {
		return ErrEmpty
	}
	return s.checkHosts()
}

func (s Suite) checkTest(t model.Test) error {
	for i, l := range t.Links {
		if l.From < 0 || l.From >= l.To || l.To >= len(t.Calls) {
			return fmt.Errorf("link %d goes from call %d to call %d of %d", i, l.From, l.To, len(t.Calls))
		}
		if l.Open() && t.Calls[l.To].Status != 0 {
			return fmt.Errorf("link %d is open: run the test first", i)
		}
	}
	for i, c := range t.Checks {
		if c.Call < 0 || c.Call >= len(t.Calls) {
			return fmt.Errorf("check %d is of call %d of %d", i, c.Call, len(t.Calls))
		}
		if len(c.Equals) > 0 && !json.Valid(c.Equals) {
			return fmt.Errorf("check %d wants %q, which is no JSON", i, c.Equals)
		}
	}
	if t.Mock != nil {
		if err := checkMimic(t); err != nil {
			return err
		}
	}
	for _, c := range t.Calls {
		u, ok := s.user(c.User)
		switch {
		case c.User == "":
		case !ok:
			return fmt.Errorf("it calls as %q, who is no user of the suite", c.User)
		case u.Env == "" && u.Public == "" && len(u.Sends) == 0 && u.Login == nil:
			return fmt.Errorf("it calls as %q: name the environment variable with the credential", c.User)
		}
	}
	return nil
}

func (s Suite) user(name string) (model.User, bool) {
	for _, u := range s.Users {
		if u.Name == name {
			return u, true
		}
	}
	return model.User{}, false
}

// callers returns the users who make calls.
func (s Suite) callers() []model.User {
	called := map[string]bool{}
	for _, t := range s.Tests {
		for _, c := range t.Calls {
			called[c.User] = called[c.User] || c.Status != 0
		}
	}
	var all []model.User
	for _, u := range s.Users {
		if u.Name != "" && called[u.Name] {
			all = append(all, u)
			called[u.Name] = false
		}
	}
	return all
}

// last returns the index of the last call that was reached, or -1.
func last(t model.Test) int {
	for i := len(t.Calls) - 1; i >= 0; i-- {
		if t.Calls[i].Status != 0 {
			return i
		}
	}
	return -1
}
