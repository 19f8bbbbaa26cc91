package distributed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
	"sonde/ui/app/distributed"
	"sonde/ui/app/usecase"
)

const (
	// workerServers is the environment variable that makes this binary a worker of the servers that it names.
	workerServers = "SONDE_TEST_WORKER"
	// patience is how long a test waits for an expected event.
	patience = time.Minute
)

func beWorker(url string) error {
	ctx := context.Background()
	s, err := distributed.Open(ctx, distributed.Servers{URL: url})
	if err != nil {
		return err
	}
	return s.Work(ctx, ctx, distributed.WorkerOptions{Jobs: 2, Labels: map[string]string{"of": "test"}})
}

// testServer is a server whose data survives a restart.
type testServer struct {
	*broker.Server
	t       *testing.T
	folder  string
	port    int
	servers distributed.Servers
}

func serve(t *testing.T) *testServer {
	t.Helper()
	if !broker.Embeds() {
		t.Skip("this binary has no NATS server")
	}
	t.Setenv(distributed.TokenVariable, "secret")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &testServer{t: t, folder: t.TempDir(), port: l.Addr().(*net.TCPAddr).Port}
	l.Close()
	s.start()
	t.Cleanup(func() { s.Close() })
	s.servers = distributed.Servers{URL: s.ClientURL()}
	return s
}

func (s *testServer) start() {
	s.t.Helper()
	var err error
	if s.Server, err = broker.Serve("127.0.0.1", s.port, s.folder, "secret"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *testServer) open() *distributed.Session {
	s.t.Helper()
	session, err := distributed.Open(s.t.Context(), s.servers)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { session.Close() })
	return session
}

func (s *testServer) monitor() *distributed.Monitor {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(s.t.Context()))
	m, done, err := distributed.NewMonitor(ctx, s.servers)
	if err != nil {
		stop()
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		stop()
		<-done
	})
	return m
}

// startWorker starts a worker in a process of its own.
func (s *testServer) startWorker() *exec.Cmd {
	s.t.Helper()
	c := exec.Command(os.Args[0])
	c.Env, c.Stderr = append(os.Environ(), workerServers+"="+s.servers.URL), os.Stderr
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	return c
}

// coordinate begins a campaign whose units fail, because no worker knows their kind. The returned function ends its coordinator.
func (s *testServer) coordinate(id string, units int) (stop func()) {
	s.t.Helper()
	c, err := s.open().Coordinate(s.t.Context(), campaign.Description{ID: id, Kind: "unknown", Units: units})
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err := c.Run(ctx, campaign.Work{
			Payload: func(int) (any, error) { return 1, nil },
			Handle:  func(int, json.RawMessage) error { return nil },
			Fail:    func(int, string) error { return nil },
		}, 0)
		if err == nil {
			err = c.End(ctx)
		}
		if err != nil && ctx.Err() == nil && !strings.Contains(err.Error(), "cancelled") {
			s.t.Error(err)
		}
	}()
	stop = func() {
		cancel()
		<-ended
	}
	s.t.Cleanup(stop)
	return stop
}

// await looks at the campaigns until the view fulfils a condition, and returns the view.
func await(t *testing.T, m *distributed.Monitor, id, what string, holds func(usecase.CampaignsView) bool) usecase.CampaignsView {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		view := m.Look(id)
		if holds(view) {
			return view
		}
		if time.Now().After(end) {
			t.Fatalf("%s did not happen: %+v", what, view)
		}
	}
}

// waitsForSeconds skips a test in short mode, because it waits until a coordinator or a worker counts as vanished.
func waitsForSeconds(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it waits for seconds")
	}
}

func find(view usecase.CampaignsView, id string) usecase.Campaign {
	i := slices.IndexFunc(view.Campaigns, func(c usecase.Campaign) bool { return c.ID == id })
	if i < 0 {
		return usecase.Campaign{}
	}
	return view.Campaigns[i]
}

func workerOf(view usecase.CampaignsView, pid int) usecase.CampaignWorker {
	i := slices.IndexFunc(view.Workers, func(w usecase.CampaignWorker) bool { return w.PID == pid })
	if i < 0 {
		return usecase.CampaignWorker{}
	}
	return view.Workers[i]
}

// Units report progress on the board. The monitor ignores values that no unit has written, limits numbers to a range,
// and leaves out points that are not in order.
func TestProgress(t *testing.T) {
	s := serve(t)
	s.coordinate("c", 3)
	store := s.open().Store
	for key, value := range map[string]any{
		"progress.0": usecase.UnitProgress{
			Name: "island 1", Points: [][2]int{{10, 1}, {20, 4}}, Calls: 20, Of: 100, Covered: 4, Faults: 1,
		},
		"progress.2":    map[string]any{"name": "odd", "points": [][2]int{{5, 5}, {3, 7}, {6, -1}, {7, 1 << 60}}, "calls": -4},
		"progress.3":    usecase.UnitProgress{Name: "no such unit"},
		"progress.x":    usecase.UnitProgress{Name: "no number"},
		"progress.1":    []int{1},
		"progress.1.2":  usecase.UnitProgress{Name: "two numbers"},
		"other.1":       usecase.UnitProgress{Name: "no progress"},
		"progress.1_00": strings.Repeat("x", 70_000),
	} {
		if err := store.Board("c").Put(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	m := s.monitor()
	view := await(t, m, "c", "the progress", func(v usecase.CampaignsView) bool { return len(v.Progress) == 2 })
	want := "[{0 {island 1 [[10 1] [20 4]] 20 100 4 1}} {2 {odd [[5 5] [6 0] [7 1000000000000]] 0 0 0 0}}]"
	if got := fmt.Sprint(view.Progress); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if view := m.Look(""); view.Progress != nil || view.Failures != nil {
		t.Errorf("without a campaign: %+v", view)
	}
}

// If a coordinator ends before its campaign does, the monitor shows that it has vanished. A cancelled campaign is
// shown as cancelled. A new campaign with the same ID replaces it.
func TestEnds(t *testing.T) {
	waitsForSeconds(t)
	s := serve(t)
	stop := s.coordinate("c", 1)
	m := s.monitor()
	running := func(v usecase.CampaignsView) bool { return find(v, "c").Life == usecase.Alive }
	await(t, m, "c", "a sign of life", running)
	stop()
	view := await(t, m, "c", "silence", func(v usecase.CampaignsView) bool { return find(v, "c").Life == usecase.Vanished })
	if c := find(view, "c"); c.Silent < 4*time.Second || !c.InProgress() || c.LastWrittenAt.IsZero() {
		t.Errorf("after the end of the coordinator: %+v", c)
	}
	if err := m.Cancel(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	await(t, m, "c", "the cancellation", func(v usecase.CampaignsView) bool { return find(v, "c").Cancelled })
	if err := m.Cancel(t.Context(), "c"); !errors.Is(err, campaign.ErrNoCampaign) {
		t.Errorf("cancelled twice: %v", err)
	}
	s.coordinate("c", 2)
	await(t, m, "c", "the next one", func(v usecase.CampaignsView) bool { return running(v) && find(v, "c").Units == 2 })
}

// When the servers are gone, the view keeps the last state and has the reason. When they are back, the view changes
// again.
func TestServersGoAway(t *testing.T) {
	waitsForSeconds(t)
	s := serve(t)
	s.coordinate("c", 1)
	m := s.monitor()
	await(t, m, "c", "a sign of life", func(v usecase.CampaignsView) bool { return find(v, "c").Life == usecase.Alive })
	s.Close()
	view := await(t, m, "c", "the loss", func(v usecase.CampaignsView) bool { return v.Problem != "" && v.Lost > 2*time.Second })
	if c := find(view, "c"); c.Life != usecase.Alive || strings.Contains(view.Problem, "secret") {
		t.Errorf("problem %q, campaign %+v", view.Problem, c)
	}
	if err := m.Cancel(t.Context(), "c"); err == nil || !strings.Contains(err.Error(), "was not cancelled") {
		t.Errorf("cancelled without servers: %v", err)
	}
	s.start()
	view = await(t, m, "c", "the return", func(v usecase.CampaignsView) bool {
		return v.Problem == "" && v.Lost == 0 && find(v, "c").Life == usecase.Alive
	})
	if c := find(view, "c"); c.Silent > 2*time.Second {
		t.Errorf("after the return: %+v", c)
	}
}

func TestList(t *testing.T) {
	waitsForSeconds(t)
	s := serve(t)
	if all, err := distributed.List(t.Context(), s.servers); err != nil || len(all) > 0 {
		t.Errorf("empty servers have %v, %v", all, err)
	}
	s.coordinate("a", 1)
	s.coordinate("b", 1)()
	all, err := distributed.List(t.Context(), s.servers)
	if err != nil || len(all) != 2 || all[0].Life != usecase.Alive || all[1].Life != usecase.Vanished {
		t.Errorf("got %+v, %v", all, err)
	}
	if _, err := distributed.List(t.Context(), distributed.Servers{URL: "nats://127.0.0.1:1"}); err == nil {
		t.Error("lists the campaigns of no server")
	}
}
