package campaign_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"

	"github.com/nats-io/nats-server/v2/server"
)

var campaigns = flag.Bool("campaigns", false, "test with as many units and failures as .ci/full does")

// node is a server of a cluster.
type node struct {
	Name       string
	Port, Peer int   // Port is for clients, Peer is for the other servers
	Peers      []int // Peer of each server of the cluster
	Folder     string
}

// runServer runs a server of a cluster until it is killed.
func runServer(config string) error {
	var n node
	if err := json.Unmarshal([]byte(config), &n); err != nil {
		return err
	}
	o := &server.Options{
		ServerName: n.Name, Host: "127.0.0.1", Port: n.Port, JetStream: true, StoreDir: n.Folder, NoLog: true,
		Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: n.Peer},
	}
	for _, port := range n.Peers {
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	s.WaitForShutdown()
	return nil
}

// coordinate coordinates the campaign of TestNothingIsLost. It writes each result as a line of a file. Earlier
// coordinators may have written results to this file; coordinate reads these first.
func coordinate(urls string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	conn, err := broker.Connect(ctx, broker.Options{URL: urls})
	if err != nil {
		return err
	}
	defer conn.Close()
	s, err := campaign.OpenStore(ctx, conn)
	if err != nil {
		return err
	}
	path, units := os.Getenv(resultsFile), 0
	fmt.Sscan(os.Getenv(unitCount), &units)
	before := map[int]bool{}
	data, _ := os.ReadFile(path)
	for line := range strings.Lines(string(data)) {
		n := -1
		fmt.Sscan(line, &n)
		before[n] = true
	}
	out, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	c, _, err := s.Coordinate(ctx, describe("lossless", units))
	if err != nil {
		return err
	}
	err = c.Run(ctx, campaign.Work{
		Payload: func(i int) (any, error) {
			j := job{N: i, Sleep: 200 * time.Millisecond}
			if i >= units*4/5 {
				j.Gate = os.Getenv(gateFile)
			}
			return j, nil
		},
		IsDone: func(i int) bool { return before[i] },
		Handle: func(i int, _ json.RawMessage) error {
			_, err := fmt.Fprintln(out, i)
			return err
		},
		Fail: func(i int, reason string) error {
			_, err := fmt.Fprintln(out, i, reason)
			return err
		},
	})
	if err != nil {
		return err
	}
	return c.End(ctx)
}

const (
	resultsFile = "SONDE_TEST_RESULTS"
	unitCount   = "SONDE_TEST_UNITS"
	gateFile    = "SONDE_TEST_GATE" // the last fifth of the units waits until this file exists
)

// cluster are three servers in processes of their own.
type cluster struct {
	nodes     []node
	processes []*exec.Cmd
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{}
	var peers []int
	for i := range 3 {
		n := node{Name: fmt.Sprint("n", i), Port: freePort(t), Peer: freePort(t), Folder: t.TempDir()}
		c.nodes, peers = append(c.nodes, n), append(peers, n.Peer)
	}
	for i := range c.nodes {
		c.nodes[i].Peers = peers
		c.processes = append(c.processes, nil)
		c.start(t, i)
	}
	return c
}

func (c *cluster) start(t *testing.T, i int) {
	t.Helper()
	config, err := json.Marshal(c.nodes[i])
	if err != nil {
		t.Fatal(err)
	}
	c.processes[i] = startSelf(t, serverConfig+"="+string(config))
}

// kill kills a server.
func (c *cluster) kill(i int) {
	c.processes[i].Process.Kill()
	c.processes[i].Wait()
}

func (c *cluster) urls() string {
	var all []string
	for _, n := range c.nodes {
		all = append(all, fmt.Sprint("nats://127.0.0.1:", n.Port))
	}
	return strings.Join(all, ",")
}

// connect waits until the cluster has elected its leaders, and returns a connection to it.
func (c *cluster) connect(t *testing.T) *broker.Conn {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		conn, err := broker.Connect(t.Context(), broker.Options{URL: c.urls()})
		if err == nil && conn.Replicas() == 3 {
			t.Cleanup(conn.Close)
			return conn
		}
		if err == nil {
			conn.Close()
		}
		if time.Now().After(end) {
			t.Fatalf("the cluster is not ready: %v", err)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// A campaign ends by itself although a worker is killed every second, the coordinator is killed twice, and the leader
// of the queue is killed once. In the end, the file of results has one row for each unit. The last units wait until all
// these processes have been killed, so that the campaign does not end too early on a fast machine.
func TestNothingIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a cluster and kills processes")
	}
	units := 150
	if *campaigns {
		units = 1000
	}
	servers := startCluster(t)
	conn := servers.connect(t)
	if _, err := campaign.OpenStore(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	results, gate := filepath.Join(t.TempDir(), "rows"), filepath.Join(t.TempDir(), "gate")
	rows := func() int {
		data, _ := os.ReadFile(results)
		return bytes.Count(data, []byte("\n"))
	}
	ended := make(chan error, 1)
	startCoordinator := func() *exec.Cmd {
		c := startSelf(t, coordinatorURL+"="+servers.urls(), resultsFile+"="+results, gateFile+"="+gate,
			fmt.Sprint(unitCount, "=", units))
		go func() { ended <- c.Wait() }()
		return c
	}
	startWorkers := func() *exec.Cmd { return startSelf(t, workerURL+"="+servers.urls()) }
	coordinator, workers := startCoordinator(), []*exec.Cmd{startWorkers(), startWorkers()}
	chance, killWorker := rand.New(rand.NewPCG(1, 2)), time.Tick(time.Second)
	kills, coordinatorKills, killedLeader := 0, 0, false
	for deadline := time.After(4 * time.Minute); ; {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("the coordinator: %v", err)
			}
			t.Logf("%d workers were killed", kills)
			checkRows(t, results, units)
			return
		case <-deadline:
			t.Fatalf("%d rows of %d units after 4 minutes", rows(), units)
		case <-killWorker:
			i := chance.IntN(len(workers))
			workers[i].Process.Kill()
			workers[i].Wait()
			kills++
			workers[i] = startWorkers()
		case <-time.After(50 * time.Millisecond):
		}
		switch n := rows(); {
		case coordinatorKills < 2 && n > units/5*(1+coordinatorKills):
			coordinator.Process.Kill()
			<-ended
			coordinatorKills++
			coordinator = startCoordinator()
		case coordinatorKills == 2 && !killedLeader && n > units/2:
			killedLeader = true
			leader := leaderOf(t, conn)
			servers.kill(leader)
			time.Sleep(2 * time.Second)
			servers.start(t, leader)
		case killedLeader && kills >= 2:
			if err := os.WriteFile(gate, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkRows fails the test unless the file has one row for each unit, and each is a result.
func checkRows(t *testing.T, file string, units int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if seen[line] || strings.Contains(line, " ") {
			t.Errorf("row twice, or a dead letter: %s", line)
		}
		seen[line] = true
	}
	if len(seen) != units {
		t.Errorf("%d rows of %d units", len(seen), units)
	}
}

// leaderOf returns the index of the server that leads the queue of units.
func leaderOf(t *testing.T, conn *broker.Conn) int {
	t.Helper()
	var leader string
	err := broker.Retry(t.Context(), func(ctx context.Context) error {
		stream, err := conn.JetStream.Stream(ctx, "sonde_work")
		if err == nil {
			leader = stream.CachedInfo().Cluster.Leader
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	fmt.Sscanf(leader, "n%d", &n)
	return n
}
