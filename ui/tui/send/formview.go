package send

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
)

// formView shows the form in rows, with a cursor, and edits it.
type formView struct {
	form       form
	address    address
	tasks      formTasks
	seen       seenValues
	seqNames   draw.SeqNames
	around     usecase.Surroundings // surroundings of the service for the next request
	hasNetwork bool                 // a virtual network is possible
	cursor     widget.List
	edit       edit
	added      int // index of what the row add adds, in additions
}

// rowKind is the kind of a row of the form.
type rowKind int

const (
	beforeRow rowKind = iota
	userRow
	networkRow
	hostsRow
	fieldRow
	extraRow
	addRow
	bodyRow
	formFieldRow // a field of a form in the body
	textRow      // a line of the body
)

// row is a line of the form.
type row struct {
	kind  rowKind
	index int // index of the field, or of the line of the body
}

// reset shows another form, with the cursor on the first row that has a value.
func (v *formView) reset(f form) {
	v.form, v.cursor, v.edit, v.added, v.address = f, widget.List{}, edit{}, 0, address{}
	v.seen = nil
	v.tasks.id++ // results for the form before are dropped
	if rows := v.rows(); len(rows) > 1 && rows[0].kind == addRow {
		v.goTo(rows[1])
	}
}

// rows returns the rows of the form. The rows with the text of the body come last.
func (v *formView) rows() []row {
	if v.form.empty() {
		return nil
	}
	var all []row
	if len(v.form.setUp()) > 0 {
		all = append(all, row{kind: beforeRow})
	}
	if len(v.form.users) > 0 {
		all = append(all, row{kind: userRow})
	}
	if v.hasNetwork {
		all = append(all, row{kind: networkRow})
	}
	if len(v.form.draft.Stubs) > 0 && v.around.Net {
		all = append(all, row{kind: hostsRow})
	}
	all = appendRows(all, fieldRow, len(v.form.fields))
	all = append(appendRows(all, extraRow, len(v.form.extras)), row{kind: addRow})
	if v.form.acceptsBody() {
		all = append(all, row{kind: bodyRow})
	}
	if b := v.form.sentBody(); b != nil && b.form && b.file == nil {
		all = appendRows(all, formFieldRow, len(b.fields))
	}
	return appendRows(all, textRow, len(v.bodyLines()))
}

// appendRows appends n rows of a kind.
func appendRows(all []row, kind rowKind, n int) []row {
	for i := range n {
		all = append(all, row{kind: kind, index: i})
	}
	return all
}

// current returns the row under the cursor. If there is none, its kind is textRow and its index -1.
func (v *formView) current() row {
	if all := v.rows(); v.cursor.At < len(all) {
		return all[v.cursor.At]
	}
	return row{kind: textRow, index: -1}
}

// goTo moves the cursor to a row.
func (v *formView) goTo(to row) {
	rows := v.rows()
	v.cursor.Fit(len(rows), v.cursor.Height)
	for i, r := range rows {
		if r == to {
			v.cursor.Go(i)
		}
	}
}

// currentField returns the form field under the cursor, nil if the cursor is on another row.
func (v *formView) currentField() *formField {
	if r := v.current(); r.kind == formFieldRow {
		return &v.form.sentBody().fields[r.index]
	}
	return nil
}

// addition is what the user adds to a request: an argument that the operation does not declare, a field of a form, or a
// body.
type addition string

const (
	addField addition = "form field"
	addBody  addition = "body"
)

// additions returns what the user can add.
func (v *formView) additions() []addition {
	all := []addition{addition(model.InHeader), "query parameter", addition(model.InCookie)}
	if b := v.form.sentBody(); b != nil && b.form && b.file == nil {
		all = append(all, addField)
	}
	if !v.form.acceptsBody() {
		all = append(all, addBody)
	}
	return all
}

// addition returns what the row add adds.
func (v *formView) addition() addition {
	all := v.additions()
	return all[v.added%len(all)]
}

// location returns where an added argument is sent. A form field is in the body.
func (a addition) location() model.Location {
	switch a {
	case addField, addBody:
		return model.InBody
	case "query parameter":
		return model.InQuery
	}
	return model.Location(a)
}

// optional reports whether toggle has an effect on the row under the cursor. The row must be an optional parameter, a
// parameter that is left out, an undeclared argument, or the body or one of its fields.
func (v *formView) optional() bool {
	switch r := v.current(); r.kind {
	case fieldRow:
		f := v.form.fields[r.index]
		return !f.param.Required || len(f.args) == 0
	case extraRow, bodyRow, formFieldRow:
		return true
	}
	return false
}

// setUsers stores the current users. If a user was removed, another user makes the calls of the removed user; see
// CallerFor.
func (v *formView) setUsers(msg screen.UsersChanged) {
	f := &v.form
	f.users, f.user, f.draft.Calls = msg.Names, msg.CallerFor(f.user), msg.ReplaceCallers(f.draft.Calls)
}

// toggle switches between sending and leaving out the row under the cursor.
func (v *formView) toggle() {
	switch r := v.current(); r.kind {
	case fieldRow:
		v.form.fields[r.index].toggle()
	case extraRow:
		e := &v.form.extras[r.index]
		e.omitted = !e.omitted
	case formFieldRow:
		f := v.currentField()
		if f.omitted && f.value == "" && f.file == nil {
			v.startEdit() // the field is sent if the edit is accepted
			return
		}
		f.omitted = !f.omitted
		v.form.sentBody().edited = true
	default:
		if v.form.sentBody() == nil {
			v.form.addBody()
		} else {
			v.form.bodyless = true
		}
	}
}

// removable reports whether remove has an effect: the row under the cursor is an undeclared argument, a form field, or a
// body that is a file.
func (v *formView) removable() bool {
	switch v.current().kind {
	case extraRow, formFieldRow:
		return true
	case bodyRow, textRow:
		b := v.form.sentBody()
		return b != nil && b.file != nil
	}
	return false
}

// remove removes the row under the cursor. Of a body that is a file, it removes the file: the text is sent again.
func (v *formView) remove() {
	b := v.form.sentBody()
	switch r := v.current(); r.kind {
	case extraRow:
		v.form.extras = append(v.form.extras[:r.index:r.index], v.form.extras[r.index+1:]...)
	case formFieldRow:
		b.fields, b.edited = append(b.fields[:r.index:r.index], b.fields[r.index+1:]...), true
	default:
		b.file = nil
	}
}

// switchValue switches the row under the cursor to another value, in the direction by: the user, the calls before the
// request, the hosts, what is added, or the media type of the body. It reports whether the row is one of these.
func (v *formView) switchValue(by int) bool {
	switch v.current().kind {
	case userRow:
		v.form.nextUser(by)
	case beforeRow:
		v.form.before = !v.form.before
	case hostsRow:
		v.form.hosts = !v.form.hosts
	case addRow:
		n := len(v.additions())
		v.added = (v.added%n + by + n) % n
	case bodyRow:
		v.form.nextBody(by)
	default:
		return false
	}
	return true
}

// fit sets the numbers of rows and of visible rows in a pane at r, and the size of the text field.
func (v *formView) fit(r draw.Rect) {
	h := max(0, r.H-2)
	switch {
	case v.edit.area != nil:
		v.edit.area.SetWidth(max(1, r.W-4))
		v.edit.area.SetHeight(max(1, h-1-areaHints(h)))
		if v.edit.moved {
			widget.ShowCursor(v.edit.area)
			v.edit.moved = false
		}
	case v.edit.field != nil:
		v.edit.field.Width = max(1, r.W-2-v.painter(r.W-2).value-2)
		h -= fieldHints(h)
	}
	v.cursor.Fit(len(v.rows()), max(1, h-v.address.height(r.W-2, h)))
}

// view draws the form of an operation at r.
func (v *formView) view(op model.OpID, r draw.Rect, focused bool) string {
	title := theme.Dim.Render("send ") + draw.OperationLine(string(op), r.W-12).String()
	f := draw.Frame{Title: title, Width: r.W, Height: r.H, Focused: focused}
	w, h := f.Inner()
	switch {
	case v.edit.area != nil:
		f.Note = "body"
		return f.Render(v.edit.viewArea(w, h))
	case v.form.empty():
		return f.Render(theme.Dim.Render("\n  …"))
	}
	rows := v.rows()
	if len(rows) > v.cursor.Height {
		f.Note = fmt.Sprintf("%d of %d lines", v.cursor.At+1, len(rows))
	}
	hints := 0
	if v.edit.field != nil {
		hints = fieldHints(h)
	}
	lines, p := v.address.lines(w, h-hints), v.painter(w)
	from, to := v.cursor.Visible()
	for i := from; i < to; i++ {
		at := i == v.cursor.At && focused
		lines = append(lines, p.line(rows[i], at).Render(w, at && v.edit.field == nil))
	}
	if hints > 0 {
		body := draw.FitLines(strings.Join(lines, "\n"), w, h-hints)
		return f.Render(draw.JoinRows(body, v.edit.viewHint(w, hints)))
	}
	return f.Render(strings.Join(lines, "\n"))
}
