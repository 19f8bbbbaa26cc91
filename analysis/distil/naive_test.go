package distil_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
)

// set is a set of value numbers, as the paper's algorithms have them.
type set map[int]bool

func union(sets ...set) set {
	all := set{}
	for _, s := range sets {
		for v := range s {
			all[v] = true
		}
	}
	return all
}

func minus(a, b set) set {
	rest := set{}
	for v := range a {
		if !b[v] {
			rest[v] = true
		}
	}
	return rest
}

func meet(a, b set) bool { return len(minus(a, b)) < len(a) }

func setOf(lists ...[]int) set {
	s := set{}
	for _, l := range lists {
		for _, v := range l {
			s[v] = true
		}
	}
	return s
}

type triple struct {
	seq            []int
	taken, emitted set
}

// naive is ListAPISeqs, Algorithm 3, line by line, as the README beside the
// real specs reads it; INVOKE answers (true, true).
func naive(t *match.Table, o distil.Options) distil.Listing {
	var l distil.Listing
	var todo []triple
	given := minus(setOf(t.In...), setOf(t.Out...)) // line 26
	extend := func(seq []int, taken, emitted set) {
		ref := union(emitted, taken) // line 39
		feedable := union(given, ref)
		for next := range t.Ops { // line 40
			if slices.Contains(seq, next) {
				continue // the rule that the pseudo-code lacks
			}
			if len(minus(setOf(t.Need[next]), feedable)) > 0 { // line 42
				continue
			}
			taking := setOf(t.In[next])
			counts := taking
			if o.Needed {
				counts = setOf(t.Need[next])
			}
			if o.Rule == distil.DC && len(seq) > 0 && !meet(minus(ref, given), counts) { // line 46
				continue
			}
			todo = append(todo, triple{ // line 52
				append(slices.Clone(seq), next), union(taken, taking), union(emitted, setOf(t.Out[next])),
			})
		}
	}
	extend(nil, set{}, set{})                     // line 27
	for len(todo) > 0 && len(l.Seqs) <= o.Limit { // line 28
		first := todo[0]
		todo = todo[1:]
		var seq model.Seq
		for _, op := range first.seq {
			seq = append(seq, t.Ops[op].ID)
		}
		l.Seqs = append(l.Seqs, seq)
		if len(first.seq) < o.Length {
			extend(first.seq, first.taken, first.emitted)
		}
	}
	l.GaveUp = len(todo) > 0
	return l
}

// TestListIsAlgorithm3 compares List with the paper's algorithm on random
// operations.
func TestListIsAlgorithm3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := randomTable(t)
		o := distil.Options{
			Rule:   rapid.SampledFrom([]distil.Rule{distil.DC, distil.SC}).Draw(t, "rule"),
			Length: rapid.IntRange(1, 4).Draw(t, "length"),
			Limit:  rapid.IntRange(1, 60).Draw(t, "limit"),
			Needed: rapid.Bool().Draw(t, "needed"),
		}
		got, err := distil.List(context.Background(), table, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(naive(table, o), got); diff != "" {
			t.Fatalf("want and got (-+):\n%s", diff)
		}
	})
}

func randomTable(t *rapid.T) *match.Table {
	table := &match.Table{Names: make([]string, 9)}
	values := rapid.SliceOfNDistinct(rapid.IntRange(0, 8), 0, 4, rapid.ID)
	for op := range rapid.IntRange(0, 7).Draw(t, "operations") {
		in := values.Draw(t, "in")
		table.Ops = append(table.Ops, &model.Operation{ID: model.OpID(fmt.Sprintf("GET /%d", op))})
		table.In = append(table.In, in)
		table.Need = append(table.Need, in[:rapid.IntRange(0, len(in)).Draw(t, "need")])
		table.Out = append(table.Out, values.Draw(t, "out"))
	}
	return table
}
