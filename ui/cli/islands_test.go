package cli_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/assets/demo"
)

// countedService is the first argument that makes this test binary serve the demo. For each request the demo appends
// a byte to a file, and answers after a delay. The other arguments are the file, the port and the delay.
const countedService = "counted-service"

// serveCounted serves the counted service at a port.
func serveCounted(file, port, delay string) error {
	wait, err := time.ParseDuration(delay)
	if err != nil {
		return err
	}
	count, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return err
	}
	shop := demo.NewShop(demo.Config{})
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Write([]byte{'.'})
		time.Sleep(wait)
		for isHeld(file) {
			time.Sleep(time.Millisecond)
		}
		shop.ServeHTTP(w, r)
	}))
}

// isHeld reports whether the counted services that write to a file must not answer now. A test makes them wait by
// creating the file NAME.hold, where NAME is the file to which they write.
func isHeld(count string) bool {
	_, err := os.Stat(count + ".hold")
	return err == nil
}

// writeCounted writes a sonde.yaml that starts the counted service, and a file that allows workers to run its
// command. It returns the path of the file to which the service appends a byte for each request.
func writeCounted(t testing.TB, dir string, delay time.Duration) (count string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	count = filepath.Join(dir, "count")
	run := fmt.Sprintf("[%q, %q, %q, \"{port}\", %q]", self, countedService, count, delay.String())
	text := "spec: demo.yaml\nsut:\n  run: " + run + "\nreset: POST /__reset\nauth:\n"
	for _, u := range demo.Users() {
		text += fmt.Sprintf("  - {name: %s, fixedHeaders: [{name: Authorization, value: \"Bearer %s\"}]}\n", u.Name, u.Token)
	}
	for name, data := range map[string]string{
		"sonde.yaml": text, "demo.yaml": string(demo.Specification()), "commands.yaml": "- run: " + run + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return count
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// All islands together send at most the budget, even if a worker is killed and another worker continues its island.
// The services count the requests.
func TestIslandsKeepToTheBudget(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	count := writeCounted(t, dir, 0)
	const budget = 3000
	c := distribute(t, dir, "search", "--islands", "3", "--calls", fmt.Sprint(budget), "-o", "run", "--json")
	var workers []*member
	for range 3 {
		workers = append(workers, c.startWorker(t, "--allow-command", "commands.yaml"))
	}
	for end := time.Now().Add(patience); fileSize(count) < budget/4; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the islands do not begin")
		}
	}
	// Hold all answers. Even on a fast machine, the islands are then still at work when the test reads their progress
	// and kills a worker.
	if err := os.WriteFile(count+".hold", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.errs.await(t, " of 2,460 calls, ")
	workers[0].Process.Kill()
	workers[0].Wait()
	if err := os.Remove(count + ".hold"); err != nil {
		t.Fatal(err)
	}
	c.startWorker(t, "--allow-command", "commands.yaml")
	if err := c.Wait(); hasFailed(err) {
		t.Fatalf("%v: %s", err, c.out.String())
	}
	var got struct {
		Summary struct{ Calls, Covered, Tests, Operations int }
		Run     string
	}
	if err := json.Unmarshal(c.out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	sent := fileSize(count)
	t.Logf("%d requests at the services, %+v", sent, got.Summary)
	if sent > budget || sent < budget*3/4 || int64(got.Summary.Calls) < sent || got.Summary.Calls > budget {
		t.Errorf("%d requests at the services, %d counted, of %d", sent, got.Summary.Calls, budget)
	}
	if got.Summary.Covered < 60 || got.Summary.Tests < 50 {
		t.Errorf("the run found little: %+v", got.Summary)
	}
}

// Two searches with the same seed and the same number of islands keep the same tests.
func TestIslandsRepeatThemselves(t *testing.T) {
	t.Parallel()
	wholeProgram(t)
	dir := t.TempDir()
	var suites []string
	for _, name := range []string{"one", "other"} {
		c := command(t, dir, program(t), "search", "--demo", "--islands", "3", "--calls", "900", "--topology", "full", "-o", name)
		out, err := c.CombinedOutput()
		if hasFailed(err) {
			t.Fatalf("%v: %s", err, out)
		}
		suite, err := os.ReadFile(filepath.Join(dir, name, "suite.json"))
		if err != nil {
			t.Fatal(err)
		}
		suites = append(suites, string(suite))
	}
	if suites[0] != suites[1] {
		t.Error("the suites differ")
	}
	if n := strings.Count(suites[0], `"rule": "migration"`); n == 0 {
		t.Log("no test that migrated is kept as it was")
	}
	if !strings.Contains(suites[0], `"i3t`) {
		t.Error("no test of the third island is kept")
	}
}
