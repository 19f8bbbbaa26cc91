package cli

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sonde/runner/probe"

	"github.com/google/go-cmp/cmp"
)

// At the best test of the demo, the probes reach the same blocks of statements as go
// build -cover counts, all of them.
func TestDemoAsCover(t *testing.T) {
	b := demoBuilding()
	r, err := b.build(t.Context(), t.TempDir(), false, false)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := probe.NewMemory(r.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	probed := b.started(r.Binary)
	name, value, _ := strings.Cut(memory.Env(), "=")
	probed.Env = map[string]string{name: value}
	if err := playBest(probed); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(countedAtBest(t, b), reachedBlocks(r.Manifest, probe.NewReader(r.Manifest, memory))); diff != "" {
		t.Errorf("other blocks than go build -cover:\n%s", diff)
	}
}

// countedAtBest are the blocks of the demo as go build -cover counts them.
func countedAtBest(t *testing.T, b *building) map[string]probe.Block {
	t.Helper()
	plain, err := b.plain(t.Context(), t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	plain.Env = map[string]string{probe.CoverDir: data}
	if err := playBest(plain); err != nil {
		t.Fatal(err)
	}
	counted, err := probe.Counted(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	return byPlace(counted)
}

func reachedBlocks(m *probe.Manifest, r *probe.Reader) map[string]probe.Block {
	var all []probe.Block
	for i, t := range m.Targets {
		if t.Kind == probe.Statement {
			place := fmt.Sprintf("%s:%d.%d,%d.%d", m.Files[t.File].Name, t.Line, t.Col, t.EndLine, t.EndCol)
			b := probe.Block{Place: place, Statements: t.Statements, Reached: r.Covered(i)}
			if b.Reached {
				b.Times = 1
			}
			all = append(all, b)
		}
	}
	return byPlace(all)
}

// column is that of a block's beginning: to Go, else if begins a byte earlier.
var column = regexp.MustCompile(`\.\d+,`)

// byPlace are the blocks that have statements.
func byPlace(blocks []probe.Block) map[string]probe.Block {
	all := map[string]probe.Block{}
	for _, b := range blocks {
		b.Place = column.ReplaceAllString(b.Place, ",")
		if b.Statements > 0 {
			all[b.Place] = b
		}
	}
	return all
}
