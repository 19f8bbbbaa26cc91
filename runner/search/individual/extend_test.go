package individual

import (
	"slices"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// If the plan has no extensions, no reached tests are kept.
func TestRecordReachedNeedsExtensions(t *testing.T) {
	for extensions, want := range map[float64]int{0: 0, 0.5: 1} {
		p := shelf(model.Sampling{Operands: 1, Extensions: extensions})
		p.extensions.recordReached(p.Sample(chance(1), 0))
		if got := len(p.extensions.reached.all); got != want {
			t.Errorf("extensions %g: %d tests are kept, want %d", extensions, got, want)
		}
	}
}

// If there are too many tests, the oldest is dropped.
func TestReachedTestsAreBounded(t *testing.T) {
	var kept reachedTests
	for range maxReached {
		kept.add(&Individual{})
	}
	second, newest := kept.all[1].ind, &Individual{}
	kept.add(newest)
	if n := len(kept.all); n != maxReached || kept.all[0].ind != second || kept.all[n-1].ind != newest {
		t.Errorf("%d tests are kept; the oldest is still there: %t", n, kept.all[0].ind != second)
	}
}

// An extended test has more calls, but at most maxCalls. The recorded test does not change.
func TestExtendReachedAppendsACall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r := shelf(model.Sampling{Extensions: 1}), chance(rapid.Uint64().Draw(t, "seed"))
		from := p.Sample(r, 0)
		before := from.Test()
		p.extensions.recordReached(from)
		got := p.extensions.extendReached(r)
		if d := cmp.Diff(before, from.Test()); d != "" {
			t.Fatalf("the recorded test has changed:\n%s", d)
		}
		seq, kept := got.Test().Seq(), before.Seq()
		if len(kept) < maxCalls && (len(seq) <= len(kept) || !slices.Equal(seq[:len(kept)], kept)) {
			t.Fatalf("%v is extended to %v", kept, seq)
		}
		if len(kept) == maxCalls && (len(seq) > maxCalls || seq[len(seq)-2] != kept[maxCalls-1]) {
			t.Fatalf("%v is extended to %v", kept, seq)
		}
		if got.Change() != "" {
			t.Fatalf("the extension says that %q was changed", got.Change())
		}
	})
}

// All numbers but one are kept, in order. The last number is always kept.
func TestAllButOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, maxCalls).Draw(t, "n")
		got := allButOne(chance(rapid.Uint64().Draw(t, "seed")), n)
		if len(got) != n-1 || got[n-2] != n-1 || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != n-1 {
			t.Fatalf("got %v of %d numbers", got, n)
		}
	})
}

// A template continues a test that has the template's first steps, if the test does not get too
// long.
func TestContinueWith(t *testing.T) {
	for name, c := range map[string]struct {
		from  model.OpID // the test follows the template of this operation
		with  model.OpID // and is continued with the template of this operation
		limit int
		want  []model.OpID // the appended calls
	}{
		"the thing is there": {"POST /things", "DELETE /things/{id}", maxCalls, []model.OpID{"DELETE /things/{id}"}},
		"the target again": {
			"POST /things/{id}/notes", "POST /things/{id}/notes", maxCalls, []model.OpID{"POST /things/{id}/notes"},
		},
		"no thing":           {"PUT /tags/{note}", "DELETE /things/{id}", maxCalls, nil},
		"needs nothing":      {"POST /things", "PUT /tags/{note}", maxCalls, nil},
		"no room":            {"POST /things", "DELETE /things/{id}", 1, nil},
		"just enough room":   {"POST /things", "DELETE /things/{id}", 2, []model.OpID{"DELETE /things/{id}"}},
		"an earlier creator": {"DELETE /things/{id}", "POST /things/{id}/notes", 3, []model.OpID{"POST /things/{id}/notes"}},
	} {
		p, r := shelf(model.Sampling{}), chance(1)
		ind := p.FollowTemplate(r, p.templates.mostLinked(c.from))
		n := ind.Len()
		done := p.extensions.continueWith(r, ind, p.templates.mostLinked(c.with), c.limit)
		test := ind.Test()
		if got := test.Seq()[n:]; done != (c.want != nil) || !slices.Equal(got, c.want) {
			t.Errorf("%s: continued %t with %v, want %v", name, done, got, c.want)
		}
		linked := slices.ContainsFunc(test.Links, func(l model.Link) bool { return l.From == 0 && l.To == n && l.Name == "id" })
		if linked != done {
			t.Errorf("%s: the added call is linked: %t, links %+v", name, linked, test.Links)
		}
	}
}
