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

// menu is a box with the answers and faults that can be injected for a host.
type menu struct {
	host        model.HostSummary
	protocol    model.Protocol
	anyProtocol bool // the protocol is unknown: the user chooses HTTP or TCP
	choices     []choice
	list        widget.List
	place       draw.Rect        // where the rows were last drawn
	field       *textinput.Model // text field for the content of an answer; nil while the list has the focus
	err         error
}

func newMenu(h model.HostSummary) *menu {
	m := &menu{host: h, protocol: h.Protocol}
	m.anyProtocol = protocolUnknown(&h)
	if m.anyProtocol {
		m.protocol = model.HTTP
	}
	m.fill()
	return m
}

// fill sets the choices for the protocol.
func (m *menu) fill() {
	m.choices = slices.Concat(answers[m.protocol], resourceChoices(m.host), m.faults())
	m.list.Fit(len(m.choices), len(m.choices))
}

// update handles a key. chosen is the stub that the user chose, if any, and open reports whether the menu
// stays open.
func (m *menu) update(k tea.KeyMsg) (chosen *model.Stub, open bool) {
	m.err = nil
	switch {
	case m.field != nil:
		return m.pressInField(k)
	case key.Matches(k, keyCancel, keyInject):
		return nil, false
	case key.Matches(k, keyProtocol) && m.anyProtocol:
		m.switchProtocol()
	case key.Matches(k, keyChoose):
		return m.choose()
	default:
		m.list.Key(k)
	}
	return nil, true
}

// mouse moves the cursor.
func (m *menu) mouse(msg tea.MouseMsg) {
	m.list.Go(m.list.At + widget.WheelRows(msg))
	if m.field == nil && widget.LeftClick(msg) && m.place.Has(msg.X, msg.Y) {
		m.list.Click(msg.Y - m.place.Y)
	}
}

// switchProtocol switches between HTTP and TCP.
func (m *menu) switchProtocol() {
	if m.protocol == model.HTTP {
		m.protocol = model.TCP
	} else {
		m.protocol = model.HTTP
	}
	m.list.At = 0
	m.fill()
}

// choose returns the stub of the choice under the cursor. If the choice has content, choose opens the field for the
// content instead. Its results have the same meaning as those of update.
func (m *menu) choose() (*model.Stub, bool) {
	c := m.choices[m.list.At]
	if c.content == "" {
		return m.makeStub(c, "")
	}
	field := widget.ValueField(m.initialContent(c))
	m.field = &field
	return nil, true
}

// pressInField handles a key while the user types the content of an answer. Its results have the same meaning as
// those of update.
func (m *menu) pressInField(k tea.KeyMsg) (*model.Stub, bool) {
	switch {
	case key.Matches(k, keyCancel):
		m.field = nil
	case key.Matches(k, keyChoose):
		return m.makeStub(m.choices[m.list.At], m.field.Value())
	default:
		field, _ := m.field.Update(k)
		m.field = &field
	}
	return nil, true
}

func (m *menu) makeStub(c choice, typed string) (*model.Stub, bool) {
	s, err := m.stub(c, typed)
	m.err = err
	if err != nil {
		return nil, true
	}
	return &s, false
}
