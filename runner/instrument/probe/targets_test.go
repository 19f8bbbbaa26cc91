package probe

import (
	"go/constant"
	"strings"
	"testing"

	"sonde/runner/instrument/probedata"

	"pgregory.net/rapid"
)

// Targets at the same position have different IDs, which depend only on their order.
func TestTargetIDs(t *testing.T) {
	table := newTargetTable()
	for range 3 {
		table.add(probedata.Target{Kind: probedata.CallCompleted, Line: 4, Col: 2}, "shop/main.go")
	}
	table.add(probedata.Target{Kind: probedata.Statement, Line: 2}, "shop/main.go")
	var ids []string
	for _, target := range table.sorted() {
		ids = append(ids, target.ID)
	}
	const want = "shop/main.go:2:0 statement|shop/main.go:4:2 call|shop/main.go:4:2 call #2|shop/main.go:4:2 call #3"
	if got := strings.Join(ids, "|"); got != want {
		t.Errorf("got %s", got)
	}
}

// No two predicates share a slot, and hit 0 is not used.
func TestSlotsAreApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, end := newTargetTable(), 0
		for _, slots := range rapid.SliceOf(rapid.IntRange(1, 9)).Draw(t, "slots") {
			p := table.newPred(slots)
			if 2*p < end {
				t.Fatalf("the slots of predicate %d begin before %d", p, end)
			}
			end = 2*p + slots
		}
		if end > 2*table.preds {
			t.Fatalf("%d predicates for %d slots", table.preds, end)
		}
		if first, second := table.newHit(), table.newHit(); first != 1 || second != 2 {
			t.Fatalf("bytes %d and %d", first, second)
		}
	})
}

// A pair of outcomes is two targets that differ in kind and terms.
func TestAddPair(t *testing.T) {
	table := newTargetTable()
	at := table.addPair(
		probedata.Target{Kind: probedata.BranchTrue, Line: 3, Label: "x", Terms: outcome(0, 0)}, "f", probedata.BranchFalse, outcome(0, 1),
	)
	table.setHit(at+1, 9)
	yes, no := table.targets[at], table.targets[at+1]
	if yes.Kind != probedata.BranchTrue || no.Kind != probedata.BranchFalse || no.Label != "x" || no.Terms[0].Outcome != 1 {
		t.Errorf("got %+v and %+v", yes, no)
	}
	if yes.Hit != 0 || no.Hit != 9 {
		t.Errorf("bytes are %d and %d", yes.Hit, no.Hit)
	}
	table.targets[at].Near = 4
	table.setTerms(at, nil)
	if table.targets[at].Terms != nil || table.targets[at].Near != 0 {
		t.Errorf("terms are %+v", table.targets[at])
	}
}

// The values of the cases of all switches become Go variables, one for each type of tag. Each switch has a row.
func TestSwitchTables(t *testing.T) {
	var s switchTables
	rows := []int{
		s.add("SwI", []constant.Value{constant.MakeInt64(-1), constant.MakeInt64(7)}),
		s.add("SwI", []constant.Value{constant.MakeInt64(3)}),
		s.add("SwU", []constant.Value{constant.MakeUint64(1 << 63)}),
		s.add("SwS", []constant.Value{constant.MakeString("a\"b")}),
	}
	if rows[0] != 0 || rows[1] != 1 || rows[2] != 0 || rows[3] != 0 {
		t.Errorf("rows are %v", rows)
	}
	const want = "var ints = [...][]int64{{-1,7,},{3,},{},}\n" +
		"var uints = [...][]uint64{{9223372036854775808,},{},}\n" +
		"var texts = [...][]string{{\"a\\\"b\",},{},}\n"
	if got := s.source(); got != want {
		t.Errorf("got %s", got)
	}
}

// A label is the first line of the source, cut in characters.
func TestShortened(t *testing.T) {
	for source, want := range map[string]string{
		"":                       "",
		" if x {\n\ty()":         "if x {",
		strings.Repeat("ä", 61):  strings.Repeat("ä", 59) + "…",
		strings.Repeat("ä", 60):  strings.Repeat("ä", 60),
		"  \t  switch  \n\ncase": "switch",
	} {
		if got := shortened(source); got != want {
			t.Errorf("%q: got %q", source, got)
		}
	}
}
