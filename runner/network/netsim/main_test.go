//go:build unix

package netsim_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"

	"sonde/runner/instrument/probe"
	"sonde/runner/network/netns"
)

// built is the folder of the programs that the tests build.
var built string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == netns.KeeperCommand { // the test's own program is the keeper, too
		os.Exit(netns.RunKeeper(os.Args[2:]))
	}
	dir, err := os.MkdirTemp("", "sonde-netsim-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built = dir
	// Linking without DWARF takes half the time.
	os.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -ldflags=-w")
	// The tests and the tools of Go take less time with more memory. Benchmarks collect garbage as Sonde does.
	flag.Parse()
	if os.Getenv("GOGC") == "" && flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
		os.Setenv("GOGC", "400")
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

var (
	// plainClient is testdata/client, built without a network.
	plainClient = sync.OnceValues(func() (string, error) {
		binary := filepath.Join(built, "plainclient")
		build := exec.Command("go", "build", "-o", binary, ".")
		build.Dir = "testdata/client"
		if out, err := build.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
		return binary, nil
	})
	// client and outward are programs of testdata, built with a network.
	client  = sync.OnceValues(func() (string, error) { return withNetwork("client") })
	outward = sync.OnceValues(func() (string, error) { return withNetwork("outward") })
)

func withNetwork(name string) (string, error) {
	result, err := probe.Build(context.Background(), probe.Options{
		Dir:     filepath.Join("testdata", name),
		Package: ".",
		Out:     filepath.Join(built, name),
		Net:     true,
	})
	if err != nil {
		return "", err
	}
	return result.Binary, nil
}

// skipShort skips a test in short test runs, because the test builds or starts a service.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds or starts a service")
	}
}

// binary calls build, which builds a program and returns its path.
func binary(t *testing.T, build func() (string, error)) string {
	t.Helper()
	skipShort(t)
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
