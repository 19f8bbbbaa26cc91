package distil_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
)

// set is a set of value numbers, as in the algorithms of the paper.
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

func common(a, b set) set { return minus(a, minus(a, b)) }

func meet(a, b set) bool { return len(common(a, b)) > 0 }

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

// naive is ListAPISeqs, Algorithm 3 of the paper, line by line, in the reading of o.AsPrinted. It also ends if INVOKE
// returns an error.
func naive(t *match.ValuesTable, o distil.Options) distil.Listing {
	var l distil.Listing
	invoke := o.Invoke
	if invoke == nil {
		invoke = func(context.Context, model.Seq) (bool, bool, error) { return true, true, nil }
	}
	var todo []triple
	given := minus(setOf(t.In...), setOf(t.Out...)) // line 26
	extend := func(seq []int, taken, emitted set) {
		ref := union(emitted, taken) // line 39
		feedable := union(given, ref)
		for next := range t.Ops { // line 40
			if !o.Repeats && slices.Contains(seq, next) {
				continue // the pseudo-code does not have this condition
			}
			if len(minus(setOf(t.Need[next]), feedable)) > 0 { // line 42
				continue
			}
			taking := setOf(t.In[next])
			shared, exchanged := t, ref
			if o.Shared != nil {
				shared, exchanged = o.Shared, exchangedBy(o, seq)
			}
			counts := setOf(shared.In[next])
			if o.RequiredOnly {
				counts = setOf(shared.Need[next])
			}
			if o.Rule == distil.RuleDC && len(seq) > 0 && !meet(minus(exchanged, given), counts) { // line 46
				continue
			}
			takenN := union(taken, taking) // line 50, as the text has it
			if o.FedOnly {
				takenN = union(taken, common(feedable, taking))
			}
			todo = append(todo, triple{ // line 52
				seq: append(slices.Clone(seq), next), taken: takenN, emitted: union(emitted, setOf(t.Out[next])),
			})
		}
	}
	extend(nil, set{}, set{})                  // line 27
	list := o.Limit - 1                        // N_list
	for len(todo) > 0 && len(l.Seqs) <= list { // line 28
		first := todo[0]
		todo = todo[1:]
		var seq model.Seq
		for _, op := range first.seq {
			seq = append(seq, t.Ops[op].ID)
		}
		done, success, err := invoke(context.Background(), seq) // line 30
		if err != nil {
			return l
		}
		if done { // line 31
			l.Seqs = append(l.Seqs, seq)
			if success && len(first.seq) < o.Length { // line 33
				extend(first.seq, first.taken, first.emitted)
			}
		}
	}
	l.GaveUp = len(todo) > 0
	return l
}

// exchangedBy returns the values that the operations of a seq emit or take by uses in o.Shared. With o.FedOnly, it returns
// only those that they emit: a value that an operation takes and that is not given is feedable only if it is emitted.
func exchangedBy(o distil.Options, seq []int) set {
	all := set{}
	for _, op := range seq {
		all = union(all, setOf(o.Shared.Out[op]))
		if !o.FedOnly {
			all = union(all, setOf(o.Shared.In[op]))
		}
	}
	return all
}

// TestListIsAlgorithm3 compares ListSeqs with the paper's algorithm on random operations.
func TestListIsAlgorithm3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, o := randomTable(t), randomOptions(t)
		if rapid.Bool().Draw(t, "weighted") {
			o.Shared = randomPart(t, table)
		}
		got, err := distil.ListSeqs(context.Background(), table, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(naive(table, o), got); diff != "" {
			t.Fatalf("want and got (-+):\n%s", diff)
		}
	})
}

// TestCountIsAlgorithm3 compares CountSeqs with the number of seqs of the paper's algorithm on random operations.
func TestCountIsAlgorithm3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, o := randomTable(t), randomOptions(t)
		if rapid.Bool().Draw(t, "weighted") {
			o.Shared = randomPart(t, table)
		}
		n, more, err := distil.CountSeqs(context.Background(), table, o, o.Limit)
		if err != nil {
			t.Fatal(err)
		}
		if want := naive(table, o); n != len(want.Seqs) || more != want.GaveUp {
			t.Fatalf("got %d, more %t, want %d, %t", n, more, len(want.Seqs), want.GaveUp)
		}
	})
}

// TestInvokeIsAlgorithm3 compares ListSeqs with the paper's algorithm. INVOKE has random results. Both must call the
// same seqs in the same order, and list the same seqs.
func TestInvokeIsAlgorithm3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, o := randomTable(t), randomOptions(t)
		seed := rapid.Uint64().Draw(t, "seed")
		fails := rapid.IntRange(0, 100).Draw(t, "call that gives an error")
		var called, want []model.Seq
		o.Invoke = randomInvoke(seed, fails, &want)
		wanted := naive(table, o)
		o.Invoke = randomInvoke(seed, fails, &called)
		got, err := distil.ListSeqs(context.Background(), table, o)
		if failed := len(want) == fails+1; failed != errors.Is(err, errCall) {
			t.Fatalf("got error %v, call %d of %d fails", err, fails, len(want))
		}
		if diff := cmp.Diff(want, called); diff != "" {
			t.Fatalf("calls wanted and made (-+):\n%s", diff)
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Fatalf("want and got (-+):\n%s", diff)
		}
		o.Invoke, called = randomInvoke(seed, fails, new([]model.Seq)), nil
		for seq := range distil.AllSeqs(context.Background(), table, o) {
			called = append(called, slices.Clone(seq))
		}
		if n := len(got.Seqs); len(called) < n || !cmp.Equal(called[:n], got.Seqs, cmpopts.EquateEmpty()) {
			t.Fatalf("All yields %q, List %q", called, got.Seqs)
		}
	})
}

var errCall = errors.New("a call failed")

// randomInvoke returns an INVOKE with random results. The result for a seq depends only on the seq and on seed.
// INVOKE appends each seq to called. After the given number of calls it returns an error.
func randomInvoke(seed uint64, calls int, called *[]model.Seq) func(context.Context, model.Seq) (bool, bool, error) {
	return func(_ context.Context, seq model.Seq) (done, success bool, err error) {
		*called = append(*called, slices.Clone(seq))
		if len(*called) > calls {
			return true, true, errCall
		}
		h := fnv.New64a()
		fmt.Fprint(h, seed, seq)
		x := rand.New(rand.NewPCG(seed, h.Sum64()))
		return x.IntN(5) > 0, x.IntN(4) > 0, nil
	}
}

func randomOptions(t *rapid.T) distil.Options {
	return distil.Options{
		AsPrinted:    distil.AsPrinted{Repeats: rapid.Bool().Draw(t, "repeats"), FedOnly: rapid.Bool().Draw(t, "fed only")},
		Rule:         rapid.SampledFrom([]distil.Rule{distil.RuleDC, distil.RuleSC}).Draw(t, "rule"),
		Length:       rapid.IntRange(1, 4).Draw(t, "length"),
		Limit:        rapid.IntRange(1, 60).Draw(t, "limit"),
		RequiredOnly: rapid.Bool().Draw(t, "needed"),
	}
}

func randomTable(t *rapid.T) *match.ValuesTable {
	table := &match.ValuesTable{Names: make([]string, 9)}
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

// randomPart returns a table with some of the uses of a table.
func randomPart(t *rapid.T, whole *match.ValuesTable) *match.ValuesTable {
	part := &match.ValuesTable{Ops: whole.Ops, Names: whole.Names}
	kept := rapid.SliceOfN(rapid.Bool(), 3*len(whole.Names), 3*len(whole.Names))
	for op := range whole.Ops {
		keep := kept.Draw(t, "kept")
		some := func(values []int, from int) []int {
			return slices.DeleteFunc(slices.Clone(values), func(v int) bool { return !keep[from+v] })
		}
		part.In = append(part.In, some(whole.In[op], 0))
		part.Need = append(part.Need, some(whole.Need[op], 0))
		part.Out = append(part.Out, some(whole.Out[op], len(whole.Names)))
	}
	return part
}
