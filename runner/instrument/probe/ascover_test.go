package probe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"

	"github.com/google/go-cmp/cmp"
)

// share has the number of statements of a file, and the number of those that were reached.
type share struct{ Reached, All int }

// Probes and go build -cover count the same statements of each file, and the same reached statements, including those
// that run during initialisation. A function with //go:nosplit must not call others and has no probes, so the test
// removes that directive.
func TestAsCover(t *testing.T) {
	needsBuild(t)
	source, err := os.ReadFile("testdata/same/corners.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t, strings.Replace(string(source), "//go:nosplit\n", "", 1))
	want := covered(t, dir)
	w := watch(t, built(t, Options{Dir: dir}))
	if out, err := w.command().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := shares{}
	scores := map[string]float64{}
	for _, s := range w.AppendScores(nil) {
		scores[s.Target] = s.H
	}
	for _, target := range w.manifest.Targets {
		if target.Kind == probedata.Statement {
			got.add(w.manifest.Files[target.File].Name, target.Statements, scores[target.ID] == 1)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other statements than go build -cover:\n%s", diff)
	}
}

// shares has the share of each file, by its name.
type shares map[string]share

func (all shares) add(file string, statements int, reached bool) {
	s := all[file]
	s.All += statements
	if reached {
		s.Reached += statements
	}
	all[file] = s
}

// covered builds the program in a folder with go build -cover, and runs it.
func covered(t *testing.T, dir string) shares {
	t.Helper()
	data, binary := t.TempDir(), filepath.Join(t.TempDir(), "covered")
	if err := BuildWithCover(t.Context(), Options{Dir: dir, Package: ".", Out: binary}); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCover(t.Context(), data); err == nil || !strings.Contains(err.Error(), "end by itself") {
		t.Errorf("nothing was left, and the error is %v", err)
	}
	t.Setenv(CoverDirVariable, data)
	run(t, dir, binary)
	blocks, err := ReadCover(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	all := shares{}
	for _, b := range blocks {
		file, _, _ := strings.Cut(b.Place, ":")
		all.add(file, b.Statements, b.Reached)
	}
	return all
}
