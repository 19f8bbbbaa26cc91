package runner

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"sonde/runner/probe"
)

// A file that somebody cuts short while it is shared ends nobody's run.
func TestProbesFileCutShort(t *testing.T) {
	_, m := lazyPlan(t)
	p, err := newProbed(m)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	ctx := context.Background()
	if err := p.begin(ctx); err != nil {
		t.Fatal(err)
	}
	_, path, _ := strings.Cut(p.memory.Env(), probe.Variable+"=")
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	_, now := p.now(ctx)
	_, rested := p.rested(ctx)
	for name, err := range map[string]error{"begin": p.begin(ctx), "now": now, "rested": rested} {
		if !errors.Is(err, errCut) {
			t.Errorf("%s: error %v, want %v", name, err, errCut)
		}
	}
	p.ask(0, "", false)
	p.calm()
	if p.attached() || len(p.compared()) > 0 {
		t.Error("something is read of a file that is empty")
	}
}
