package suite_test

import (
	"path/filepath"
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
	"sonde/ui/app/suite"

	"github.com/google/go-cmp/cmp"
)

func TestPick(t *testing.T) {
	tests := []model.Test{{ID: "t1"}, {ID: "t2"}, {ID: "t3"}}
	for _, c := range []struct {
		ids, want []string
		err       string
	}{
		{nil, []string{"t1", "t2", "t3"}, ""},
		{[]string{"t3", "t1"}, []string{"t1", "t3"}, ""},
		{[]string{"t1", "t9"}, nil, `no test "t9"`},
	} {
		got, err := suite.SelectTests(tests, c.ids)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v: error %v, want %s", c.ids, err, c.err)
			}
			continue
		}
		if diff := cmp.Diff(c.want, suite.TestIDs(got)); diff != "" || err != nil {
			t.Errorf("%v: want and got (-+):\n%s, error %v", c.ids, diff, err)
		}
	}
}

func TestIndependentLeavesOutWhatNeedsEarlierState(t *testing.T) {
	kept, others := suite.IndependentTests([]model.Test{{ID: "t1"}, {ID: "t2", EarlierState: "call 1"}})
	if diff := cmp.Diff([]string{"t1"}, suite.TestIDs(kept)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"t2"}, others); diff != "" {
		t.Error(diff)
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		pick []string
		dir  string
		more []string
		want string
	}{
		{nil, "", nil, "sonde export run"},
		{nil, suite.DefaultFolder, suite.FormatFlags(suite.DefaultFormat), "sonde export run"},
		{[]string{"t1", "t2"}, "my tests", suite.FormatFlags("hurl"), "sonde export run --pick t1,t2 -o 'my tests' --format hurl"},
	} {
		if got := suite.ExportCommand("run", c.pick, c.dir, c.more...); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestWithFaults(t *testing.T) {
	faults := []model.Fault{{ID: "f1", Op: "GET /a", Status: 500}, {ID: "f2", Op: "GET /b", Status: 500}}
	s := export.Suite{Tests: []model.Test{{ID: "t1", Calls: []model.Call{{Op: "GET /b", Status: 500}}}}}
	if got := suite.WithFaults(s, faults, "pin", false); len(got.Faults) != 2 || got.FaultMode != export.PinFaults {
		t.Errorf("all tests: %d faults, mode %q", len(got.Faults), got.FaultMode)
	}
	if got := suite.WithFaults(s, faults, "pin", true); len(got.Faults) != 1 || got.Faults[0].ID != "f2" {
		t.Errorf("picked tests: %v", got.Faults)
	}
}

// Paths in exported files are relative to the folder of the files.
func TestRelocate(t *testing.T) {
	dir := t.TempDir()
	s := export.Suite{Dir: filepath.Join(dir, "service"), TLS: model.TLSFiles{CACert: filepath.Join(dir, "ca.pem")}}
	got := suite.RelocatePaths(s, filepath.Join(dir, "tests"))
	if got.Dir != "../service" || got.TLS.CACert != "../ca.pem" || got.TLS.Key != "" {
		t.Errorf("got %q, %q and %q", got.Dir, got.TLS.CACert, got.TLS.Key)
	}
}

// Tests that need hosts get them in one of two ways: from a virtual network, which is built into the service, or from
// servers in the test file, which need no build.
func TestWithHosts(t *testing.T) {
	built := &model.Service{Command: []string{"{binary}", "--port", "1"}, Build: &model.GoBuild{Package: "./cmd/x", Tags: "t"}}
	s := export.Suite{Service: built}
	virtual := suite.WithHosts(s, &model.VirtualNetwork{}, false)
	got := strings.Join(virtual.Build, " ")
	if got != "sonde build --net --tags t ./cmd/x" || virtual.Net == nil || virtual.Service != built {
		t.Errorf("virtual: builds by %q, network %+v", got, virtual.Net)
	}
	local := suite.WithHosts(s, &model.VirtualNetwork{}, true)
	if got := strings.Join(local.Service.Command, " "); got != "go run -tags=t ./cmd/x --port 1" || local.Build != nil {
		t.Errorf("by servers: starts %q, builds by %q", got, local.Build)
	}
	started := export.Suite{Service: &model.Service{Command: []string{"./x"}}}
	if unbuilt := suite.WithHosts(started, &model.VirtualNetwork{}, false); !unbuilt.Local || unbuilt.Build != nil || unbuilt.Net == nil {
		t.Errorf("not built by Sonde: %+v", unbuilt)
	}
	if real := suite.WithHosts(s, nil, false); real.Net != nil || real.Build != nil || real.Service != built {
		t.Errorf("without a network: %+v", real)
	}
	for way, bad := range map[string]bool{suite.VirtualHosts: false, suite.LocalHosts: false, "real": true} {
		if err := suite.CheckHosts(way); (err != nil) != bad {
			t.Errorf("%s: error %v", way, err)
		}
	}
}

func TestCheckFaultMode(t *testing.T) {
	for _, mode := range suite.FaultModes() {
		if err := suite.CheckFaultMode(mode); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
	}
	if err := suite.CheckFaultMode("ignore"); err == nil || !strings.Contains(err.Error(), strings.Join(suite.FaultModes(), ", ")) {
		t.Errorf("an unknown mode: %v", err)
	}
}
