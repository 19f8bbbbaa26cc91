package gene

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sonde/model"
)

// manyTexts returns n distinct texts, followed by the first half of them again.
func manyTexts(n int) []any {
	var all []any
	for i := range n {
		all = append(all, fmt.Sprint("value ", i))
	}
	return append(all, all[:n/2]...)
}

func TestManyValues(t *testing.T) {
	const n = 70_000
	g := New(&model.Schema{Type: "string", Enum: manyTexts(n)}).(*Enum)
	if len(g.values) != n {
		t.Fatalf("%d values, want %d", len(g.values), n)
	}
	for _, text := range []string{"value 0", "value 69999"} {
		if !g.SetValue(text) || Text(g) != text {
			t.Errorf("%q is not taken: %q", text, Text(g))
		}
	}
	if g.SetValue("value 70000") {
		t.Error("another value is taken")
	}
	if all := g.others(rand.New(rand.NewPCG(1, 2))); len(all) < maxOthers-1 || len(all) > maxOthers {
		t.Errorf("%d other values are tried", len(all))
	}
}

func TestManyExamples(t *testing.T) {
	g := New(&model.Schema{Type: "string", Examples: manyTexts(5000)})
	g.Sample(rand.New(rand.NewPCG(1, 2)))
	if all := Variants(rand.New(rand.NewPCG(1, 2)), g, 1000); len(all) > 2*maxSeeds {
		t.Errorf("%d variants of one text", len(all))
	}
	if !g.SetValue("value 4999") || !g.(*seeded).atSeed() || !g.SetValue("another") || g.(*seeded).atSeed() {
		t.Error("an example is not known as one, or another value is")
	}
}

// DrawIndexes draws a few of many numbers with equal probability. It draws each number at most once, and sorts them.
func TestDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	counts := make([]int, 3000)
	for range 3000 {
		all := DrawIndexes(r, len(counts), 20)
		if len(all) != 20 || !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != 20 {
			t.Fatalf("drawn: %v", all)
		}
		for _, i := range all {
			counts[i]++
		}
	}
	if low, high := slices.Min(counts), slices.Max(counts); low < 3 || high > 45 { // each number is drawn 20 times on average
		t.Errorf("a number is drawn %d to %d times", low, high)
	}
}

// BenchmarkManyValues measures how long it takes to build the gene of a long list.
func BenchmarkManyValues(b *testing.B) {
	s := &model.Schema{Type: "string", Enum: manyTexts(70_000)}
	for b.Loop() {
		New(s)
	}
}
