package results

import (
	"strings"
	"testing"

	"sonde/runner/lab/mutate"

	"github.com/google/go-cmp/cmp"
)

func result(id string, s mutate.Status, binary string) mutate.Result {
	r := mutate.Result{Status: s, Binary: binary}
	r.ID, r.File, r.Before, r.After = id, "a.go", "before "+id, "after"
	return r
}

// Each judged mutant is noticed at both levels, at one, or at none. A duplicate counts as what it is equal to.
func TestCompareLevels(t *testing.T) {
	units := []mutate.Result{
		result("a", mutate.Killed, ""), result("b", mutate.Killed, ""), result("c", mutate.Survived, ""), result("d", mutate.Survived, ""),
		result("e", mutate.Timeout, ""), result("f", mutate.Equal, ""), result("g", mutate.Killed, ""),
	}
	others := []mutate.Result{
		result("a", mutate.Killed, "1"), result("b", mutate.Survived, "2"), result("c", mutate.Crash, "3"),
		result("d", mutate.Survived, "4"),
		result("e", mutate.Duplicate, "2"), result("f", mutate.Killed, "5"),
	}
	got := CompareLevels(units, others)
	want := &Levels{Both: []string{"a"}, OnlyUnits: []string{"b", "e"}, OnlyOthers: []string{"c"}, Neither: []string{"d"}, Unknown: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var text strings.Builder
	if err := printLevels(&text, got, units); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"5 mutants tried at both levels: 1 killed at both, 2 only by unit tests, 1 only by the other tests, 1 by neither",
		"1 mutant without a result", "before e",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("%q is missing in:\n%s", line, text.String())
		}
	}
	if strings.Contains(text.String(), "before a") {
		t.Errorf("a mutant that both notice is listed:\n%s", text.String())
	}
}
