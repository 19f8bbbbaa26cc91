package groups

import (
	"context"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// rules are the two ways to list seqs, in the order of the table.
var rules = [2]distil.Rule{distil.DC, distil.SC}

// tally is the seqs of a group, or of the whole spec, by rule.
type tally [2]struct {
	distil.Listing
	// mean is the mean number of groups that a seq touches; 1 says that the
	// seqs are as adequate as can be.
	mean float64
}

// counted brings the seqs of a group; group is whole for the spec.
type counted struct {
	study *screen.AnalyzedSpec
	group int
	found tally
}

const whole = -1

// count lists the seqs of a group, in the background.
func count(study *screen.AnalyzedSpec, group int) tea.Cmd {
	return func() tea.Msg {
		c := counted{study: study, group: group}
		part := study.Analysis
		if group != whole {
			part = part.Part(operations(study, group))
		}
		for i, rule := range rules {
			// It ends at its limit; the error is the context's, which never ends.
			c.found[i].Listing, _ = part.Distil(context.Background(), rule)
			c.found[i].mean = perSeq(study, c.found[i].Seqs)
		}
		return c
	}
}

// operations are those of a group, in order.
func operations(study *screen.AnalyzedSpec, group int) []*model.Operation {
	var ops []*model.Operation
	for _, op := range study.Spec.Operations {
		if g, known := study.GroupOf[op.ID]; known && g == group {
			ops = append(ops, op)
		}
	}
	return ops
}

// perSeq is the mean number of groups that seqs touch, 0 for none.
func perSeq(study *screen.AnalyzedSpec, all []model.Seq) float64 {
	sum, index := 0, valuegroup.NewIndex(study.Groups)
	for _, seq := range all {
		sum += index.Touched(seq)
	}
	return float64(sum) / float64(max(1, len(all)))
}
