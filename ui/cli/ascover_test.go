package cli

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sonde/runner/instrument/probe"
	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// checkAsCover plays the best test on the demo and checks that its probes report exactly the blocks that go
// build -cover counts.
func checkAsCover(t *testing.T, demo probed) {
	manifest, err := probedata.ReadManifest(demo.plan.Probes.Binary)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := probedata.NewMemory(manifest)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	start := *demo.plan.Service
	name, value, _ := strings.Cut(memory.EnvVariable(), "=")
	start.Env = map[string]string{name: value}
	if err := playBest(&start); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(byPlace(demo.best), reachedBlocks(manifest, probedata.NewReader(manifest, memory))); diff != "" {
		t.Errorf("other blocks than go build -cover:\n%s", diff)
	}
}

func reachedBlocks(m *probedata.Manifest, r *probedata.Reader) map[string]probe.CoverBlock {
	var all []probe.CoverBlock
	for i, t := range m.Targets {
		if t.Kind == probedata.Statement {
			place := fmt.Sprintf("%s:%d.%d,%d.%d", m.Files[t.File].Name, t.Line, t.Col, t.EndLine, t.EndCol)
			b := probe.CoverBlock{Place: place, Statements: t.Statements, Reached: r.IsCovered(i)}
			if b.Reached {
				b.Times = 1
			}
			all = append(all, b)
		}
	}
	return byPlace(all)
}

// column matches the column in which a block begins. Comparisons leave this column out, because for an else if, Go
// counts from one byte earlier.
var column = regexp.MustCompile(`\.\d+,`)

// byPlace returns the blocks that have statements, by their positions. It leaves the first column out of the
// positions; see column.
func byPlace(blocks []probe.CoverBlock) map[string]probe.CoverBlock {
	all := map[string]probe.CoverBlock{}
	for _, b := range blocks {
		b.Place = column.ReplaceAllString(b.Place, ",")
		if b.Statements > 0 {
			all[b.Place] = b
		}
	}
	return all
}
