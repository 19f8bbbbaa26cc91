package widget

import (
	"strings"
	"time"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// ConfirmPause is the time in which a new box ignores keys, so that a key for the screen below does not
// answer the box.
const ConfirmPause = 500 * time.Millisecond

// HostAllowed is sent when the user has allowed calls to a host on another machine, so that no other screen
// asks again.
type HostAllowed struct{ URL string }

// Answer is the user's answer to a Confirm.
type Answer int

// The answers: none yet, and the two that close the box.
const (
	NoAnswer Answer = iota
	Yes
	No
)

// Confirm is a box with a question, which the user answers by key.
type Confirm struct {
	title, text string
	yes, no     key.Binding
	pauseID     *pauseID // nil when the pause has ended
}

// pauseID is the pause of a box. Its address identifies the box, so the type must not have size zero.
type pauseID struct{ _ byte }

type pauseEnded struct{ of *pauseID }

// NewConfirm returns an open box. It ignores keys until it gets the message of the returned Cmd, after pause.
func NewConfirm(title, text string, yes, no key.Binding, pause time.Duration) (Confirm, tea.Cmd) {
	d := new(pauseID)
	wait := func(time.Time) tea.Msg { return pauseEnded{d} }
	return Confirm{title: title, text: text, yes: yes, no: no, pauseID: d}, tea.Tick(pause, wait)
}

// Update handles a message. It returns the answer if the message is a key for an answer, otherwise NoAnswer.
func (b Confirm) Update(msg tea.Msg) (Confirm, Answer) {
	switch msg := msg.(type) {
	case pauseEnded:
		if msg.of == b.pauseID {
			b.pauseID = nil
		}
	case tea.KeyMsg:
		switch {
		case b.pauseID != nil:
		case key.Matches(msg, b.yes):
			return b, Yes
		case key.Matches(msg, b.no):
			return b, No
		}
	}
	return b, NoAnswer
}

// Keys returns the keys that answer.
func (b Confirm) Keys() []key.Binding { return []key.Binding{b.yes, b.no} }

// Over draws the box in the middle of a picture of width × height cells.
func (b Confirm) Over(picture string, width, height int) string {
	w := min(max(30, ansi.StringWidth(b.title)+6), width)
	if need := ansi.StringWidth(b.text) + 4; need > w {
		w = min(need, width, 60)
	}
	text := strings.Split(ansi.Wrap(b.text, max(1, w-4), ""), "\n")
	text = text[:max(0, min(len(text), height-4))] // keeps the answers visible
	body := indent(strings.Join(text, "\n") + "\n\n" + option(b.yes) + "   " + option(b.no))
	frame := draw.Frame{Title: theme.Strong.Render(b.title), Width: w, Height: min(lines(body)+2, height), Focused: true}
	return draw.Overlay(picture, frame.Render(body), (width-w)/2, (height-frame.Height)/2)
}

func option(k key.Binding) string {
	return theme.Active.Render(KeyName(k)) + " " + k.Help().Desc
}

func indent(text string) string {
	return " " + strings.ReplaceAll(text, "\n", "\n ")
}

func lines(text string) int { return strings.Count(text, "\n") + 1 }
