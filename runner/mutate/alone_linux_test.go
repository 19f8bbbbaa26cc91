package mutate

import (
	"context"
	"net"
	"os"
	"os/exec"
	"testing"

	"sonde/runner/netns"
)

// dialWord has this program call somebody, instead of testing.
const dialWord = "dial"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == netns.Word {
		os.Exit(netns.Keep(os.Args[2:]))
	}
	if len(os.Args) == 3 && os.Args[1] == dialWord {
		if _, err := net.Dial("tcp", os.Args[2]); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// namespace skips a test where the kernel gives none.
func namespace(t *testing.T) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "/proc/self/exe", dialWord, "127.0.0.1:1")
	over, err := startAlone(c)
	if err != nil {
		t.Skip(err)
	}
	defer over()
	_ = c.Wait() // nobody listens there
}

// TestAlone: tests that are alone do not reach who listens outside, and end as they are
// asked to.
func TestAlone(t *testing.T) {
	namespace(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, alone := range []bool{false, true} {
		c := exec.CommandContext(t.Context(), "/proc/self/exe", dialWord, l.Addr().String())
		over, err := trial{alone: alone}.start(c)
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
	over, err := startAlone(c)
	if err != nil {
		t.Fatal(err)
	}
	defer over()
	stop()
	if c.Wait() == nil {
		t.Error("it was asked to end, and did not")
	}
}
