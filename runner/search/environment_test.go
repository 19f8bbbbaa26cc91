package search_test

import (
	"path/filepath"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/search"
)

// A search makes up the environment of a service: the name of its machine, network interfaces, ports, and faults of
// files. Less of the source can be reached without stubs of the environment.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	for _, s := range []struct {
		name      string
		calls     int
		unreached int // statements that may be left: 6 and 3 are for errors that no test meets
		without   int // statements that can be reached without stubs of the environment
	}{
		{"node", 800, 9, 50},
		{"archive", 800, 10, 68},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := builtPlan(t, filepath.Join("..", "testdata", "environment", s.name))
			p.Limits.Calls = s.calls
			covered, all, uses := searchEnvironment(t, p)
			if covered < all-s.unreached || uses == 0 {
				t.Errorf("%d of %d statements, %d uses of the environment", covered, all, uses)
			}
			p = builtPlan(t, filepath.Join("..", "testdata", "environment", s.name))
			p.Limits.Calls = s.calls
			p.Net.Hostname, p.Net.Interfaces, p.Net.Closed = "box", []string{"eth0 10.0.0.2/24"}, true
			if without, _, _ := searchEnvironment(t, p); without > s.without {
				t.Errorf("%d of %d statements without stubs, more than %d", without, all, s.without)
			}
		})
	}
}

// searchEnvironment runs a search. It returns the number of covered statements, the number of all statements, and how
// often the service used its environment.
func searchEnvironment(t *testing.T, p model.Plan) (covered, all, uses int) {
	t.Helper()
	last := 0
	got := start(t, p, search.Sink{Emit: func(l model.LogEntry) error {
		if _, ok := l.Event.(model.CodeCovered); ok {
			last = l.Call
		}
		return nil
	}}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	for _, h := range got.Hosts {
		if h.Protocol == model.Environment {
			uses += h.Count
		}
	}
	n := got.Summary.Code.Packages[0].Statements
	t.Logf("%d of %d statements, the last at call %d, %d uses of the environment", n.Covered, n.All, last, uses)
	return n.Covered, n.All, uses
}

// The file faults of a test do not affect the reset after the test. If they did, the reset would fail and end the
// run.
func TestResetWithFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "testdata", "environment", "ledger")
	p := builtPlan(t, dir)
	c, err := config.Load(filepath.Join(dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	p.Reset, p.Limits.Calls = c.Reset, 200
	outcomes := map[string]int{}
	got := start(t, p, search.Sink{}).Wait()
	for _, h := range got.Hosts {
		for outcome, n := range h.Outcomes {
			outcomes[outcome] += n
		}
	}
	if got.Err != nil || outcomes["no-space"] == 0 || outcomes["permission-denied"] == 0 {
		t.Errorf("error %v, outcomes %v", got.Err, outcomes)
	}
}
