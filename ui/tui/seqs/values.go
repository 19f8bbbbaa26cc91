package seqs

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// value is one that a call on the bench is sent with.
type value struct {
	in   model.Location
	name string // "" for the whole body
	arg  int    // among the call's, -1 where it is left out
	text string
}

// valuesOf are those of a call that no call before it gives.
func (s *store) valuesOf(c model.Call, bound []need) (all []value) {
	given := func(in model.Location, name string) bool {
		return slices.ContainsFunc(bound, func(n need) bool { return n.in == in && n.name == name })
	}
	for i, a := range c.Args {
		if !given(a.In, a.Name) {
			all = append(all, value{in: a.In, name: a.Name, arg: i, text: a.PlainValue()})
		}
	}
	op := s.study.Spec.Operation(c.Op)
	if op == nil {
		return all
	}
	for _, p := range op.Params {
		sent := slices.ContainsFunc(c.Args, func(a model.Arg) bool { return a.In == p.In && a.Name == p.Name })
		if !sent && !given(p.In, p.Name) {
			all = append(all, value{in: p.In, name: p.Name, arg: -1, text: ""})
		}
	}
	return all
}

// edit is what is being typed on the bench.
type edit struct {
	field *textinput.Model
	area  *textarea.Model
	call  int
	value value
}

func (e edit) open() bool { return e.field != nil || e.area != nil }

// fit gives what is being typed its size.
func (e edit) fit(width, height int) {
	if e.area != nil {
		e.area.SetWidth(max(1, width))
		e.area.SetHeight(max(1, height))
	}
	if e.field != nil {
		e.field.Width = max(1, width-inset-len(e.value.name)-3)
	}
}

// begin begins to type a value of a call.
func (b *bench) begin(call int, v value) {
	b.edit = edit{call: call, value: v}
	if v.in == model.InBody {
		area := widget.TextArea(widget.EscapeControls(pretty(v.text)))
		b.edit.area = &area
		return
	}
	field := widget.ValueField(draw.Clean(v.text))
	b.edit.field = &field
}

// typedOn takes a key while a value is typed.
func (s *Screen) typedOn(k tea.KeyMsg) tea.Cmd {
	e := &s.bench.edit
	switch {
	case key.Matches(k, keyCancel):
		*e = edit{}
	case e.field != nil && key.Matches(k, keyAccept):
		return s.take(e.field.Value())
	case e.field != nil:
		field, _ := e.field.Update(k)
		e.field = &field
	case key.Matches(k, keyTake):
		return s.take(e.area.Value())
	default:
		area, _ := e.area.Update(k)
		e.area = &area
	}
	return nil
}

// take gives a call what was typed. What no call before is to give any more is noted.
func (s *Screen) take(text string) tea.Cmd {
	e := s.bench.edit
	s.bench.edit = edit{}
	d := s.bench.on.draft()
	if d == nil {
		return nil
	}
	steps := slices.Clone(s.bench.on.steps)
	st, call := &steps[e.call], e.value.put(d.Calls[e.call], text)
	st.call = &call
	if e.value.name != "" {
		st.typed = append(slices.Clone(st.typed), e.value.place())
	}
	return s.change(steps)
}

// place is the value's name as links have it.
func (v value) place() string { return placed(v.in, v.name) }

// put is a call with another text for a value.
func (v value) put(c model.Call, text string) model.Call {
	switch {
	case v.in == model.InBody:
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
