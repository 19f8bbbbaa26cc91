package tui

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// tour guides the user through the app, in a box below the screen. The text of a step describes an action.
// The step ends when the user has done this action. The next step then begins with a line that says what the action
// has changed. The tour uses two keys and leaves all others to the app. The zero value is a tour that is not shown.
type tour struct {
	state  tourState
	at     int       // the index of the step
	since  tourScene // the scene when the step began
	arrows arrows    // the arrow keys that the user pressed during the tour
	did    string    // what the action of the step before has changed, "" if the user skipped that step
}

// arrows counts pressed arrow keys.
type arrows struct {
	count int
	moved bool // the last one changed what the screen shows
}

// tourState is the state of a tour: hidden, offered or running.
type tourState int

const (
	tourHidden tourState = iota
	tourOffered
	tourRunning
)

// tourScene holds the parts of the app's state that the tour needs.
type tourScene struct {
	tab     screen.Tab
	op      model.OpID // the selected operation
	filter  string     // the filter of the operations on Explore
	picks   int
	run     model.Snapshot
	demo    bool   // the service is the demo, which a search can't harm
	url     string // the URL of the service
	typing  bool   // a text field has the focus, or a box is open
	where   string // the name of the position on the screen, such as that of a folder
	arrows  arrows
	keyName func(tab screen.Tab, action, usual string) string
}

var (
	keyTourNext    = key.NewBinding(key.WithKeys("ctrl+n"), key.WithHelp("ctrl+n", "skip"))
	keyTourBegin   = key.NewBinding(key.WithKeys("ctrl+n"), key.WithHelp("ctrl+n", "take it"))
	keyTourEnd     = key.NewBinding(key.WithKeys("ctrl+x"), key.WithHelp("ctrl+x", "leave"))
	keyTourDecline = key.NewBinding(key.WithKeys("ctrl+x"), key.WithHelp("ctrl+x", "not now"))
)

// tourAction is the effect of a key on a tour.
type tourAction int

const (
	tourNone  tourAction = iota // the key is for the app
	tourBegun                   // the user accepted the offer
	tourMoved                   // the step has changed, or the tour has ended
)

// offer asks the user whether to begin the tour.
func (t *tour) offer() { *t = tour{state: tourOffered} }

// begin goes to the first step.
func (t *tour) begin(now tourScene) { *t = tour{state: tourRunning, since: now, arrows: now.arrows} }

func (t *tour) shown() bool { return t.state != tourHidden }

// end hides the tour.
func (t *tour) end() { *t = tour{} }

// press handles the keys of the tour.
func (t *tour) press(k tea.KeyMsg, now tourScene) tourAction {
	switch {
	case t.state == tourHidden:
		return tourNone
	case key.Matches(k, keyTourEnd):
		t.end()
		return tourMoved
	case key.Matches(k, keyTourBegin) && t.state == tourOffered:
		t.begin(now)
		return tourBegun
	case key.Matches(k, keyTourNext):
		t.next(now)
		return tourMoved
	}
	return tourNone
}

// watches reports whether the tour must know what a key changes.
func (t *tour) watches(k tea.KeyMsg) bool {
	return t.state == tourRunning && key.Matches(k, append(widget.MoveKeys(), keySideways)...)
}

// keySideways are the arrow keys that are not in widget.MoveKeys.
var keySideways = key.NewBinding(key.WithKeys("left", "right"))

// pressedArrow counts an arrow key. moved reports whether the key changed what the screen shows.
func (t *tour) pressedArrow(moved bool) { t.arrows = arrows{count: t.arrows.count + 1, moved: moved} }

// follow goes to the next step and returns true if the user has done the current step. Otherwise it returns false.
func (t *tour) follow(now tourScene) bool {
	if t.state != tourRunning {
		return false
	}
	if t.since.op == "" {
		t.since.op, t.since.where = now.op, now.where // the screen selects its first operation only after the tour began
	}
	if now.typing {
		return false
	}
	if !steps[t.at].done(t.since, now) {
		t.since.tab = now.tab // the step also ends if the user leaves the screen and comes back
		return false
	}
	did := steps[t.at].did(t.since, now)
	t.next(now)
	t.did = did
	return true
}

// next goes to the next possible step. After the last step it ends the tour.
func (t *tour) next(now tourScene) {
	t.did = ""
	for t.at++; t.at < len(steps); t.at++ {
		if s := steps[t.at]; s.needs == nil || s.needs(now) {
			t.since = now
			return
		}
	}
	t.end()
}

// minConfirming is the minimum height of an app in which the tour has room to say what the user has done.
const minConfirming = 16

// box returns the box for the tour and the text in it, for an app of the given size.
func (t *tour) box(width, height int, now tourScene) (f draw.Frame, text string) {
	title, says := "New here?", "A tour shows you around, here and now, in 60 seconds."
	keys := [2]key.Binding{keyTourBegin, keyTourDecline}
	if t.state == tourRunning {
		title, says = fmt.Sprintf("Tour %d/%d", t.at+1, len(steps)), steps[t.at].text(now)
		keys = [2]key.Binding{keyTourNext, keyTourEnd}
	}
	var names []string
	for _, k := range keys {
		names = append(names, widget.KeyName(k)+" "+k.Help().Desc)
	}
	if t.did != "" && height >= minConfirming {
		says = theme.Picked + " " + t.did + "\n" + says
	}
	text = " " + strings.ReplaceAll(ansi.Wrap(says, max(1, width-4), ""), "\n", "\n ")
	return draw.Frame{
		Title:   title,
		Note:    strings.Join(names, "  "),
		Width:   width,
		Height:  3 + strings.Count(text, "\n"),
		Focused: true,
	}, text
}
