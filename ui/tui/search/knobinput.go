package search

import (
	"strings"

	"sonde/ui/draw"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// typing reports whether the text field is open.
func (p *knobsPane) typing() bool { return p.input != nil }

// edit opens a text field on the knob under the cursor. The typed text replaces the value. If the text is empty, the
// value stays.
func (p *knobsPane) edit(shown string) {
	input := widget.ValueField("")
	input.CharLimit, input.Width = 10, 10
	input.Placeholder = shown
	p.input, p.err = &input, nil
}

// typeKey handles a key in the text field.
func (p *knobsPane) typeKey(k tea.KeyMsg) {
	input, _ := p.input.Update(k)
	p.input, p.err = &input, nil
}

// cancel closes the text field, and ends a drag, without changing the knob.
func (p *knobsPane) cancel() { p.input, p.err, p.drag = nil, nil, nil }

// typingKnob reports whether the value of a knob of the run is typed.
func typingKnob(m *Model) bool { return m.page == pageRun && !m.inPast && m.panes.knobs.typing() }

// editKnob opens a text field on the knob under the cursor.
func editKnob(m *Model) {
	k := m.panes.knobs.chosen()
	m.panes.knobs.edit(strings.TrimSpace(k.show(k.get(m.run.tuning))))
}

// acceptKnob changes the knob to the typed value. If the value is invalid, the text field stays open.
func acceptKnob(m *Model) {
	p, k := &m.panes.knobs, m.panes.knobs.chosen()
	text := strings.TrimSpace(p.input.Value())
	if text == "" {
		p.cancel()
		return
	}
	value, err := k.parse(text)
	if err != nil {
		p.err = err
		return
	}
	p.cancel()
	m.run.setKnob(k, value)
}

// mouse handles a mouse event over the sliders, which are in the pane at r. change is what the event changes, nil for
// nothing. A value that is dragged is set when the button is released, so that a drag is one command. done reports
// whether a slider has handled the event.
func (p *knobsPane) mouse(r draw.Rect, msg tea.MouseMsg) (change func(*trackedRun), done bool) {
	inner := r.W - 2
	width, column := knobSliderWidth(inner), knobSliderColumn(inner)
	x := msg.X - r.X - 1 - column
	if p.drag != nil {
		return p.dragTo(msg, draw.SliderShare(x, width)), true
	}
	row := p.list
	if !r.Has(msg.X, msg.Y) || !row.Click(msg.Y-r.Y-1) || x < knobValueColumn(inner)-column || x >= width {
		return nil, false
	}
	k, wheel := knobs[row.At], widget.WheelRows(msg)
	switch {
	case wheel != 0:
		return func(run *trackedRun) { run.adjustKnob(k, adjustment{up: wheel < 0}) }, true
	case !widget.LeftClick(msg) || x < 0:
		return nil, false
	}
	p.list = row
	if x == 0 || x == width-1 { // an arrow
		return func(run *trackedRun) { run.adjustKnob(k, adjustment{up: x > 0}) }, true
	}
	value := k.at(draw.SliderShare(x, width))
	p.drag = &value
	return nil, true
}

// dragTo moves the dragged slider to a share. When the button is released, it returns the change.
func (p *knobsPane) dragTo(msg tea.MouseMsg, share float64) func(*trackedRun) {
	k := p.chosen()
	if msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionMotion {
		value := k.at(share)
		p.drag = &value
		return nil
	}
	value := *p.drag
	p.drag = nil
	return func(run *trackedRun) { run.setKnob(k, value) }
}
