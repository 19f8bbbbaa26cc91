package probe

import (
	"cmp"
	"fmt"
	"go/constant"
	"slices"
)

// numbers hands out the numbers of a build's probes, and keeps its targets.
type numbers struct {
	preds, hits int
	queries     int // how many of the predicates are queries
	targets     []Target
	ids         map[string]int
	// The constants of the switches, by table.
	ints  [][]int64
	uints [][]uint64
	texts [][]string
}

func newNumbers() *numbers { return &numbers{hits: 1, ids: map[string]int{}} }

// hit returns the number of a new byte; 0 is none's.
func (n *numbers) hit() int {
	n.hits++
	return n.hits - 1
}

// pred returns the number of a new predicate with so many slots, from twice its
// number on.
func (n *numbers) pred(slots int) int {
	p := n.preds
	n.preds += (slots + 1) / 2
	return p
}

// add keeps a target under an ID that no other has.
func (n *numbers) add(t Target, file string) {
	t.ID = fmt.Sprintf("%s:%d:%d %s", file, t.Line, t.Col, t.Kind)
	n.ids[t.ID]++
	if again := n.ids[t.ID]; again > 1 {
		t.ID = fmt.Sprintf("%s #%d", t.ID, again)
	}
	n.targets = append(n.targets, t)
}

// sorted are the targets in the order of the source.
func (n *numbers) sorted() []Target {
	slices.SortStableFunc(n.targets, func(a, b Target) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return n.targets
}

// table keeps the constants of a switch and returns their table's number.
func (n *numbers) table(fn string, values []constant.Value) int {
	switch fn {
	case "SwI":
		n.ints = append(n.ints, read(values, constant.Int64Val))
		return len(n.ints) - 1
	case "SwU":
		n.uints = append(n.uints, read(values, constant.Uint64Val))
		return len(n.uints) - 1
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, constant.StringVal(v))
	}
	n.texts = append(n.texts, texts)
	return len(n.texts) - 1
}

// read reads constants that fit exactly: the compiler has seen to it.
func read[V any](values []constant.Value, as func(constant.Value) (V, bool)) []V {
	var all []V
	for _, v := range values {
		n, _ := as(constant.ToInt(v))
		all = append(all, n)
	}
	return all
}
