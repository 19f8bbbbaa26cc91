package cli

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"sonde/runner/instrument/probe"
	"sonde/runner/instrument/probedata"
	"sonde/ui/app/service"

	"github.com/google/go-cmp/cmp"
)

// After the best test of the demo, the probes report exactly the blocks that go build -cover counts.
func TestDemoAsCover(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes whole searches: left out by -short")
	}
	b := service.DemoBuilder()
	r, err := b.Build(t.Context(), t.TempDir(), false, false)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := probedata.NewMemory(r.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	probed := b.StartBinary(r.Binary)
	name, value, _ := strings.Cut(memory.EnvVariable(), "=")
	probed.Env = map[string]string{name: value}
	if err := playBest(probed); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(blocksOfBestTest(t, b), reachedBlocks(r.Manifest, probedata.NewReader(r.Manifest, memory))); diff != "" {
		t.Errorf("other blocks than go build -cover:\n%s", diff)
	}
}

// blocksOfBestTest plays the best test of the demo, and returns the blocks that go build -cover
// counts.
func blocksOfBestTest(t *testing.T, b *service.Builder) map[string]probe.CoverBlock {
	t.Helper()
	plain, err := b.BuildPlain(t.Context(), t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	plain.Env = map[string]string{probe.CoverDirVariable: data}
	if err := playBest(plain); err != nil {
		t.Fatal(err)
	}
	counted, err := probe.ReadCover(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	return byPlace(counted)
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

// column matches the column in which a block begins. It is ignored, because for an else if, Go counts
// from one byte earlier.
var column = regexp.MustCompile(`\.\d+,`)

// byPlace returns the blocks that have statements, by their places without the first column.
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
