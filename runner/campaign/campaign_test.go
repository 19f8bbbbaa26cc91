package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
	"sonde/runner/campaign/campaigntest"
)

const sonde = "sonde test"

// job is the payload of a unit in these tests.
type job struct {
	N     int           `json:"n"`
	Sleep time.Duration `json:"sleep,omitempty"`
	Gate  string        `json:"gate,omitempty"` // the unit waits until this file exists
	Fail  string        `json:"fail,omitempty"`
	Exit  bool          `json:"exit,omitempty"` // ends the process of its worker
	Size  int           `json:"size,omitempty"` // of the result in bytes
}

type answer struct {
	Square int
	Text   string
}

func do(_ context.Context, t campaign.Task) (any, error) {
	var j job
	if err := json.Unmarshal(t.Payload, &j); err != nil {
		return nil, err
	}
	time.Sleep(j.Sleep)
	for j.Gate != "" {
		if _, err := os.Stat(j.Gate); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	switch {
	case j.Exit:
		os.Exit(3)
	case j.Fail == "panic":
		panic("no such thing")
	case j.Fail != "":
		return nil, errors.New(j.Fail)
	}
	return answer{Square: j.N * j.N, Text: strings.Repeat("x", j.Size)}, nil
}

// TestMain executes one unit, or runs a worker, a coordinator or a server, if the environment has the variable for
// it. Otherwise TestMain runs the tests.
func TestMain(m *testing.M) {
	if os.Getenv(oneUnit) != "" {
		if err := campaign.ServeUnit(context.Background(), nil, os.Stdin, os.Stdout, do); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	for variable, run := range map[string]func(value string) error{
		workerURL:      func(url string) error { return work(url, os.Getenv(workerToken), 4, ackWait) },
		coordinatorURL: coordinate,
		serverConfig:   runServer,
	} {
		if value := os.Getenv(variable); value != "" {
			if err := run(value); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

const (
	workerURL      = "SONDE_TEST_WORKER"
	workerToken    = "SONDE_TEST_TOKEN"
	coordinatorURL = "SONDE_TEST_COORDINATOR"
	serverConfig   = "SONDE_TEST_SERVER"
	oneUnit        = "SONDE_TEST_UNIT"
	ackWait        = 2 * time.Second
)

func work(url, token string, jobs int, wait time.Duration) error {
	ctx := context.Background()
	conn, err := broker.Connect(ctx, broker.Options{URL: url, Token: token})
	if err != nil {
		return err
	}
	defer conn.Close()
	store, err := campaign.OpenStore(ctx, conn)
	if err != nil {
		return err
	}
	w, err := campaign.NewWorker(ctx, store, campaign.WorkerOptions{
		Presence: campaign.Presence{ID: fmt.Sprint("w", os.Getpid()), Sonde: sonde, Jobs: jobs}, Execute: do, AckWait: wait,
		Isolated: campaign.Isolate(func(ctx context.Context) *exec.Cmd {
			c := exec.CommandContext(ctx, os.Args[0])
			c.Env = append(os.Environ(), oneUnit+"=yes")
			return c
		}),
	})
	if err != nil {
		return err
	}
	return w.Run(ctx, ctx)
}

// startWorker starts a worker in this process. The returned function lets the worker finish its units, and ends it.
func startWorker(t testing.TB, s *campaign.Store, id string, execute campaign.Executor) (stop func()) {
	t.Helper()
	w, err := campaign.NewWorker(t.Context(), s, campaign.WorkerOptions{
		Presence: campaign.Presence{ID: id, Sonde: sonde, Jobs: 2}, Execute: execute, Isolated: execute, AckWait: ackWait,
	})
	if err != nil {
		t.Fatal(err)
	}
	draining, drain := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- w.Run(context.WithoutCancel(t.Context()), draining) }()
	return sync.OnceFunc(func() {
		drain()
		if err := <-ended; err != nil {
			t.Errorf("worker %s: %v", id, err)
		}
	})
}

// startProcess starts a worker in a process of its own.
func startProcess(t testing.TB, s *broker.Server) *exec.Cmd {
	t.Helper()
	o := s.Options()
	return startSelf(t, workerURL+"="+o.URL, workerToken+"="+o.Token)
}

// startSelf starts this binary with environment variables for TestMain.
func startSelf(t testing.TB, env ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env, c.Stderr = append(os.Environ(), env...), os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	return c
}

// gathered has the results and dead letters of a campaign.
type gathered struct {
	squares map[int]int
	bytes   int
	dead    map[int]string
	twice   int
}

func newGathered() *gathered { return &gathered{squares: map[int]int{}, dead: map[int]string{}} }

func (g *gathered) work(jobs func(i int) job) campaign.Work {
	return campaign.Work{
		Payload: func(i int) (any, error) { return jobs(i), nil },
		IsDone: func(i int) bool {
			_, done := g.squares[i]
			return done
		},
		Handle: func(i int, value json.RawMessage) error {
			var a answer
			if err := json.Unmarshal(value, &a); err != nil {
				return err
			}
			if _, known := g.squares[i]; known {
				g.twice++
			}
			g.squares[i], g.bytes = a.Square, g.bytes+len(a.Text)
			return nil
		},
		Fail: func(i int, reason string) error {
			g.dead[i] = reason
			return nil
		},
	}
}

// check checks that each unit has exactly one result or a dead letter.
func (g *gathered) check(t *testing.T, units int) {
	t.Helper()
	if len(g.squares)+len(g.dead) != units || g.twice > 0 {
		t.Errorf("%d results and %d dead letters of %d units, %d twice", len(g.squares), len(g.dead), units, g.twice)
	}
	for i, square := range g.squares {
		if square != i*i {
			t.Errorf("unit %d: %d", i, square)
		}
	}
}

func describe(id string, units int) campaign.Description {
	return campaign.Description{ID: id, Kind: "squares", Sonde: sonde, Units: units, Setup: json.RawMessage(`{"a":1}`)}
}

func TestCampaign(t *testing.T) {
	s, _ := campaigntest.Serve(t)
	const units = 300
	for i := range 3 {
		defer startWorker(t, s, fmt.Sprint("w", i), do)()
	}
	c, resumed, err := s.Coordinate(t.Context(), describe("first", units))
	if err != nil || resumed {
		t.Fatalf("resumed %t, %v", resumed, err)
	}
	g := newGathered()
	err = c.Run(t.Context(), g.work(func(i int) job {
		switch i {
		case 7:
			return job{N: i, Fail: "cannot divide"}
		case 8:
			return job{N: i, Fail: "panic"}
		case 9:
			return job{N: i, Size: 3 << 20} // more than a message can have
		}
		return job{N: i}
	}))
	if err != nil {
		t.Fatal(err)
	}
	g.check(t, units)
	if len(g.dead) != 2 || g.dead[7] != "cannot divide" || !strings.Contains(g.dead[8], "no such thing") {
		t.Errorf("dead letters %v", g.dead)
	}
	if g.bytes != 3<<20 {
		t.Errorf("%d bytes of text", g.bytes)
	}
	if err := c.End(t.Context()); err != nil {
		t.Error(err)
	}
}

// After a coordinator ends early, another coordinator takes over. Each result is handled once, and finished units are
// not repeated.
func TestCoordinatorIsFollowed(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for signs of life")
	}
	s, _ := campaigntest.Serve(t)
	const units = 120
	var began atomic.Int64
	defer startWorker(t, s, "w", func(ctx context.Context, task campaign.Task) (any, error) {
		began.Add(1)
		return do(ctx, task)
	})()
	jobs := func(i int) job { return job{N: i, Sleep: 5 * time.Millisecond} }
	first, _, err := s.Coordinate(t.Context(), describe("long", units))
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	w := newGathered().work(jobs)
	w.Progress = func(done, _ int) {
		if done == 40 {
			interrupt()
		}
	}
	if err := first.Run(ctx, w); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	second, resumed, err := s.Coordinate(t.Context(), describe("long", units))
	if err != nil || !resumed {
		t.Fatalf("resumed %t, %v", resumed, err)
	}
	g := newGathered()
	if err := second.Run(t.Context(), g.work(jobs)); err != nil {
		t.Fatal(err)
	}
	g.check(t, units)
	if n := began.Load(); n != units {
		t.Errorf("%d units were done, want each of %d once", n, units)
	}
	if err := first.Run(t.Context(), newGathered().work(jobs)); err == nil || !strings.Contains(err.Error(), "taken over") {
		t.Errorf("the first coordinator: %v", err)
	}
}

func TestCoordinatorIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for signs of life")
	}
	s, _ := campaigntest.Serve(t)
	c, _, err := s.Coordinate(t.Context(), describe("one", 1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.Run(ctx, newGathered().work(func(int) job { return job{} })) }()
	for want, change := range map[string]func(d *campaign.Description){
		"has a coordinator":           func(*campaign.Description) {},
		"it is a squares, not a":      func(d *campaign.Description) { d.Kind = "cube" },
		"it was begun by sonde test,": func(d *campaign.Description) { d.Sonde = "sonde 2" },
		"with other files":            func(d *campaign.Description) { d.Units = 2 },
		"an ID has 1 to 64 letters":   func(d *campaign.Description) { d.ID = "a.b" },
	} {
		d := describe("one", 1)
		change(&d)
		if _, _, err := s.Coordinate(t.Context(), d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	stop()
	<-ended
	if err := s.Cancel(t.Context(), "one"); err != nil {
		t.Error(err)
	}
	if err := s.Cancel(t.Context(), "one"); !errors.Is(err, campaign.ErrNoCampaign) {
		t.Errorf("cancelled twice: %v", err)
	}
}

// A unit that ends its worker becomes a dead letter after three tries. The other units are done.
func TestPoison(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes and waits for them")
	}
	s, server := campaigntest.Serve(t)
	const units = 40
	ctx, stop := context.WithCancel(t.Context())
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for ctx.Err() == nil { // restarts the worker, as a service manager would
				c := startProcess(t, server)
				go func() {
					<-ctx.Done()
					c.Process.Kill()
				}()
				c.Wait()
			}
		})
	}
	defer workers.Wait()
	defer stop()
	c, _, err := s.Coordinate(t.Context(), describe("poison", units))
	if err != nil {
		t.Fatal(err)
	}
	g := newGathered()
	if err := c.Run(t.Context(), g.work(func(i int) job { return job{N: i, Exit: i == 5} })); err != nil {
		t.Fatal(err)
	}
	g.check(t, units)
	if want := "it ended its worker (exit status 3)"; g.dead[5] != want || len(g.dead) != 1 {
		t.Errorf("dead letters %v, want %q for unit 5", g.dead, want)
	}
}

// One worker refuses each unit that it takes. Another worker does these units, however often the first worker has
// taken them.
func TestRefusedUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("waits")
	}
	s, _ := campaigntest.Serve(t)
	var refused atomic.Int64
	defer startWorker(t, s, "restricted", func(context.Context, campaign.Task) (any, error) {
		refused.Add(1)
		return nil, fmt.Errorf("%w: --allow-build is missing", campaign.ErrRefused)
	})()
	watch, err := s.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := s.Coordinate(t.Context(), describe("refused", 6))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for refused.Load() < 16 {
			time.Sleep(20 * time.Millisecond)
		}
		stop := startWorker(t, s, "free", do)
		<-t.Context().Done()
		stop()
	}()
	g := newGathered()
	if err := c.Run(t.Context(), g.work(func(i int) job { return job{N: i} })); err != nil {
		t.Fatal(err)
	}
	g.check(t, 6)
	if len(g.dead) > 0 {
		t.Errorf("dead letters %v", g.dead)
	}
	var seen []string
	for _, w := range watch.Workers() {
		seen = append(seen, fmt.Sprint(w.ID, " ", w.Alive, " ", strings.Contains(w.Error, "--allow-build")))
	}
	if got := strings.Join(seen, ", "); !strings.Contains(got, "restricted true true") {
		t.Errorf("the observer sees %s", got)
	}
}

// A worker that is killed counts as gone after a few seconds. A worker that ends by itself counts as gone at once.
func TestObserver(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes and waits for them")
	}
	s, server := campaigntest.Serve(t)
	watch, err := s.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	await := func(what string, holds func(all []campaign.WorkerView) bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !holds(watch.Workers()); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: still %+v", what, watch.Workers())
			}
		}
	}
	alive := func(n int) func([]campaign.WorkerView) bool {
		return func(all []campaign.WorkerView) bool {
			count := 0
			for _, w := range all {
				if w.Alive {
					count++
				}
			}
			return count == n
		}
	}
	process := startProcess(t, server)
	drain := startWorker(t, s, "here", do)
	await("both have joined", alive(2))
	process.Process.Kill()
	await("one was killed", alive(1))
	drain()
	await("the other one has ended", alive(0))
}
