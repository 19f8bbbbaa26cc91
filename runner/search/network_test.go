//go:build unix

package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/instrument/probe"
	"sonde/runner/network/netsim"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/runner/testdata/port"
)

// networked has the services in testdata/network, each with the minimum percentage of statements that
// its best test must reach. The README of each service names the statements that the test does not
// reach.
var networked = map[string]float64{"chat": 97, "handshake": 97, "page": 99, "retry": 99, "whois": 99}

// outsider is one of the services in networked, on its own network.
type outsider struct {
	studied
	config  config.Config
	network *netsim.Network
	client  *client.Client
	reached map[string]bool // "GET /check 200"
	met     map[string]bool // names of the faults that the service reported
}

// TestBest plays the best test of each service over the virtual network. The answers have the expected statuses. The
// test reaches all reachable pairs of an operation and a status, each fault, and most statements as counted by Go.
func TestBest(t *testing.T) {
	for name, floor := range networked {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the tests wait for hosts that do not answer
			s := openOutsider(t, name)
			counted := s.play(t, s.best(t))
			if !maps.Equal(s.reached, s.reachable) {
				t.Errorf(
					"reached %q,\nsaid to be reachable are %q", slices.Sorted(maps.Keys(s.reached)),
					slices.Sorted(maps.Keys(s.reachable)),
				)
			}
			for fault := range s.faults {
				if !s.met[fault] {
					t.Errorf("no call shows %s", fault)
				}
			}
			s.judge(t, counted, floor)
		})
	}
}

// A search plays ports that a service opens at its start like ports that the service opens later.
func TestPortsOfTheStart(t *testing.T) {
	t.Parallel()
	s := openOutsider(t, "chat")
	p := model.Plan{
		Spec:     s.spec,
		Service:  s.config.Service,
		Reset:    s.config.Reset,
		Seed:     1,
		Tuning:   model.DefaultTuning(),
		Sampling: model.DefaultSampling(),
		Limits:   model.Limits{Calls: 300},
		Net:      &model.VirtualNetwork{},
	}
	p.Service.Command, p.Service.Build = []string{s.build(t)}, nil
	got := start(t, p, search.Sink{}).Wait()
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	spoken := map[string]int{}
	for _, h := range got.Hosts {
		spoken[h.Host] = h.Count
	}
	if spoken[":7000"] < 10 || spoken[":7001"] < 10 {
		t.Errorf("contacts with the ports: %v", spoken)
	}
}

// openOutsider reads the files of a service.
func openOutsider(t *testing.T, name string) *outsider {
	t.Helper()
	s := &outsider{reached: map[string]bool{}, met: map[string]bool{}}
	s.dir, s.reachable, s.faults = filepath.Join("..", "testdata", "network", name), map[string]bool{}, map[string]string{}
	var err error
	s.config, err = config.Load(filepath.Join(s.dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	s.spec, err = openapi.Load(context.Background(), s.config.Spec, openapi.Options{})
	if err != nil || len(s.spec.Problems) > 0 {
		t.Fatalf("error %v, problems %+v", err, s.spec.Problems)
	}
	for line := range strings.Lines(s.read(t, "reachable.txt")) {
		s.reachable[strings.TrimSpace(line)] = true
	}
	for _, row := range faultRow.FindAllStringSubmatch(s.read(t, "README.md"), -1) {
		s.faults[row[1]] = row[2]
	}
	return s
}

// best reads the best test, which was written by hand.
func (s *outsider) best(t *testing.T) []model.Test {
	t.Helper()
	var suite struct{ Tests []model.Test }
	if err := json.Unmarshal([]byte(s.read(t, "best.json")), &suite); err != nil || len(suite.Tests) == 0 {
		t.Fatalf("%d tests, error %v", len(suite.Tests), err)
	}
	return suite.Tests
}

// judge compares the counted statements with the expected ones.
func (s *outsider) judge(t *testing.T, counted []probe.CoverBlock, floor float64) {
	t.Helper()
	part := probe.CountStatements(counted)
	t.Logf("%d of %d statements, %.1f%%", part.Covered, part.All, 100*part.Fraction())
	for _, b := range counted {
		if !b.Reached {
			t.Logf("not reached: %s", b.Place)
		}
	}
	if 100*part.Fraction() < floor {
		t.Errorf("the best test reaches %.1f%% of the statements, want %.1f%%", 100*part.Fraction(), floor)
	}
}

// play plays tests on the service, built by go build -cover with the virtual network, and returns the counters.
func (s *outsider) play(t *testing.T, tests []model.Test) []probe.CoverBlock {
	t.Helper()
	counts := t.TempDir()
	stop := s.launch(t, s.build(t), counts)
	for _, test := range tests {
		s.test(t, test)
	}
	stop()
	all, err := probe.ReadCover(t.Context(), counts)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// build builds the service with the virtual network.
func (s *outsider) build(t *testing.T) (binary string) {
	t.Helper()
	skipInShort(t, "builds a service")
	return search.BuildOnce(t, s.dir, func(path string) error {
		b := s.config.Service.Build
		return probe.BuildWithCover(
			context.Background(),
			probe.Options{Dir: s.config.Service.Dir, Package: b.Package, Cover: b.Cover, Out: path, Net: true},
		)
	})
}

// launch starts the service on its own network.
func (s *outsider) launch(t *testing.T, binary, counts string) (stop func()) {
	t.Helper()
	var err error
	s.network, err = netsim.New(netsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.network.Close() })
	own := port.Free()
	s.network.BindPort(own, own)
	env, child, err := s.network.AttachProcess()
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	c := exec.Command(binary)
	c.Env = append(append(os.Environ(), env...), "PORT="+strconv.Itoa(own), probe.CoverDirVariable+"="+counts)
	c.ExtraFiles, c.Stderr = []*os.File{child}, os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() }) // ends the service if the test ends early
	s.client, err = client.New(fmt.Sprintf("http://127.0.0.1:%d", own), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.ready(t)
	return func() {
		s.client.Close()
		c.Process.Signal(syscall.SIGTERM)
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// ready waits until the service accepts calls.
func (s *outsider) ready(t *testing.T) {
	t.Helper()
	for range 1000 {
		if x := s.client.Send(t.Context(), model.Request{Method: http.MethodGet, URL: "/health"}); x.Err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the service does not answer")
}

// test plays one test and compares its statuses with the expected ones. If they differ, it reports the
// contacts of the service.
func (s *outsider) test(t *testing.T, test model.Test) {
	t.Helper()
	if x := s.client.Send(t.Context(), model.Request{Method: http.MethodPost, URL: "/__reset"}); x.Reply.Status != http.StatusNoContent {
		t.Fatalf("the reset is answered %d, %v", x.Reply.Status, x.Err)
	}
	if err := s.network.BeginTest(test.Stubs); err != nil {
		t.Fatal(err)
	}
	s.network.StartInward()
	differs := false
	for i, call := range test.Calls {
		differs = !s.call(t, test.ID, i, call) || differs
	}
	for _, c := range s.network.EndTest() {
		if differs {
			t.Logf("call %d: %s %s %s %q: %s", c.Call, c.Kind, c.Protocol, c.Host, c.Data, c.Outcome)
		}
	}
}

// call sends one call and reports whether it has the expected status.
func (s *outsider) call(t *testing.T, test string, i int, call model.Call) bool {
	t.Helper()
	s.network.BeginCall(i)
	defer s.network.EndCall()
	_, results := s.client.PlayTest(t.Context(), s.spec, model.Test{Calls: []model.Call{call}})
	x := results[0].Exchange
	s.reached[fmt.Sprintf("%s %d", call.Op, x.Reply.Status)] = true
	s.met[http.Header(x.Reply.Header).Get("X-Fault")] = true
	if x.Reply.Status != call.Status {
		t.Errorf("%s, call %d: %s answered %d %s, want %d (%v)", test, i, call.Op, x.Reply.Status, x.Reply.Body, call.Status, x.Err)
	}
	return x.Reply.Status == call.Status
}
