package groups

import (
	"context"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// results are what was computed in the background for the groups of a spec.
type results struct {
	analyzed  *screen.AnalyzedSpec
	tallies   map[int]*tally
	drawings  map[int]*drawing
	counting  map[int]bool // groups that are being counted, or were counted
	sketching map[int]bool // groups that are being drawn, or were drawn
}

func newResults(analyzed *screen.AnalyzedSpec) results {
	return results{
		analyzed:  analyzed,
		tallies:   map[int]*tally{},
		drawings:  map[int]*drawing{},
		counting:  map[int]bool{},
		sketching: map[int]bool{},
	}
}

// tally has the seqs of a group, or of the whole spec, by rule.
type tally [2]struct {
	distil.Listing
	// mean is the mean number of groups that a seq touches. The best mean is 1: no seq
	// combines groups.
	mean float64
}

// wholeSpec is used as a group for the seqs of the whole spec.
const wholeSpec = -1

// counted is the result of counting the seqs of a group, or of wholeSpec.
type counted struct {
	analyzed *screen.AnalyzedSpec
	group    int
	tally    tally
}

// drawn is a finished figure of a group.
type drawn struct {
	analyzed *screen.AnalyzedSpec
	group    int
	drawing  *drawing
}

// request starts to count the seqs of a group, of the visible groups and of the whole
// spec. It also starts to draw the figure of the group in at most wrap columns. It skips
// what was requested before.
func (r *results) request(group int, inSight []int, wrap int) tea.Cmd {
	var cmds []tea.Cmd
	for _, g := range append([]int{group, wholeSpec}, inSight...) {
		if !r.counting[g] {
			r.counting[g] = true
			cmds = append(cmds, count(r.analyzed, g))
		}
	}
	if !r.sketching[group] {
		r.sketching[group] = true
		analyzed := r.analyzed
		cmds = append(cmds, func() tea.Msg {
			return drawn{analyzed: analyzed, group: group, drawing: drawGroup(analyzed, group, wrap)}
		})
	}
	return tea.Batch(cmds...)
}

// addTally stores a tally, unless it is of another spec.
func (r *results) addTally(msg counted) {
	if msg.analyzed == r.analyzed && r.tallies != nil {
		r.tallies[msg.group] = &msg.tally
	}
}

// addDrawing stores a figure, unless it is of another spec. It reports whether it was stored.
func (r *results) addDrawing(msg drawn) bool {
	if msg.analyzed != r.analyzed || r.drawings == nil {
		return false
	}
	r.drawings[msg.group] = msg.drawing
	return true
}

// count lists the seqs of a group in the background.
func count(analyzed *screen.AnalyzedSpec, group int) tea.Cmd {
	return func() tea.Msg {
		c := counted{analyzed: analyzed, group: group}
		part := analyzed.Analysis
		if group != wholeSpec {
			part = part.Subset(operations(analyzed, group))
		}
		for i, rule := range rules {
			// DistilSeqs stops at its own limit. Its only error is that of the context,
			// which never ends here.
			c.tally[i].Listing, _ = part.DistilSeqs(context.Background(), rule)
			c.tally[i].mean = groupsPerSeq(analyzed, c.tally[i].Seqs)
		}
		return c
	}
}

// operations returns the operations of a group in the order of the document.
func operations(analyzed *screen.AnalyzedSpec, group int) []*model.Operation {
	var ops []*model.Operation
	for _, op := range analyzed.Spec.Operations {
		if g, known := analyzed.GroupOf[op.ID]; known && g == group {
			ops = append(ops, op)
		}
	}
	return ops
}

// groupsPerSeq returns the mean number of groups that seqs touch, 0 for none.
func groupsPerSeq(analyzed *screen.AnalyzedSpec, all []model.Seq) float64 {
	sum, index := 0, valuegroup.NewGroupIndex(analyzed.Groups)
	for _, seq := range all {
		sum += index.CountTouched(seq)
	}
	return float64(sum) / float64(max(1, len(all)))
}
