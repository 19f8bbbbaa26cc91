package mutate

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// testsThatHang is a program in place of tests: it starts a service in a session of its own, and ignores SIGTERM.
const testsThatHang = `#!/bin/sh
trap '' TERM
setsid sh -c 'sleep 600 & sleep 600' >/dev/null 2>&1 &
echo "=== RUN   TestHang"
sleep 600 >/dev/null 2>&1
`

// TestKillLeftovers runs tests that hang and are killed, and checks that the service that they started is killed,
// too.
func TestKillLeftovers(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits until tests are killed: left out by -short")
	}
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("there is no setsid")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "tests")
	if err := os.WriteFile(program, []byte(testsThatHang), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Parallel()                              // the test waits for real time
	variable := "SONDE_TEST_LEFTOVERS=" + dir // the processes of this test inherit it
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	o, err := trial{
		suite: &Suite{Dir: dir, binary: program}, binary: program, env: []string{variable}, timeout: time.Hour,
	}.run(ctx)
	if err != nil || !o.timedOut {
		t.Errorf("the tests were not stopped: %v", err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for left := processesWith(variable); len(left) > 0; left = processesWith(variable) {
		if time.Now().After(deadline) {
			t.Fatalf("processes %v are left", left)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
