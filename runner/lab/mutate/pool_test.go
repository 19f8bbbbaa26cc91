package mutate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/runner/instrument/probe"
)

// A suite notices as many mutants of a pool as in an analysis of the same mutants. A suite whose tests all fail on
// the unchanged service is an error.
func TestPool(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a service and its mutants")
	}
	t.Parallel()
	const size = 4
	pool, err := NewPool(t.Context(), Plan{
		Service: probe.Options{Dir: filepath.Join("testdata", "shop"), Package: "."}, Operators: []Operator{Constant}, Sample: size,
		Dir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	a := prepared(t, func(p *Plan) {
		p.Operators = []Operator{Constant}
		for _, m := range pool.mutants {
			p.Only = append(p.Only, m.ID)
		}
	})
	log := logged(t, "", a)
	if err := a.Run(t.Context(), log); err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, r := range a.Results(log) {
		if r.Status.IsNoticed() {
			killed++
		}
	}
	score, err := pool.Judge(t.Context(), compiled(t, filepath.Join("testdata", "tests")))
	if err != nil || score.Killed != killed || killed == 0 || score.Mutants != size || score.LeftOut != 1 {
		t.Errorf("got %+v and error %v, want %d killed of %d", score, err, killed, size)
	}
	source, err := os.ReadFile(filepath.Join("testdata", "tests", "sales_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	broken, err := os.MkdirTemp("testdata", "broken-") // in this module, because the tests import packages of it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(broken)
	source = bytes.ReplaceAll(source, []byte("func TestSell"), []byte("func sell")) // TestWrong_OO is left
	if err := os.WriteFile(filepath.Join(broken, "sonde_test.go"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Judge(t.Context(), compiled(t, broken)); err == nil || !strings.Contains(err.Error(), "all tests fail") {
		t.Errorf("of failing tests: got error %v", err)
	}
}

// compiled compiles the tests of a folder.
func compiled(t *testing.T, dir string) *Suite {
	t.Helper()
	s, err := OpenSuite(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
