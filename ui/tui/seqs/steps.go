package seqs

import (
	"slices"

	"sonde/model"
)

// step is a call of a seq that the user builds.
type step struct {
	op    model.OpID
	call  *model.Call // the call with changed values, nil while it has the simplest values
	typed []string    // the valuePlace of each value that the user typed; no link provides these values
}

// stepsOf returns the steps of a seq. If t is not nil, it must be a test of that seq, and the steps get its
// values.
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

// The following functions change the steps for a key on a line of the builder. They may modify the slice.
// They return the new steps, and the index of the call to which the cursor moves. The index is -1 if the
// key has no effect on that line.

func addStep(steps []step, line *builderLine) ([]step, int) {
	return slices.Insert(steps, line.call, step{op: line.adds}), line.call
}

func moveEarlier(steps []step, line *builderLine) ([]step, int) {
	at := line.call
	if at == 0 {
		return nil, -1
	}
	steps[at-1], steps[at] = steps[at], steps[at-1]
	return steps, at - 1
}

func moveLater(steps []step, line *builderLine) ([]step, int) {
	at := line.call
	if at == len(steps)-1 {
		return nil, -1
	}
	steps[at+1], steps[at] = steps[at], steps[at+1]
	return steps, at + 1
}

func duplicateStep(steps []step, line *builderLine) ([]step, int) {
	return slices.Insert(steps, line.call, steps[line.call]), line.call + 1
}

func removeStep(steps []step, line *builderLine) ([]step, int) {
	if len(steps) == 1 {
		return nil, -1
	}
	return slices.Delete(steps, line.call, line.call+1), min(line.call, len(steps)-2)
}
