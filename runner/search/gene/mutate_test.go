package gene

import (
	"math"
	"testing"

	"sonde/model"
)

// flags returns n trees of one boolean each.
func flags(n int) []Gene {
	trees := make([]Gene, n)
	for i := range trees {
		trees[i] = New(&model.Schema{Type: "boolean"})
	}
	return trees
}

func flipped(trees []Gene) int {
	n := 0
	for _, g := range trees {
		if Text(g) == "true" {
			n++
		}
	}
	return n
}

// Each of k genes changes with probability 1/k. If no gene was drawn, which has probability (1-1/k)^k, one gene
// changes (the EvoMaster paper, section 4.2).
func TestMutateRate(t *testing.T) {
	const rounds = 5000
	for _, k := range []int{1, 2, 10, 50} {
		r, total := source(1), 0
		for range rounds {
			trees := flags(k)
			if !Mutate(r, trees, Pace{}) {
				t.Fatal("nothing changed")
			}
			n := flipped(trees)
			if n == 0 {
				t.Fatal("nothing changed")
			}
			total += n
		}
		want := 1 + math.Pow(1-1/float64(k), float64(k))
		if got := float64(total) / rounds; math.Abs(got-want) > 0.05 {
			t.Errorf("%d genes: %.3f changes a mutation, want %.3f", k, got, want)
		}
	}
}

func TestMutateIsFair(t *testing.T) {
	r, trees := source(1), flags(5)
	changes := make([]int, len(trees))
	for range 5000 {
		before := make([]string, len(trees))
		for i, g := range trees {
			before[i] = Text(g)
		}
		Mutate(r, trees, Pace{})
		for i, g := range trees {
			if Text(g) != before[i] {
				changes[i]++
			}
		}
	}
	for i, n := range changes {
		if n < 1000 || n > 1700 {
			t.Errorf("gene %d changed %d times: %v", i, n, changes)
		}
	}
}

func TestMutateWithoutGenes(t *testing.T) {
	r := source(1)
	cases := map[string][]Gene{
		"no tree":       nil,
		"nil tree":      {nil},
		"locked":        {LockValue(New(&model.Schema{Type: "boolean"}))},
		"constant":      {New(&model.Schema{Const: 1.0})},
		"single number": {New(&model.Schema{Type: "integer", Min: new(1.0), Max: new(1.0)})},
		"cycle's end":   {&CycleObject{}},
		"empty string":  {New(&model.Schema{Type: "string", MaxLength: new(0)})},
	}
	for name, trees := range cases {
		t.Run(name, func(t *testing.T) {
			if Mutate(r, trees, Pace{}) {
				t.Error("claims to have changed something")
			}
		})
	}
}

func TestMutateFindsWhatCanChange(t *testing.T) {
	r := source(1)
	trees := []Gene{
		New(&model.Schema{Const: 1.0}), LockValue(New(nil)), New(&model.Schema{Type: "boolean"}), nil,
		New(&model.Schema{Type: "object", Properties: []model.Property{field("a", true, &model.Schema{Const: "a"})}}),
	}
	for range 100 {
		before := Text(trees[2])
		if !Mutate(r, trees, Pace{}) || Text(trees[2]) == before {
			t.Fatal("nothing changed")
		}
	}
}

func TestAbsentGenesDoNotCount(t *testing.T) {
	g := NewOptional(New(dated("date-time")))
	if got := ActiveCount(g); got != 1 {
		t.Errorf("absent: %d genes, want 1", got)
	}
	g.SetValue("2017-07-21T17:32:28Z")
	if got := ActiveCount(g, nil, New(nil)); got != 11 {
		t.Errorf("present, with a string: %d genes, want 11", got)
	}
}

func TestMutatedObjectsChange(t *testing.T) {
	r, g := source(1), sampled(product(), source(1))
	for range 3000 {
		before := string(JSON(g))
		if !Mutate(r, []Gene{g}, NewPace(0.5, model.Sizes{})) || string(JSON(g)) == before {
			t.Fatalf("%s did not change", before)
		}
	}
}
