package send

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// edit is a value that the user is typing: a body in a text area, or any other value in a field. The zero
// value is closed.
type edit struct {
	field *textinput.Model
	area  *textarea.Model
	path  bool   // the field is the path of a file
	shown string // the initial text of the area
	fresh bool   // the edit began by adding the body: cancelling the edit removes the body
	hint  hint
	moved bool // the cursor of the area may be outside of its visible lines
	whole bool // the whole text of the field is selected: the next character replaces it
}

func (e edit) open() bool { return e.field != nil || e.area != nil }

// startEdit opens the row under the cursor for typing. On a body that is no text it asks for a file.
func (v *formView) startEdit() {
	r := v.current()
	switch r.kind {
	case bodyRow, textRow:
		v.editBody(r)
		return
	case addRow:
		if v.addition() == addBody {
			v.form.addBody()
			v.goTo(row{kind: bodyRow})
			v.editBody(row{kind: bodyRow})
			v.edit.fresh = true
			return
		}
	case formFieldRow:
		if v.currentField().isFile() {
			v.chooseFile()
			return
		}
	}
	v.openField(draw.Clean(v.fieldText(r)))
	if v.isProposal(r) {
		v.edit.selectAll()
	}
}

// isProposal reports whether the user did not type the value of a row, and the value is one text.
func (v *formView) isProposal(r row) bool {
	switch r.kind {
	case formFieldRow:
		return !v.form.sentBody().edited
	case fieldRow:
		f := v.form.fields[r.index]
		schema := f.param.Schema
		several := schema != nil && (schema.Type == "array" || schema.Type == "object")
		return !f.typed && !several && !f.isObject() && !f.isExplodedList()
	}
	return false
}

// openField opens a field with a text.
func (v *formView) openField(text string) {
	field := widget.ValueField(text)
	v.edit = edit{field: &field}
	v.suggest()
}

// fieldText returns the text with which the edit of a row begins.
func (v *formView) fieldText(r row) string {
	switch r.kind {
	case extraRow:
		return v.form.extras[r.index].text()
	case formFieldRow:
		return v.form.sentBody().fields[r.index].value
	case fieldRow:
		f := &v.form.fields[r.index]
		if len(f.args) == 0 {
			return f.exampleText()
		}
		return f.text()
	}
	return ""
}

// editBody opens the body in a text area, with the cursor in the line of a row. A body that is no text opens the field
// for a file.
func (v *formView) editBody(r row) {
	fresh := v.form.sentBody() == nil
	if fresh {
		v.form.addBody()
	}
	b := v.form.sentBody()
	if !b.isText() {
		v.chooseFile()
		v.edit.fresh = fresh
		return
	}
	area := widget.TextArea(widget.EscapeControls(b.text))
	if r.kind == textRow {
		widget.MoveTo(&area, r.index, 0)
	}
	v.edit = edit{area: &area, shown: area.Value(), fresh: fresh, moved: true}
	v.suggest()
}

// takesFile reports whether the row under the cursor can be read from a file: the body, or a field of a form.
func (v *formView) takesFile() bool {
	switch v.current().kind {
	case bodyRow, textRow:
		return v.form.sentBody() != nil && !v.form.sentBody().form
	case formFieldRow:
		return true
	}
	return false
}

// chooseFile opens a field for the path of a file.
func (v *formView) chooseFile() {
	path := ""
	switch f := v.currentField(); {
	case f != nil && f.file != nil:
		path = f.file.path
	case f == nil && v.form.sentBody().file != nil:
		path = v.form.sentBody().file.path
	}
	field := widget.ValueField(path)
	v.edit = edit{field: &field, path: true}
	v.suggest()
}

// typeKey handles a key for the value that is being edited.
func (e *edit) typeKey(k tea.KeyMsg) {
	if e.area != nil {
		area, _ := e.area.Update(k)
		e.area = &area
		return
	}
	if e.whole {
		switch k.Type {
		case tea.KeyRunes, tea.KeySpace:
			e.field.SetValue("")
		}
		e.whole, e.field.TextStyle = false, theme.Plain.Lipgloss()
	}
	field, _ := e.field.Update(k)
	e.field = &field
}

// selectAll selects the text of the field. Keys other than characters keep the text.
func (e *edit) selectAll() {
	if e.field.Value() == "" {
		return
	}
	e.whole, e.field.TextStyle = true, theme.Selected.Lipgloss()
}

// suggest updates the hint after a change of the text or the cursor.
func (v *formView) suggest() {
	switch e := &v.edit; {
	case e.area != nil:
		b := v.form.sentBody()
		e.hint = hint{}
		if b.isJSON() {
			e.hint = jsonHint(b.schema, e.area.Value(), widget.Offset(e.area), v.seen.inBody)
		}
	case e.path:
		e.hint = hint{schema: draw.TextLine("path of a file; it is read when the request is sent", theme.Dim)}
	default:
		e.hint = v.fieldHint(v.current(), e.field.Value())
	}
}

// fieldHint returns the hint for the value of a row.
func (v *formView) fieldHint(r row, typed string) hint {
	switch r.kind {
	case fieldRow:
		p := v.form.fields[r.index].param
		texts := valueTexts(p.Schema, v.seen.of(p.In, p.Name, ""))
		h := hint{schema: schemaLine(p.Name, p.Schema, p.Required, p.Description), completion: completeField(texts, typed)}
		if p.Description == "" {
			h.schema = schemaLine(p.Name, p.Schema, p.Required, descriptionOf(p.Schema))
		}
		return h
	case formFieldRow:
		b, f := v.form.sentBody(), v.currentField()
		if b.schema == nil {
			return hint{}
		}
		s := b.schema.PropertySchema(f.name)
		h := hint{schema: schemaLine(f.name, s, f.required, descriptionOf(s))}
		if s != nil {
			h.completion = completeField(valueTexts(s, v.seen.inBody("/"+pointer.Escape(f.name))), typed)
		}
		return h
	case extraRow:
		return extraHint(v.form.extras[r.index].In, typed)
	}
	return extraHint(v.addition().location(), typed)
}

// seenValues are the values in answers that the inputs of an operation may take.
type seenValues []model.SeenValues

// of returns the values for an input: a parameter with a name, or a place in the body.
func (all seenValues) of(in model.Location, name, pointer string) []string {
	i := slices.IndexFunc(all, func(s model.SeenValues) bool {
		return s.In == in && s.Pointer == pointer && (pointer != "" || s.Name == name)
	})
	if i < 0 {
		return nil
	}
	return all[i].Values
}

// inBody returns the values for a place in the body.
func (all seenValues) inBody(pointer string) []string { return all.of(model.InBody, "", pointer) }

// complete replaces the completed part of the text by the next candidate. It reports whether that was the only candidate:
// something else may then follow.
func (e *edit) complete() (only bool) {
	c := &e.hint.completion
	if len(c.candidates) == 0 {
		return false
	}
	if e.area != nil {
		text, cursor := c.next(e.area.Value())
		widget.SetText(e.area, text, cursor)
		e.moved = true
	} else {
		text, _ := c.next(e.field.Value())
		e.field.SetValue(text)
		e.field.CursorEnd()
	}
	return len(c.candidates) == 1
}

// acceptEdit stores the typed value in the form. If the user has not changed the text of a body, the body stays as it
// is, because the text area does not show all bytes. The error says what is wrong with the value; the edit then stays
// open.
func (v *formView) acceptEdit() error {
	if v.edit.area != nil {
		if text := v.edit.area.Value(); text != v.edit.shown {
			v.form.sentBody().setText(text)
		}
		v.edit = edit{}
		return nil
	}
	if err := v.acceptField(v.current(), v.edit.field.Value()); err != nil {
		return err
	}
	v.edit = edit{}
	return nil
}

// acceptField stores the text of a row.
func (v *formView) acceptField(r row, text string) error {
	switch {
	case v.edit.path:
		v.useFile(strings.TrimSpace(text))
	case r.kind == fieldRow:
		v.form.fields[r.index].set(text)
	case r.kind == formFieldRow:
		v.acceptFormField(text)
	case v.addition() == addField && r.kind == addRow:
		return v.addFormField(text)
	default:
		return v.acceptExtra(r, text)
	}
	return nil
}

// acceptFormField sets the form field under the cursor. A value that the user has not changed stays as it is, because the
// field for typing does not show line ends.
func (v *formView) acceptFormField(text string) {
	f := v.currentField()
	if text != draw.Clean(f.value) {
		f.value = text
	}
	f.omitted, v.form.sentBody().edited = false, true
}

// useFile makes the row under the cursor a file. Without a path, the row stays as it is.
func (v *formView) useFile(path string) {
	if path == "" {
		return
	}
	u := &upload{path: path, size: -1}
	if f := v.currentField(); f != nil {
		f.file, f.omitted, v.form.sentBody().edited = u, false, true
		return
	}
	v.form.sentBody().useFile(u)
}

// addFormField adds a field to the form in the body.
func (v *formView) addFormField(text string) error {
	e, err := readExtra(model.InQuery, text)
	if err != nil {
		return err
	}
	b := v.form.sentBody()
	b.fields, b.edited = append(b.fields, formField{name: e.Name, value: e.Value}), true
	v.goTo(row{kind: formFieldRow, index: len(b.fields) - 1})
	return nil
}

// acceptExtra changes an undeclared argument, or adds one. A content type becomes the media type of the body, because a
// request has only one.
func (v *formView) acceptExtra(r row, text string) error {
	in := v.addition().location()
	if r.kind == extraRow {
		in = v.form.extras[r.index].In
	}
	e, err := readExtra(in, text)
	b := v.form.sentBody()
	switch {
	case err != nil:
		return err
	case in == model.InHeader && strings.EqualFold(e.Name, "Content-Type") && b != nil:
		return b.setMedia(e.Value)
	case r.kind == extraRow:
		v.form.extras[r.index] = e
	default:
		v.form.extras = append(v.form.extras, e)
		v.goTo(row{kind: addRow}) // for the next one
	}
	return nil
}

// cancelEdit restores the row as it was before the edit.
func (v *formView) cancelEdit() {
	if v.edit.fresh {
		v.form.bodyless = true
	}
	v.edit = edit{}
}

// setSize notes the size of a file.
func (f *form) setSize(path string, size int64) {
	for i := range f.bodies {
		b := &f.bodies[i]
		if b.file != nil && b.file.path == path {
			b.file = &upload{path: path, size: size}
		}
		for n := range b.fields {
			if u := b.fields[n].file; u != nil && u.path == path {
				b.fields[n].file = &upload{path: path, size: size}
			}
		}
	}
}

// areaHints returns the number of lines for the hint below a text area, in a pane with h lines.
func areaHints(h int) int { return min(3, max(1, h-6)) }

// fieldHints returns the number of lines for the hint below the rows, in a pane with h lines.
func fieldHints(h int) int {
	if h < 6 {
		return 1
	}
	return 2
}

// viewArea draws the text area with its hint and its keys.
func (e *edit) viewArea(width, height int) string {
	text := " " + strings.ReplaceAll(e.area.View(), "\n", "\n ")
	hints := areaHints(height)
	keys := " " + widget.KeyAndHelp(keyAccept) + "   " + widget.KeyAndHelp(keyCancel)
	if len(e.hint.completion.candidates) > 0 {
		keys += "   " + widget.KeyAndHelp(keyComplete)
	}
	return draw.JoinRows(draw.FitLines(text, width, max(0, height-1-hints)), e.viewHint(width, hints), keys)
}

// viewHint draws the hint in some lines.
func (e *edit) viewHint(width, lines int) string {
	var rows []string
	for _, line := range e.hint.lines(widget.KeyName(keyComplete), lines) {
		rows = append(rows, append(draw.TextLine(" ", theme.Plain), line...).Render(width, false))
	}
	return strings.Join(rows, "\n")
}
