package send

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// formView shows the form in rows, with a cursor, and edits it.
type formView struct {
	form       form
	names      draw.SeqNames
	around     usecase.Surroundings // surroundings of the service for the next request
	hasNetwork bool                 // a virtual network is possible
	cursor     widget.List
	edit       edit
}

// rowKind is the kind of a row of the form.
type rowKind int

const (
	beforeRow rowKind = iota
	userRow
	networkRow
	hostsRow
	fieldRow
	bodyRow
	textRow // a line of the body
)

// row is a line of the form.
type row struct {
	kind  rowKind
	index int // index of the field, or of the line of the body
}

// edit is a value that the user is typing: a body in a text area, or any other value in a field. The zero
// value is closed.
type edit struct {
	field *textinput.Model
	area  *textarea.Model
	shown string // the initial text of the area
	fresh bool   // the edit began by adding the body: cancelling the edit removes the body
}

func (e edit) open() bool { return e.field != nil || e.area != nil }

// reset shows another form.
func (v *formView) reset(f form) { v.form, v.cursor, v.edit = f, widget.List{}, edit{} }

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
	for i := range v.form.fields {
		all = append(all, row{kind: fieldRow, index: i})
	}
	if v.form.acceptsBody() {
		all = append(all, row{kind: bodyRow})
	}
	for i := range v.bodyLines() {
		all = append(all, row{kind: textRow, index: i})
	}
	return all
}

// current returns the row under the cursor. If there is none, its kind is textRow.
func (v *formView) current() row {
	if all := v.rows(); v.cursor.At < len(all) {
		return all[v.cursor.At]
	}
	return row{kind: textRow}
}

// optional reports whether toggle has an effect on the row under the cursor. The row must be an optional parameter, a
// parameter that is left out, or the body.
func (v *formView) optional() bool {
	r := v.current()
	if r.kind == fieldRow {
		f := v.form.fields[r.index]
		return !f.param.Required || len(f.args) == 0
	}
	return r.kind == bodyRow
}

// setUsers stores the current users. If a user was removed, another user makes the calls of the removed user; see
// CallerFor.
func (v *formView) setUsers(msg screen.UsersChanged) {
	f := &v.form
	f.users, f.user, f.draft.Calls = msg.Names, msg.CallerFor(f.user), msg.ReplaceCallers(f.draft.Calls)
}

// toggle switches between sending and leaving out the row under the cursor.
func (v *formView) toggle() {
	r := v.current()
	switch {
	case r.kind == fieldRow:
		v.form.fields[r.index].toggle()
	case v.form.body == nil:
		v.form.addBody()
	default:
		v.form.body = nil
	}
}

// switchValue switches the row under the cursor to its next value, if the row is the user, the calls before the
// request, or the hosts. It reports whether the row is one of these.
func (v *formView) switchValue() bool {
	switch v.current().kind {
	case userRow:
		v.form.nextUser(+1)
	case beforeRow:
		v.form.before = !v.form.before
	case hostsRow:
		v.form.hosts = !v.form.hosts
	default:
		return false
	}
	return true
}

// startEdit opens the row under the cursor for typing.
func (v *formView) startEdit() {
	r := v.current()
	if r.kind == bodyRow {
		fresh := v.form.body == nil
		if fresh {
			v.form.addBody()
		}
		area := widget.TextArea(widget.EscapeControls(v.form.body.Describe()))
		v.edit = edit{area: &area, shown: area.Value(), fresh: fresh}
		return
	}
	f := &v.form.fields[r.index]
	text := draw.Clean(f.text())
	if len(f.args) == 0 {
		text = example(f.param.Schema)
	}
	field := widget.ValueField(text)
	v.edit.field = &field
}

// typeKey handles a key for the value that is being edited.
func (v *formView) typeKey(k tea.KeyMsg) {
	if v.edit.area != nil {
		area, _ := v.edit.area.Update(k)
		v.edit.area = &area
		return
	}
	field, _ := v.edit.field.Update(k)
	v.edit.field = &field
}

// acceptEdit stores the typed value in the form. If the user has not changed the text of a body, the body stays as it
// is, because the text area does not show all bytes.
func (v *formView) acceptEdit() {
	switch {
	case v.edit.area == nil:
		v.form.fields[v.current().index].set(v.edit.field.Value())
	case v.edit.area.Value() != v.edit.shown:
		v.form.body.Data = v.edit.area.Value()
	}
	v.edit = edit{}
}

// cancelEdit restores the row as it was before the edit.
func (v *formView) cancelEdit() {
	if v.edit.fresh {
		v.form.body = nil
	}
	v.edit = edit{}
}

// fit sets the numbers of rows and of visible rows in a pane at r, and the size of the text field.
func (v *formView) fit(r draw.Rect) {
	v.cursor.Fit(len(v.rows()), max(1, r.H-2))
	if v.edit.area != nil {
		v.edit.area.SetWidth(max(1, r.W-4))
		v.edit.area.SetHeight(max(1, r.H-3))
	}
	if v.edit.field != nil {
		v.edit.field.Width = max(1, r.W-2-v.columns(r.W-2).value-2)
	}
}

// view draws the form of an operation at r.
func (v *formView) view(op model.OpID, r draw.Rect, focused bool) string {
	title := theme.Dim.Render("send ") + draw.OperationLine(string(op), r.W-12).String()
	f := draw.Frame{Title: title, Width: r.W, Height: r.H, Focused: focused}
	w, h := f.Inner()
	switch {
	case v.edit.area != nil:
		f.Note = "body"
		text := " " + strings.ReplaceAll(v.edit.area.View(), "\n", "\n ")
		keys := " " + widget.KeyAndHelp(keyAccept) + "   " + widget.KeyAndHelp(keyCancel)
		return f.Render(draw.JoinRows(draw.FitLines(text, w, max(0, h-1)), keys))
	case v.form.empty():
		return f.Render(theme.Dim.Render("\n  …"))
	}
	rows := v.rows()
	if len(rows) > h {
		f.Note = fmt.Sprintf("%d of %d lines", v.cursor.At+1, len(rows))
	}
	var lines []string
	from, to := v.cursor.Visible()
	for i := from; i < to; i++ {
		at := i == v.cursor.At && focused
		lines = append(lines, v.line(rows[i], at, w).Render(w, at && v.edit.field == nil))
	}
	return f.Render(strings.Join(lines, "\n"))
}

// bodyLines returns the lines of the body, followed by a line for each value that a link provides.
func (v *formView) bodyLines() []string {
	if v.form.body == nil {
		return nil
	}
	lines := strings.Split(draw.CleanLines(v.form.body.Describe()), "\n")
	for _, from := range v.form.linkedInBody() {
		lines = append(lines, "↑ "+draw.Clean(from))
	}
	return lines
}

// columns has the first cells of a field's location and value. A column with 0 is left out.
type columns struct{ location, value int }

func (v *formView) columns(width int) columns {
	name := 7
	for _, f := range v.form.fields {
		name = max(name, ansi.StringWidth(draw.Clean(f.param.Name)))
	}
	c := columns{location: 5 + min(name, width/3) + 1}
	c.value = c.location + 7
	if width < 44 {
		c.location, c.value = 0, c.location
	}
	return c
}

// line draws a row.
func (v *formView) line(r row, at bool, width int) draw.Line {
	c := v.columns(width)
	line := draw.TextLine("   ", theme.Plain)
	if at {
		line = draw.TextLine(" "+theme.Cursor+" ", theme.Active)
	}
	switch r.kind {
	case fieldRow:
		return v.fieldLine(line, v.form.fields[r.index], at, c)
	case textRow:
		return append(line, draw.Span{Text: "  " + v.bodyLines()[r.index], Style: theme.Value})
	}
	name, value := v.choice(r.kind, width-c.value)
	return append(line, draw.Span{Text: name, Style: theme.Strong}).At(c.value, value...)
}

// fieldLine appends a parameter to the beginning of a line.
func (v *formView) fieldLine(line draw.Line, f field, at bool, c columns) draw.Line {
	mark := theme.Optional
	if f.param.Required {
		mark = theme.Required
	}
	line = append(
		line,
		draw.Span{Text: mark + " ", Style: theme.Dim},
		draw.Span{Text: draw.Clean(f.param.Name), Style: theme.Plain},
	)
	if c.location > 0 {
		line = line.At(c.location, draw.Span{Text: string(f.param.In), Style: theme.Dim})
	}
	switch from := v.form.provider(f); {
	case at && v.edit.field != nil:
		return line.At(c.value, draw.Span{Text: v.edit.field.View(), Style: theme.Plain})
	case from != "":
		return line.At(c.value, draw.Span{Text: "from " + draw.Clean(string(from)), Style: theme.Dim})
	case len(f.args) == 0:
		return line.At(c.value, draw.Span{Text: "left out", Style: theme.Dim})
	}
	return line.At(c.value, draw.Span{Text: draw.Clean(f.text()), Style: theme.Value})
}

// choice returns the name and the value of a row that is not a field.
func (v *formView) choice(k rowKind, width int) (name string, value draw.Line) {
	switch k {
	case beforeRow:
		return "first", v.setUpLine(width)
	case userRow:
		return "as", draw.TextLine(cmp.Or(draw.Clean(v.form.user), "anonymous"), theme.Plain)
	case networkRow:
		return "network", networkLine(v.around)
	case hostsRow:
		return "hosts", v.hostsLine()
	}
	if v.form.body == nil {
		return "body", draw.TextLine("left out", theme.Dim)
	}
	return "body", draw.TextLine(draw.Clean(v.form.body.Media), theme.Dim)
}

// setUpLine draws the calls before the request. If the request is anonymous, it also draws the user of
// these calls.
func (v *formView) setUpLine(width int) draw.Line {
	if !v.form.before {
		return draw.TextLine("nothing else is sent", theme.Dim)
	}
	by := ""
	if user := v.form.setUpUser(); user != "" && v.form.user == "" {
		by = "  by " + draw.Clean(user)
	}
	return append(v.names.Spans(v.form.setUp(), max(8, width-len(by))), draw.Span{Text: by, Style: theme.Dim})
}

// hostsLine draws whether the hosts answer as in the test.
func (v *formView) hostsLine() draw.Line {
	if !v.form.hosts {
		return draw.TextLine("do not answer as in the test", theme.Dim)
	}
	return draw.Line{
		{Text: stubsText(v.form.draft.Stubs), Style: theme.Plain},
		{Text: "  as in the test", Style: theme.Dim},
	}
}

// networkLine draws whether the network is virtual. For a virtual network, it also draws the number of the user's
// stubs. If there are no stubs, it draws the key that sets the answers of hosts.
func networkLine(around usecase.Surroundings) draw.Line {
	if !around.Net {
		return draw.TextLine("real", theme.Plain)
	}
	stubs := "  7 sets what hosts answer"
	if n := len(around.Stubs); n > 0 {
		stubs = "  with " + words.Plural(n, "stub") + " of yours"
	}
	return draw.Line{{Text: "virtual", Style: theme.Plain}, {Text: stubs, Style: theme.Dim}}
}

// stubsText returns a summary of the first stub, followed by the number of the other stubs.
func stubsText(stubs []model.Stub) string {
	text := draw.Clean(stubs[0].Host + " " + stubs[0].Summary())
	if more := len(stubs) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
