package mutate

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/runner/instrument/probe"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// opened opens a service of testdata.
func opened(t *testing.T, dir string) *probe.VariantBuilder {
	t.Helper()
	b, err := probe.NewVariantBuilder(t.Context(), probe.Options{Dir: filepath.Join("testdata", dir), Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestFind compares all mutants of a service with a golden file.
func TestFind(t *testing.T) {
	all, err := FindMutants(opened(t, "shop"), Operators)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range all {
		mark := ""
		if m.Outward {
			mark = " (outward)"
		}
		fmt.Fprintf(&b, "%s %s %s%s: %s => %s\n", m.Position(), m.Func, m.Operator, mark, m.Before, m.After)
	}
	file := filepath.Join("testdata", "shop.golden")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("other mutants than in %s (look at them, then run with -update): -want +got\n%s", file, diff)
	}
}
