package explore

import (
	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// pageView selects what the page shows about an operation.
type pageView int

const (
	viewOperation pageView = iota
	viewPaths              // paths to the operation
	viewImpact             // operations that use what the operation creates
)

// title returns the text before and the text after the operation in the title of the page. The text after it names
// the key that leaves the view.
func (v pageView) title() (before, after string) {
	switch v {
	case viewPaths:
		return "Paths to ", " · " + widget.KeyName(keyPaths) + " leaves"
	case viewImpact:
		return "Impact of ", " · " + widget.KeyName(keyImpact) + " leaves"
	}
	return "", ""
}

// maxPaths is the maximum number of paths on the page.
const maxPaths = 5

// question computes the paths to an operation and its impact in the background, because this can be slow
// for a large spec. Only the answer to the latest question is used.
type question struct {
	view   pageView
	op     model.OpID // the operation of the newest question, "" before the first
	number int        // number of the latest question
	answer *found     // nil until the answer is known
}

// found is the answer to a question.
type found struct {
	number   int
	paths    []depend.Path
	optional []depend.OptionalValue
	chosen   map[model.OpID][]chosenValue // key: ID of an operation in the paths
	impact   depend.Impact
}

// chosenValue is a required input that the client chooses, with its description in the document.
type chosenValue struct {
	match.ValueUse
	description string
}

// chosenValues returns the values that the client chooses for an operation.
func chosenValues(op *model.Operation, uses []match.ValueUse) []chosenValue {
	var list []chosenValue
	for _, u := range uses {
		v := chosenValue{ValueUse: u}
		if s := u.Schema(); s != nil {
			v.description = s.Description
		}
		for i := range op.Params {
			if p := &op.Params[i]; p.In == u.In && p.Name == u.Name && p.Description != "" {
				v.description = p.Description
			}
		}
		list = append(list, v)
	}
	return list
}

// toggle shows a view, or the operation's page if the view is already shown.
func (q *question) toggle(view pageView) {
	if q.view == view {
		view = viewOperation
	}
	q.view = view
}

// reset drops the answer, because it is for the old spec or for another operation.
func (q *question) reset() { *q = question{view: q.view, number: q.number + 1} }

// restore shows an earlier view with its answer. If the question was not answered, it is asked again.
func (q *question) restore(before question) {
	before.number = q.number + 1
	if before.answer == nil {
		before.op = ""
	}
	*q = before
}

// ask returns the command that computes the answer for an operation. It returns nil if the answer is known or being
// computed, or if the page shows only the operation itself.
func (q *question) ask(analyzed *screen.AnalyzedSpec, op model.OpID) tea.Cmd {
	if q.view == viewOperation || op == "" || op == q.op {
		return nil
	}
	q.number++
	q.op, q.answer = op, nil
	number := q.number
	return func() tea.Msg {
		p := analyzed.Analysis.Planner()
		a := found{number: number, paths: p.Paths(op, maxPaths), optional: p.OptionalValues(op), chosen: map[model.OpID][]chosenValue{}}
		steps := map[model.OpID]bool{op: true}
		for _, path := range a.paths {
			for _, step := range path.Seq {
				steps[step] = true
			}
		}
		for _, o := range analyzed.Spec.Operations {
			if steps[o.ID] {
				a.chosen[o.ID] = chosenValues(o, p.ChosenValues(o.ID))
			}
		}
		a.impact, _ = p.Impact(op)
		return a
	}
}

// answered stores an answer, unless a newer question was asked.
func (q *question) answered(a found) {
	if a.number == q.number {
		q.answer = &a
	}
}
