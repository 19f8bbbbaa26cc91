package distributed_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sonde/runner/campaign"
	"sonde/runner/campaign/broker"
	"sonde/ui/app/distributed"
)

// TestMain runs the tests, unless a test has started this binary as a worker or to do one unit for a worker.
func TestMain(m *testing.M) {
	if url := os.Getenv(workerServers); url != "" && len(os.Args) == 1 {
		if err := beWorker(url); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) == 2 && os.Args[1] == distributed.UnitCommand {
		if err := distributed.ServeUnit(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestParseLabels(t *testing.T) {
	got, err := distributed.ParseLabels([]string{"cpu=arm64", "rack=a=1", "empty="})
	if err != nil || len(got) != 3 || got["cpu"] != "arm64" || got["rack"] != "a=1" {
		t.Errorf("got %v, %v", got, err)
	}
	for _, bad := range []string{"cpu", "=arm64"} {
		if _, err := distributed.ParseLabels([]string{bad}); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestServersInThisProcess(t *testing.T) {
	for url, want := range map[string]bool{"embedded": true, "embedded:4222": true, "nats://embedded": false, "": false} {
		if got := (distributed.Servers{URL: url}).IsEmbedded(); got != want {
			t.Errorf("%q: %t", url, got)
		}
	}
	for _, bad := range []string{"embedded:x", "embedded:70000", "embedded:a:b:c"} {
		_, err := distributed.OpenFor(t.Context(), distributed.Servers{URL: bad}, "c")
		if err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// The process that coordinates a campaign can also do its units. The embedded server keeps the data of the campaign
// until Remove is called.
func TestCampaignInOneProcess(t *testing.T) {
	if !broker.Embeds() {
		t.Skip("this binary has no NATS server")
	}
	home := t.TempDir()
	t.Setenv("XDG_STATE_HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv(distributed.TokenVariable, "secret")
	ctx := t.Context()
	s, err := distributed.OpenFor(ctx, distributed.Servers{URL: "embedded"}, "one")
	if err != nil {
		t.Fatal(err)
	}
	if want := "SONDE_NATS_TOKEN=secret sonde worker --nats nats://127.0.0.1:"; !strings.HasPrefix(s.Join(), want) {
		t.Errorf("workers join with %q", s.Join())
	}
	c, err := s.Coordinate(ctx, campaign.Description{ID: "one", Kind: "unknown", Units: 1})
	if err != nil || c.Resumed {
		t.Fatalf("resumed %t, %v", c.Resumed, err)
	}
	reason := ""
	err = c.Run(ctx, campaign.Work{
		Payload: func(int) (any, error) { return 1, nil },
		Handle:  func(int, json.RawMessage) error { return nil },
		Fail: func(_ int, why string) error {
			reason = why
			return nil
		},
	}, 2)
	if err != nil || !strings.Contains(reason, `units of the kind "unknown"`) {
		t.Errorf("the unit failed with %q, %v", reason, err)
	}
	if err := c.End(ctx); err != nil {
		t.Error(err)
	}
	folder := filepath.Join(home, "sonde", "campaigns", "one")
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("the data of the server is still there")
	}
}

// A worker ends when it is asked to.
func TestWorkEnds(t *testing.T) {
	if !broker.Embeds() {
		t.Skip("this binary has no NATS server")
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s, err := distributed.OpenFor(t.Context(), distributed.Servers{URL: "embedded"}, "idle")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Remove()
	drain, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := s.Work(t.Context(), drain, distributed.WorkerOptions{Jobs: 2}); err != nil {
		t.Error(err)
	}
}
