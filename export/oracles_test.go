//go:build !windows

package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/testdata/port"
)

// builtTill builds the tests of a suite, with the service in the same folder. The service uses a virtual
// network only if the suite has one.
func builtTill(t *testing.T, s Suite) string {
	t.Helper()
	dir := built(t, s)
	if err := os.Symlink(dependent(t, "till"), filepath.Join(dir, "till")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// failing runs the tests against a service that has a fault; wrong is the name of the fault. It returns the names of
// the failed tests, the output, and the notes that the tests wrote.
func failing(t *testing.T, dir, wrong string, env ...string) (names, output string, noted []map[string]any) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "differences")
	output, _ = runBuilt(t, dir, append(env, "WRONG="+wrong, "SONDE_DIFFERENCES="+path))
	var all []string
	for _, line := range strings.Split(output, "\n") {
		if name, ok := strings.CutPrefix(line, "--- FAIL: Test"); ok {
			all = append(all, strings.Fields(name)[0])
		}
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v:\n%s", err, output)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var line map[string]any
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line["begin"] == nil {
			noted = append(noted, line)
		}
	}
	return strings.Join(all, " "), output, noted
}

// wantFailing runs the tests against a service that has the fault with the name wrong. Exactly the given tests must
// fail, and their output and notes must describe the fault.
func wantFailing(t *testing.T, dir, wrong, fails, says string, env ...string) {
	t.Helper()
	got, output, noted := failing(t, dir, wrong, env...)
	if got != fails || !strings.Contains(output, says) || len(noted) == 0 {
		t.Errorf("%s failed, want %s and %q, noted %v in\n%s", got, fails, says, noted, output)
	}
}

// Each oracle fails only for its own kind of fault, and its message describes the fault. An environment
// variable replaces the binary of the service.
func TestOraclesOfExportedTests(t *testing.T) {
	dir := builtTill(t, till())
	if err := os.WriteFile(filepath.Join(dir, "mutant"), []byte("#!/bin/sh\nWRONG=answer exec ./till \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Parallel()
	output, err := runBuilt(t, dir, nil, "-test.count=3", "-test.shuffle=on")
	wantPasses(t, 3*5, output, err)
	for wrong, tt := range map[string]struct{ fails, says string }{
		"answer":    {"CreatePayment_201_OO", "POST /orders/o"},
		"parameter": {"CreatePayment_201_PO", "POST /charges/{id} at payments.example:80: body /amount: want 25, got 30"},
		"double":    {"CreatePayment_201_CO", "at payments.example:80, got POST /charges/o"},
		"drop": {
			"CreatePayment_201_PO CreatePayment_201_CO",
			"tcp at stock.example:7000: not called: the calls were POST /charges/o",
		},
		"swap":    {"CreatePayment_201_CO", "✗ 1. want tcp at stock.example:7000, got POST /charges/o"},
		"quiet":   {"CreatePayment_201_PO CreatePayment_201_CO", "GET /rates/eur at payments.example:80: not called"},
		"silent":  {"CreatePayment_201_PO CreatePayment_201_CO", "udp at metrics.example:8125: not called"},
		"loud":    {"CreatePayment_201_CO", "want nothing, got udp at metrics.example:8125"},
		"trailer": {"GetAbout_200_OO", `trailer X-Lines: want "1"`},
		"about":   {"GetAbout_200_CO", "want nothing, got POST /charges/0 at payments.example:80"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel() // waits for calls that do not come
			wantFailing(t, dir, wrong, tt.fails, tt.says)
		})
	}
	t.Run("another binary", func(t *testing.T) {
		if fails, output, _ := failing(t, dir, "", "SONDE_BINARY=./mutant"); fails != "CreatePayment_201_OO" {
			t.Errorf("%s failed:\n%s", fails, output)
		}
	})
}

// tillWithNetwork returns a suite with all oracles in each test, whose hosts are in a virtual network.
func tillWithNetwork() Suite {
	s := till()
	s.CombineOracles, s.Local, s.Net, s.Build = true, false, &model.VirtualNetwork{}, []string{"sonde", "build", "--net", "./cmd/till"}
	s.Service = &model.Service{Command: []string{model.BinaryPlaceholder, "--addr", "127.0.0.1:{port}"}}
	return s
}

// In a test with all oracles, a request that no stub matches gets no answer, and the test reports how it
// differs from the nearest stub. The hosts are in a virtual network.
func TestOraclesTogether(t *testing.T) {
	LeaveOutIfShort(t)
	dir := built(t, tillWithNetwork())
	binary := dependent(t, "till")
	t.Parallel()
	env := "SONDE_BINARY=" + binary
	output, err := runBuilt(t, dir, []string{env}, "-test.count=3")
	wantPasses(t, 3*2, output, err)
	for wrong, tt := range map[string]struct{ fails, says string }{
		"parameter": {"CreatePayment_201", ", where the nearest stub differs: body /amount: want 25, got 30"},
		"double":    {"CreatePayment_201", "at payments.example:80, once more than it was recorded"},
		"drop":      {"CreatePayment_201", "tcp at stock.example:7000: not called"},
		"loud":      {"CreatePayment_201", "want nothing, got udp at metrics.example:8125"},
		"stranger":  {"GetAbout_200", "want nothing, got an attempt to reach elsewhere.example:80"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel() // waits for calls that do not come
			wantFailing(t, dir, wrong, tt.fails, tt.says, env)
		})
	}
}

// Servers of the tests can use the addresses that a running service already calls.
func TestHostsOfServiceThatRuns(t *testing.T) {
	t.Parallel()
	s := till()
	text, _ := json.Marshal(s.Tests)
	for _, host := range []string{"payments.example:80", "stock.example:7000", "metrics.example:8125"} {
		text = bytes.ReplaceAll(text, []byte(host), []byte(port.Addr()))
	}
	s.Tests = nil
	if err := json.Unmarshal(text, &s.Tests); err != nil {
		t.Fatal(err)
	}
	stubs := s.Tests[0].Stubs
	s.Service, s.BaseURL = nil, "http://"+port.Addr()
	dir := builtTill(t, s)
	cmd := exec.Command(
		filepath.Join(dir, "till"), "--addr", s.BaseURL[len("http://"):], "--payments=http://"+stubs[3].Host,
		"--stock", stubs[0].Host, "--metrics", stubs[1].Host,
	)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	await(t, s.BaseURL[len("http://"):])
	for _, env := range []string{"", s.BaseURL} {
		output, err := runBuilt(t, dir, []string{"SONDE_BASE_URL=" + env})
		wantPasses(t, 5, output, err)
	}
	l, err := net.Listen("tcp", stubs[0].Host)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	output, err := runBuilt(t, dir, nil)
	if want := "no server can play " + stubs[0].Host + ": listen tcp " + stubs[0].Host; err == nil ||
		!strings.Contains(output, want) || !strings.Contains(output, "stop the program that listens there, so that the tests can") {
		t.Errorf("%v, want %s in\n%s", err, want, output)
	}
}

// await waits until an address accepts connections.
func await(t *testing.T, addr string) {
	t.Helper()
	for range 500 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("nothing listens at %s", addr)
}
