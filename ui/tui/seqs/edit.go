package seqs

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// callValue is a value of a call that the user can type in the builder.
type callValue struct {
	in   model.Location
	name string // "" for the whole body
	arg  int    // the index in Call.Args, -1 if the value is not sent
	text string
}

// valuesOf returns the values of a call outside the body, including parameters that are not sent. It leaves out the
// values in bound.
func valuesOf(spec *model.Spec, c model.Call, bound []need) (all []callValue) {
	provided := func(in model.Location, name string) bool {
		return slices.ContainsFunc(bound, func(n need) bool { return n.in == in && n.name == name })
	}
	for i, a := range c.Args {
		if !provided(a.In, a.Name) {
			all = append(all, callValue{in: a.In, name: a.Name, arg: i, text: a.PlainValue()})
		}
	}
	op := spec.Operation(c.Op)
	if op == nil {
		return all
	}
	for _, p := range op.Params {
		sent := slices.ContainsFunc(c.Args, func(a model.Arg) bool { return a.In == p.In && a.Name == p.Name })
		if !sent && !provided(p.In, p.Name) {
			all = append(all, callValue{in: p.In, name: p.Name, arg: -1})
		}
	}
	return all
}

// applyTo returns a copy of a call in which this value has the given text.
func (v callValue) applyTo(c model.Call, text string) model.Call {
	if v.in == model.InBody {
		c.Body = &model.Payload{Media: c.Body.Media, Data: strings.TrimSpace(text)}
		return c
	}
	c.Args = slices.Clone(c.Args)
	at := v.arg
	if at < 0 {
		at = slices.IndexFunc(c.Args, func(a model.Arg) bool { return a.In == v.in && a.Name == v.name })
	}
	if at < 0 {
		c.Args = append(c.Args, model.Arg{In: v.in, Name: v.name, Value: text})
		return c
	}
	c.Args[at] = c.Args[at].WithValue(text)
	return c
}

// edit is the editor of one value of a call. A body is typed in a text area, any other value in a text
// field. The zero value is closed.
type edit struct {
	field *textinput.Model
	area  *textarea.Model
	shown string // the initial text of the area
	call  int
	value callValue
}

// newEdit opens an editor for a value of a call.
func newEdit(call int, v callValue) edit {
	e := edit{call: call, value: v}
	if v.in == model.InBody {
		area := widget.TextArea(widget.EscapeControls(indentJSON(v.text)))
		e.area, e.shown = &area, area.Value()
		return e
	}
	field := widget.ValueField(draw.Clean(v.text))
	e.field = &field
	return e
}

func (e *edit) open() bool { return e.field != nil || e.area != nil }

// typeKey handles a key in the field or area.
func (e *edit) typeKey(k tea.KeyMsg) {
	if e.area != nil {
		area, _ := e.area.Update(k)
		e.area = &area
		return
	}
	field, _ := e.field.Update(k)
	e.field = &field
}

// unchangedBytes reports whether the edited value is a body that is not text, and the user has not changed the
// description of the body in the text area.
func (e *edit) unchangedBytes(c model.Call) bool {
	return e.area != nil && !c.Body.IsText() && e.area.Value() == e.shown
}

// text returns the typed text.
func (e *edit) text() string {
	if e.area != nil {
		return e.area.Value()
	}
	return e.field.Value()
}

// fit sets the size of the field or area.
func (e *edit) fit(width, height int) {
	if e.area != nil {
		e.area.SetWidth(max(1, width))
		e.area.SetHeight(max(1, height))
	}
	if e.field != nil {
		e.field.Width = max(1, width-inset-len(e.value.name)-3)
	}
}
