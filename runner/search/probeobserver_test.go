package search

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"
)

// A shared file that another process cuts short does not crash the run.
func TestProbesFileCutShort(t *testing.T) {
	skipWithoutSharedMemory(t)
	p, err := newProbeObserver(twoFiles())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	ctx := context.Background()
	if err := p.begin(ctx); err != nil {
		t.Fatal(err)
	}
	_, path, _ := strings.Cut(p.memory.EnvVariable(), probedata.MemoryVariable+"=")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	_, now := p.reached(ctx)
	_, rested := p.settled(ctx)
	for name, err := range map[string]error{"begin": p.begin(ctx), "now": now, "rested": rested} {
		if !errors.Is(err, errFileCut) {
			t.Errorf("%s: error %v, want %v", name, err, errFileCut)
		}
	}
	p.setWanted(0, "", false)
	p.ignoreActivity()
	if p.attached() || len(p.compared()) > 0 {
		t.Error("something is read of a file that is empty")
	}
}
