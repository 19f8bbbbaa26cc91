package mutate

import (
	"cmp"
	"context"
	"net"
	"os"
	"os/exec"
	"testing"

	"sonde/runner/network/netns"
)

// dialWord makes this program dial an address in place of running tests.
const dialWord = "dial"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == netns.KeeperCommand {
		os.Exit(netns.RunKeeper(os.Args[2:]))
	}
	if len(os.Args) == 3 && os.Args[1] == dialWord {
		if _, err := net.Dial("tcp", os.Args[2]); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -ldflags=-w") // without data for debuggers, which makes linking faster
	os.Setenv("GOGC", cmp.Or(os.Getenv("GOGC"), "400"))       // the tools of Go take less time with more memory
	os.Exit(m.Run())
}

// namespace skips a test if the kernel allows no network namespaces.
func namespace(t *testing.T) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "/proc/self/exe", dialWord, "127.0.0.1:1")
	over, err := startIsolated(c)
	if err != nil {
		t.Skip(err)
	}
	defer over()
	_ = c.Wait() // fails, because no program listens there
}

// TestAlone checks that a command in a namespace reaches no listener outside of it, and ends when
// it is stopped.
func TestAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a network namespace")
	}
	namespace(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, alone := range []bool{false, true} {
		c := exec.CommandContext(t.Context(), "/proc/self/exe", dialWord, l.Addr().String())
		over, err := trial{isolated: alone}.start(c)
		if err != nil {
			t.Fatal(err)
		}
		if reached := c.Wait() == nil; reached == alone {
			t.Errorf("alone %v: reached %v", alone, reached)
		}
		over()
	}
	ctx, stop := context.WithCancel(t.Context())
	c := exec.CommandContext(ctx, "sleep", "600")
	over, err := startIsolated(c)
	if err != nil {
		t.Fatal(err)
	}
	defer over()
	stop()
	if c.Wait() == nil {
		t.Error("the command was stopped and succeeded")
	}
}
