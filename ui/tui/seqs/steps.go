package seqs

import (
	"slices"

	"sonde/model"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// step is a call of a seq that the user builds.
type step struct {
	op    model.OpID
	call  *model.Call // as the user edited it, nil while it has the plainest values
	typed []string    // values that the user typed, so that no link provides them any more, by valuePlace
}

// stepsOf returns the steps of a seq, with the values of a test of that seq if t is not nil.
func stepsOf(seq model.Seq, t *model.Test) []step {
	all := make([]step, len(seq))
	for i, op := range seq {
		all[i].op = op
		if t != nil {
			call := t.Calls[i]
			call.Status = 0
			all[i].call = &call
		}
	}
	return all
}

// seqOfSteps returns the operations of steps.
func seqOfSteps(steps []step) model.Seq {
	seq := make(model.Seq, len(steps))
	for i, s := range steps {
		seq[i] = s.op
	}
	return seq
}

// editSteps returns steps after a key on a line of the builder, and the call that the
// cursor is on then; -1 where the key does nothing there. The steps are not changed.
func editSteps(k tea.KeyMsg, line *builderLine, steps []step) ([]step, int) {
	steps = slices.Clone(steps)
	at := line.call
	switch {
	case line.adds != "" && key.Matches(k, keyAdd):
		return slices.Insert(steps, at, step{op: line.adds}), at
	case line.adds != "":
	case key.Matches(k, keyEarlier) && at > 0:
		steps[at-1], steps[at] = steps[at], steps[at-1]
		return steps, at - 1
	case key.Matches(k, keyLater) && at < len(steps)-1:
		steps[at+1], steps[at] = steps[at], steps[at+1]
		return steps, at + 1
	case key.Matches(k, keyDuplicate):
		return slices.Insert(steps, at, steps[at]), at + 1
	case key.Matches(k, keyRemove) && len(steps) > 1:
		return slices.Delete(steps, at, at+1), min(at, len(steps)-2)
	}
	return nil, -1
}
