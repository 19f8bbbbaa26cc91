package groups

import (
	"context"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// rules are the two ways to list seqs, in the order of the table.
var rules = [2]distil.Rule{distil.DC, distil.SC}

// listings are the seqs of a group, or of the whole spec, by rule.
type listings [2]distil.Listing

// counted brings the seqs of a group; group is whole for the spec.
type counted struct {
	study *screen.Study
	group int
	found listings
}

const whole = -1

// count lists the seqs of a group, in the background. What is known already of
// the whole spec is not listed again.
func count(study *screen.Study, group int) tea.Cmd {
	return func() tea.Msg {
		c := counted{study: study, group: group}
		ops := study.Spec.Operations
		if group != whole {
			ops = operations(study, study.Groups[group].Operations)
		}
		for i, rule := range rules {
			if group == whole && rule == distil.DC {
				c.found[i] = distil.Listing{Seqs: study.Seqs, GaveUp: study.GaveUp}
				continue
			}
			// Its limit ends it, nobody else: the error is the context's.
			c.found[i], _ = distil.List(context.Background(), ops, study.Reading, distil.Options{Rule: rule})
		}
		return c
	}
}

func operations(study *screen.Study, ids []model.OpID) []*model.Operation {
	ops := make([]*model.Operation, len(ids))
	for i, id := range ids {
		ops[i] = study.Spec.Operation(id)
	}
	return ops
}

// perSeq is the mean number of groups that a seq touches: 1 says that the seqs
// are as adequate as can be.
func perSeq(study *screen.Study, all []model.Seq) float64 {
	sum := 0
	for _, seq := range all {
		touched := map[int]bool{}
		for _, op := range seq {
			touched[study.GroupOf[op]] = true
		}
		sum += len(touched)
	}
	return float64(sum) / float64(max(1, len(all)))
}
