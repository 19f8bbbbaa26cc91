package search

import (
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// facts are values that are computed once for each snapshot, to make drawing cheap.
type facts struct {
	grid    []answers
	classes [model.NumOpClasses]int // the number of operations in each class
	marks   []draw.ChartMark
	applied []string      // the commands that took effect, the newest first
	tests   []*model.Test // the test that was judged last, which is nil if there is none, and then the kept tests
}

// answers counts the answers to one operation.
type answers struct {
	op     model.OpID
	counts map[int]int // key: status; value: number of answers
	class  [classes]int
}

// The columns of the grid: the common classes, and the rest (1xx, 3xx, no answer).
const (
	class2xx = iota
	class4xx
	class5xx
	classElse
	classes
)

func newFacts(s model.Snapshot, analyzed *screen.AnalyzedSpec, names draw.SeqNames, first *model.Tuning) facts {
	f := facts{marks: marks(s, first), applied: history(s, first, names), tests: tests(s)}
	for _, op := range operations(s, analyzed) {
		a := newAnswers(op, s.Grid[op])
		if len(a.counts) > 0 {
			f.classes[model.ClassOf(a.counts)]++
		}
		f.grid = append(f.grid, a)
	}
	f.classes[model.ClassUnanswered] = s.Summary.NotAnswered
	f.classes[model.ClassUncalled] = max(0, len(f.grid)-total(f.classes))
	return f
}

func total(classes [model.NumOpClasses]int) (n int) {
	for _, count := range classes {
		n += count
	}
	return n
}

// tests returns the test that was judged last, which may be nil, and the tests that are kept.
func tests(s model.Snapshot) []*model.Test {
	all := []*model.Test{s.Last}
	for i := range s.Tests {
		all = append(all, &s.Tests[i])
	}
	return all
}

func newAnswers(op model.OpID, counts map[int]int) answers {
	a := answers{op: op, counts: counts}
	for status, n := range counts {
		a.class[classOf(status)] += n
	}
	return a
}

func classOf(status int) int {
	switch status / 100 {
	case 2:
		return class2xx
	case 4:
		return class4xx
	case 5:
		return class5xx
	}
	return classElse
}

// operations returns the operations of the spec in the order of the spec, and then other operations that
// the run called.
func operations(s model.Snapshot, analyzed *screen.AnalyzedSpec) []model.OpID {
	var ops []model.OpID
	known := map[model.OpID]bool{}
	if analyzed != nil {
		for _, op := range analyzed.Spec.Operations {
			ops = append(ops, op.ID)
			known[op.ID] = true
		}
	}
	var more []model.OpID
	for op := range s.Grid {
		if !known[op] {
			more = append(more, op)
		}
	}
	slices.Sort(more)
	return append(ops, more...)
}
