//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sonde/runner/campaign/broker"
)

// startCluster starts three NATS servers as processes, and returns their URLs.
func startCluster(t testing.TB) (urls string) {
	t.Helper()
	program(t)
	const nodes = 3
	var ports, peers []int
	var routes, all []string
	for range nodes {
		ports, peers = append(ports, freePort(t)), append(peers, freePort(t))
	}
	for i := range nodes {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", peers[i]))
		all = append(all, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
	}
	for i := range nodes {
		folder := t.TempDir()
		file := filepath.Join(folder, "server.conf")
		write(t, file, fmt.Sprintf(`server_name: n%d
listen: "127.0.0.1:%d"
jetstream { store_dir: %q }
authorization { token: secret }
cluster { name: test, listen: "127.0.0.1:%d", routes: [%s] }
`, i, ports[i], filepath.Join(folder, "data"), peers[i], strings.Join(routes, ", ")))
		c := exec.Command(serverCommand, file)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			c.Process.Kill()
			c.Wait()
		})
	}
	urls = strings.Join(all, ",")
	// On a busy machine the election may take longer than other conditions.
	for end := time.Now().Add(3 * patience); ; time.Sleep(100 * time.Millisecond) { // until the cluster has elected its leaders
		conn, err := broker.Connect(t.Context(), broker.Options{URL: urls, Token: "secret"})
		if err == nil {
			replicas := conn.Replicas()
			if conn.Close(); replicas == 3 {
				return urls
			}
		}
		if time.Now().After(end) {
			t.Fatalf("the cluster is not ready: %v", err)
		}
	}
}

// freePort returns a free port. It is below the ports that the system assigns to connections and those that Sonde gives
// to services, so that no other test takes the port before the test uses it.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 12000 + rand.IntN(8000)
		if l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// job is a command whose work can be distributed. tables are the names of the files in which the command writes its
// tables.
type job struct {
	name   string
	args   func(folder string) []string
	tables []string
}

// newJobs returns a survey and a study.
func newJobs(t *testing.T, dir string) []job {
	t.Helper()
	copies, budget, seeds := 5, 150, 20
	if fullForm() {
		copies, budget, seeds = 400, 1500, 60
	}
	specs := filepath.Join(dir, "specs")
	if err := os.Mkdir(specs, 0o700); err != nil {
		t.Fatal(err)
	}
	originals, err := filepath.Glob("../../model/openapi/testdata/*.yaml")
	if err != nil || len(originals) == 0 {
		t.Fatalf("no specs: %v", err)
	}
	for _, path := range originals {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range copies {
			write(t, filepath.Join(specs, fmt.Sprint(i, "-", filepath.Base(path))), string(data))
		}
	}
	write(t, filepath.Join(dir, "study.yaml"), fmt.Sprintf(
		"services: [{name: demo, demo: true}]\nsmart: [0, 0.6]\nbudgets: [%d]\nseeds: %d\n", budget, seeds,
	))
	return []job{{
		name: "survey",
		args: func(folder string) []string {
			return []string{"survey", specs, "-o", filepath.Join(folder, "survey.csv")}
		},
		tables: []string{"survey.csv"},
	}, {
		name:   "study",
		args:   func(folder string) []string { return []string{"study", "study.yaml", "-o", folder} },
		tables: []string{"tables.txt", "tables.csv", "report.html"},
	}}
}

// run starts a job as a coordinator that joins the servers at urls. If urls is "", it runs the whole job in one
// process instead, and returns nil.
func (j job) run(t *testing.T, dir, folder, urls string) *member {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	if urls != "" {
		return join(t, "", dir, urls, j.args(folder)...)
	}
	c := natsCommand(t, dir, j.args(folder)...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return nil
}

// compare checks that the tables in two folders are the same.
func (j job) compare(t *testing.T, dir, got, want string) {
	t.Helper()
	for _, name := range j.tables {
		g, err := os.ReadFile(filepath.Join(dir, got, name))
		if err != nil {
			t.Error(err)
		}
		w, err := os.ReadFile(filepath.Join(dir, want, name))
		if err != nil || len(w) == 0 {
			t.Errorf("%d bytes, %v", len(w), err)
		}
		if !bytes.Equal(g, w) {
			t.Errorf("%s: %s has %d bytes and differs from %s with %d", j.name, filepath.Join(got, name), len(g), want, len(w))
		}
	}
}

// The tables are the same in three cases: with one process, with four workers, and with four workers of which two are
// killed and one is paused. At the end the paused worker continues, which changes no results.
func TestSameAnswers(t *testing.T) {
	t.Parallel()
	urls := startCluster(t)
	dir := t.TempDir()
	pause := 12 * time.Second // longer than the servers wait for a silent worker before they assign its units to other workers
	if fullForm() {
		pause = time.Minute
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	for _, j := range newJobs(t, dir) {
		began := time.Now()
		j.run(t, dir, j.name+"-1", "")
		alone := time.Since(began)

		workers := joinWorkers(t, 4, dir, urls)
		began = time.Now()
		c := j.run(t, dir, j.name+"-4", urls)
		c.wait(t)
		four := time.Since(began)
		j.compare(t, dir, j.name+"-4", j.name+"-1")

		began = time.Now()
		c = j.run(t, dir, j.name+"-failing", urls)
		var failures sync.WaitGroup
		ended := make(chan struct{})
		for i, w := range workers[:3] {
			after := time.Duration(chance.Int64N(int64(four)))
			failures.Go(func() {
				time.Sleep(after)
				if i > 0 {
					w.Process.Kill()
					return
				}
				w.Process.Signal(syscall.SIGSTOP)
				select {
				case <-time.After(pause):
				case <-ended:
				}
				w.Process.Signal(syscall.SIGCONT)
			})
		}
		c.wait(t)
		failing := time.Since(began)
		close(ended)
		j.compare(t, dir, j.name+"-failing", j.name+"-1")
		failures.Wait()
		workers[0].drain(t)
		workers[3].drain(t)
		t.Logf("%s: %v alone, %v by four workers, %v with failures", j.name, alone, four, failing)
	}
}

// buildChanged builds Sonde with changed source files. A key of changes is the path of a file in this repository or in
// Go's standard library. The value returns the new text of this file.
func buildChanged(t *testing.T, changes map[string]func(text string) string) (binary string) {
	t.Helper()
	wholeProgram(t)
	dir := t.TempDir()
	replaced := map[string]string{}
	for file, change := range changes {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := change(string(data))
		if text == string(data) {
			t.Fatalf("%s: the change finds nothing", file)
		}
		file, err = filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		replaced[file] = filepath.Join(dir, fmt.Sprint(len(replaced), ".go"))
		write(t, replaced[file], text)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(overlay))
	binary = filepath.Join(dir, "sonde")
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, "sonde")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return binary
}

// A worker with another version of Sonde does no units. The worker and the coordinator both report this, and a worker
// with the right version does the work.
func TestVersionsDiffer(t *testing.T) {
	if !fullForm() { // package campaign has the same test in one process
		t.Skip("builds Sonde: only with -campaigns")
	}
	t.Parallel()
	other := buildChanged(t, map[string]func(string) string{"../app/version/version.go": func(text string) string {
		return strings.Replace(text, `const Release = "`, `const Release = "0.0.1-`, 1)
	}})
	urls := startCluster(t)
	dir := t.TempDir()
	j := newJobs(t, dir)[1]
	j.run(t, dir, "alone", "")
	early := join(t, other, dir, urls, "worker", "--jobs", "1")
	early.errs.await(t, "joined")
	c := join(t, "", dir, urls, append(j.args("distributed"), "--campaign", "mine")...)
	c.errs.await(t, "0 workers, 1 worker with another version of Sonde")
	late := join(t, other, dir, urls, "worker", "--jobs", "1")
	late.errs.await(t, "it does not work on campaign mine (sonde ")
	c.errs.await(t, "0 workers, 2 workers with another version of Sonde")
	if n := countLines(filepath.Join(dir, "distributed", "results.ndjson")); n > 1 {
		t.Errorf("%d lines in the log before a worker could do anything", n)
	}
	early.errs.await(t, "it does not work on campaign mine (sonde ") // it looks for other versions twice a minute
	right := joinWorkers(t, 1, dir, urls)
	c.wait(t)
	j.compare(t, dir, "distributed", "alone")
	for _, w := range append(right, early, late) {
		w.drain(t)
	}
	for _, w := range []*member{early, late} {
		if n := strings.Count(w.errs.String(), "it does not work on campaign mine"); n != 1 {
			t.Errorf("the worker says so %d times: %s", n, w.errs)
		}
	}
}

// skewed changes the source of Go's package time so that the clock is wrong. The environment variable SONDE_TEST_SKEW
// has the number of seconds.
func skewed(text string) string {
	text = strings.Replace(text, "_ \"unsafe\"", "\"syscall\"\n\t_ \"unsafe\"", 1)
	const now = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	text = strings.Replace(text, now, now+"\tsec += skew\n", 1)
	return text + `
var skew = func() (n int64) {
	text, _ := syscall.Getenv("SONDE_TEST_SKEW")
	sign := int64(1)
	for _, c := range []byte(text) {
		if c == '-' {
			sign = -1
		} else {
			n = 10*n + int64(c-'0')
		}
	}
	return sign * n
}()
`
}

// If the clocks of workers and coordinators are wrong by an hour, the results are the same as without workers.
func TestClocksDiffer(t *testing.T) {
	if !fullForm() {
		t.Skip("builds Go's standard library and Sonde: only with -campaigns")
	}
	binary := buildChanged(t, map[string]func(string) string{filepath.Join(goEnv("GOROOT"), "src", "time", "time.go"): skewed})
	urls := startCluster(t)
	dir := t.TempDir()
	j := newJobs(t, dir)[1]
	j.run(t, dir, "alone", "")
	hour := func(skew, folder string) *member {
		t.Setenv("SONDE_TEST_SKEW", skew)
		if folder == "" {
			w := join(t, binary, dir, urls, "worker", "--jobs", "1")
			w.errs.await(t, "joined")
			return w
		}
		return join(t, binary, dir, urls, j.args(folder)...)
	}
	workers := []*member{hour("3600", ""), hour("-3600", ""), hour("0", "")}
	for _, skew := range []string{"0", "3600", "-3600"} {
		c := hour(skew, "by"+skew)
		time.Sleep(2 * time.Second)
		if skew == "0" { // other workers do the unit of the killed one
			workers[0].Process.Kill()
			workers[0].Wait()
			workers[0] = hour("3600", "")
		}
		c.wait(t)
		j.compare(t, dir, "by"+skew, "alone")
	}
	for _, w := range workers {
		w.drain(t)
	}
}
