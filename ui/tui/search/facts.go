package search

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/chart"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// facts is what the screen works out of a snapshot once, so that drawing it is
// cheap.
type facts struct {
	grid    []answers
	refused int // operations with 4xx only
	marks   []chart.Mark
	last    int // the call at which the newest tuning took effect, 0 for none
}

// answers are the counts of one operation.
type answers struct {
	op     model.OpID
	counts map[int]int // status → times
	class  [classes]int
}

// The columns of the grid: the classes that a person asks for, and the rest
// (1xx, 3xx, no answer at all).
const (
	class2xx = iota
	class4xx
	class5xx
	classElse
	classes
)

func newFacts(s model.Snapshot, study *screen.Study, first *model.Tuning) facts {
	f := facts{marks: marks(s, first)}
	if n := len(s.Marks); n > 0 {
		f.last = s.Marks[n-1].Call
	}
	for _, op := range operations(s, study) {
		a := newAnswers(op, s.Grid[op])
		if a.class[class4xx] > 0 && a.class[class2xx]+a.class[class5xx] == 0 {
			f.refused++
		}
		f.grid = append(f.grid, a)
	}
	return f
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

// operations are the spec's, in its order, and then what else the run called.
func operations(s model.Snapshot, study *screen.Study) []model.OpID {
	var ops []model.OpID
	known := map[model.OpID]bool{}
	if study != nil {
		for _, op := range study.Spec.Operations {
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

// marks are the turns of a run, each with its line. Those that lie too near for
// a label each have one together, at the first.
func marks(s model.Snapshot, first *model.Tuning) []chart.Mark {
	tuned, before := s.Marks, first
	if before == nil && len(tuned) > 0 {
		before, tuned = &tuned[0].Tuning, tuned[1:]
	}
	near := max(s.Summary.Budget, s.Summary.Calls) / 50
	var out []chart.Mark
	for len(tuned) > 0 {
		at, n := len(out), 0
		for n < len(tuned) && tuned[n].Call-tuned[0].Call <= near {
			out = append(out, chart.Mark{Call: tuned[n].Call})
			n++
		}
		out[at].Label = change(*before, tuned[:n])
		before, tuned = &tuned[n-1].Tuning, tuned[n:]
	}
	return out
}

// change names the knobs that were turned, such as "P .60→.80", or "P .60" for
// one that was turned back.
func change(from model.Tuning, turns []model.Steered) string {
	var parts []string
	for _, k := range knobs {
		a, b := k.get(from), k.get(turns[len(turns)-1].Tuning)
		switch {
		case !equal(a, b):
			parts = append(parts, k.symbol+" "+short(a)+"→"+short(b))
		case slices.ContainsFunc(turns, func(t model.Steered) bool { return !equal(a, k.get(t.Tuning)) }):
			parts = append(parts, k.symbol+" "+short(b))
		}
	}
	return strings.Join(parts, " ")
}

func short(f float64) string { return strings.TrimPrefix(words.Share(f), "0") }
