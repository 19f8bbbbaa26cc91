package explore

import (
	"slices"

	"sonde/model"
	"sonde/ui/widget"
)

// stay is the state of the screen when the user went from one operation to another.
type stay struct {
	op       model.OpID
	question question
	folds    map[string]bool // the folds of the page
	stops    widget.List
	filter   string
	sections []section  // the sections of the tree
	line     int        // the line of the tree's cursor in its pane
	followed model.OpID // the operation to which the user went from a row of the page, "" if the user went there in another way
}

// history has the stays before the current stay, the newest last.
type history []stay

// keepOnly drops the stays at operations that no longer exist. It also drops all answers to questions, because the
// answers are for the old spec.
func (h *history) keepOnly(ops map[model.OpID]*model.Operation) {
	*h = slices.DeleteFunc(*h, func(at stay) bool { return ops[at.op] == nil })
	for i := range *h {
		(*h)[i].question.reset()
	}
}

// leave adds the current state to the history, before the user goes to another operation or view. If the user goes to
// an operation in a row of the page, followed is this operation, otherwise "". The page of a folder is not added.
func (s *Screen) leave(followed model.OpID) {
	if s.page.op == "" {
		return
	}
	s.history = append(s.history, stay{
		followed: followed,
		op:       s.page.op, question: s.page.question, folds: s.page.folds, stops: s.page.stops,
		filter: s.tree.find.Text(), sections: slices.Clone(s.tree.ops.sections), line: s.tree.rows.At - s.tree.rows.Top,
	})
}

// visit shows an operation, and adds the current state to the history. It clears a filter that hides the
// operation.
func (s *Screen) visit(op model.OpID) {
	if s.analyzed == nil || op == s.page.op || s.ops[op] == nil {
		return
	}
	s.leave("")
	if !s.tree.has(op) {
		s.tree.clearFilter()
	}
	s.show(op)
	s.announcement.deliberate = true
}

// goFromRow shows the page of an operation that a row of the current page refers to. The filter stays, even
// if it hides the operation.
func (s *Screen) goFromRow(op model.OpID) {
	if s.ops[op] == nil || op == s.page.op && s.page.question.view == viewOperation {
		return
	}
	s.leave(op)
	s.page.question.view = viewOperation
	if op == s.page.op {
		s.page.reset()
		return
	}
	s.show(op)
	s.announcement.deliberate = true
}

// fromRow reports whether the user opened an operation from a row of the previous page.
func (h history) fromRow(op model.OpID) bool {
	return len(h) > 0 && h[len(h)-1].followed == op && op != ""
}

// back returns to the previous operation, with the same page, row and filter.
func (s *Screen) back() {
	n := len(s.history)
	at := s.history[n-1]
	s.history = s.history[:n-1]
	if at.filter != s.tree.find.Text() {
		s.tree.find.SetText(at.filter)
		s.tree.sift()
	}
	s.tree.ops.restore(at.sections)
	s.tree.update()
	s.show(at.op)
	s.tree.rows.Top = max(0, s.tree.rows.At-at.line)
	s.page.question.restore(at.question)
	s.page.folds, s.page.stops = at.folds, at.stops
	s.announcement.deliberate = true
}
