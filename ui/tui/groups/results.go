package groups

import (
	"context"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// results are what was computed in the background for the groups of a study.
type results struct {
	study     *screen.AnalyzedSpec
	tallies   map[int]*tally
	drawings  map[int]*drawing
	counting  map[int]bool // groups that are being counted, or are counted
	sketching map[int]bool // groups that are being drawn, or are drawn
}

func newResults(study *screen.AnalyzedSpec) results {
	return results{
		study:     study,
		tallies:   map[int]*tally{},
		drawings:  map[int]*drawing{},
		counting:  map[int]bool{},
		sketching: map[int]bool{},
	}
}

// tally is the seqs of a group, or of the whole spec, by rule.
type tally [2]struct {
	distil.Listing
	// mean is the mean number of groups that a seq touches. 1 means that no seq
	// combines groups, which is the best.
	mean float64
}

// wholeSpec is used as a group for the seqs of the whole spec.
const wholeSpec = -1

// counted is the result of counting the seqs of a group, or of wholeSpec.
type counted struct {
	study *screen.AnalyzedSpec
	group int
	tally tally
}

// drawn is a finished figure of a group.
type drawn struct {
	study   *screen.AnalyzedSpec
	group   int
	drawing *drawing
}

// request starts to count the seqs of a group, of the groups in sight and of the whole
// spec, and to draw the figure of the group in at most wrap columns, as far as that was
// not requested before.
func (r *results) request(group int, inSight []int, wrap int) tea.Cmd {
	var cmds []tea.Cmd
	for _, g := range append([]int{group, wholeSpec}, inSight...) {
		if !r.counting[g] {
			r.counting[g] = true
			cmds = append(cmds, count(r.study, g))
		}
	}
	if !r.sketching[group] {
		r.sketching[group] = true
		study := r.study
		cmds = append(cmds, func() tea.Msg {
			return drawn{study: study, group: group, drawing: drawGroup(study, group, wrap)}
		})
	}
	return tea.Batch(cmds...)
}

// addTally stores a tally, unless it is of another study.
func (r *results) addTally(msg counted) {
	if msg.study == r.study && r.tallies != nil {
		r.tallies[msg.group] = &msg.tally
	}
}

// addDrawing stores a figure, and reports whether it is of this study.
func (r *results) addDrawing(msg drawn) bool {
	if msg.study != r.study || r.drawings == nil {
		return false
	}
	r.drawings[msg.group] = msg.drawing
	return true
}

// count lists the seqs of a group in the background.
func count(study *screen.AnalyzedSpec, group int) tea.Cmd {
	return func() tea.Msg {
		c := counted{study: study, group: group}
		part := study.Analysis
		if group != wholeSpec {
			part = part.Subset(operations(study, group))
		}
		for i, rule := range rules {
			// The listing ends at its limit; the only error is that of the context,
			// which does not end.
			c.tally[i].Listing, _ = part.DistilSeqs(context.Background(), rule)
			c.tally[i].mean = groupsPerSeq(study, c.tally[i].Seqs)
		}
		return c
	}
}

// operations returns the operations of a group in the order of the document.
func operations(study *screen.AnalyzedSpec, group int) []*model.Operation {
	var ops []*model.Operation
	for _, op := range study.Spec.Operations {
		if g, known := study.GroupOf[op.ID]; known && g == group {
			ops = append(ops, op)
		}
	}
	return ops
}

// groupsPerSeq returns the mean number of groups that seqs touch, 0 for none.
func groupsPerSeq(study *screen.AnalyzedSpec, all []model.Seq) float64 {
	sum, index := 0, valuegroup.NewGroupIndex(study.Groups)
	for _, seq := range all {
		sum += index.CountTouched(seq)
	}
	return float64(sum) / float64(max(1, len(all)))
}
