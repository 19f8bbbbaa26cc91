package network

import (
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// menu is the short list of what a host can be had to do.
type menu struct {
	host     model.HostSummary
	protocol model.Protocol
	either   bool // whether the host speaks HTTP or not is not known
	choices  []choice
	list     widget.List
	place    draw.Rect        // of the rows, as last drawn
	field    *textinput.Model // while what is said is being typed
	err      error
}

func newMenu(h model.HostSummary) *menu {
	m := &menu{host: h, protocol: h.Protocol}
	m.either = kindOf(&h) == outward && h.Protocol == model.TCP && !h.ProtocolKnown
	if m.either {
		m.protocol = model.HTTP
	}
	m.fill()
	return m
}

// fill lists what a host of the protocol can do.
func (m *menu) fill() {
	m.choices = slices.Concat(answers[m.protocol], m.faults())
	m.list.Fit(len(m.choices), len(m.choices))
}

// update takes a key. It returns the stub once one is chosen, and whether the menu
// stays open.
func (m *menu) update(k tea.KeyMsg) (chosen *model.Stub, open bool) {
	m.err = nil
	switch {
	case m.field != nil:
		return m.typed(k)
	case key.Matches(k, keyLeave, keyInject):
		return nil, false
	case key.Matches(k, keyEither) && m.either:
		m.turn()
	case key.Matches(k, keyChoose):
		return m.choose()
	default:
		m.list.Key(k)
	}
	return nil, true
}

// mouse moves the cursor to what was clicked.
func (m *menu) mouse(msg tea.MouseMsg) {
	m.list.Go(m.list.At + widget.WheelRows(msg))
	if m.field == nil && widget.LeftClick(msg) && m.place.Has(msg.X, msg.Y) {
		m.list.Click(msg.Y - m.place.Y)
	}
}

// turn goes on to the other protocol that the host may speak.
func (m *menu) turn() {
	if m.protocol == model.HTTP {
		m.protocol = model.TCP
	} else {
		m.protocol = model.HTTP
	}
	m.list.At = 0
	m.fill()
}

// choose takes the choice under the cursor, or has typed first what it says.
func (m *menu) choose() (*model.Stub, bool) {
	c := m.choices[m.list.At]
	if c.says == "" {
		return m.make(c, "")
	}
	field := widget.ValueField(m.usual(c))
	m.field = &field
	return nil, true
}

// typed takes a key while what the host says is being typed.
func (m *menu) typed(k tea.KeyMsg) (*model.Stub, bool) {
	switch {
	case key.Matches(k, keyLeave):
		m.field = nil
	case key.Matches(k, keyChoose):
		return m.make(m.choices[m.list.At], m.field.Value())
	default:
		field, _ := m.field.Update(k)
		m.field = &field
	}
	return nil, true
}

func (m *menu) make(c choice, typed string) (*model.Stub, bool) {
	s, err := m.stub(c, typed)
	m.err = err
	if err != nil {
		return nil, true
	}
	return &s, false
}
