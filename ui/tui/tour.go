package tui

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// tour leads a person through the app. It lies below the screen and takes no key of its
// own but two: each step says what to do, and is over when the person has done it.
type tour struct {
	at    int   // the step, -1 while the tour is only offered
	since sight // when the step began
}

// sight is what a tour knows of the app.
type sight struct {
	tab    screen.Tab
	op     model.OpID // looked at
	filter string
	picks  int
	run    model.Snapshot
	demo   bool // nobody minds if it is searched
	typing bool
}

var (
	keyOnward  = key.NewBinding(key.WithKeys("ctrl+n"), key.WithHelp("ctrl+n", "skip"))
	keyBegin   = key.NewBinding(key.WithKeys("ctrl+n"), key.WithHelp("ctrl+n", "take it"))
	keyEndTour = key.NewBinding(key.WithKeys("ctrl+x"), key.WithHelp("ctrl+x", "leave"))
	keyNoTour  = key.NewBinding(key.WithKeys("ctrl+x"), key.WithHelp("ctrl+x", "not now"))
)

// sight is how the app looks to a tour.
func (a *app) sight() sight {
	return sight{
		tab:    a.tab,
		op:     a.op,
		filter: a.place().Filter,
		picks:  a.picks,
		run:    a.run,
		demo:   a.host.Name == "demo",
		typing: a.typing() || a.overlay != nil,
	}
}

// beginTour begins at the first step; again, too.
func (a *app) beginTour() tea.Cmd {
	a.tour = &tour{since: a.sight()}
	return tea.Batch(a.show(screen.TabExplore), a.fit())
}

// greet offers the tour to who is here for the first time, or begins it.
func (a *app) greet() tea.Cmd {
	switch a.home.Tour {
	case screen.TourOffered:
		a.tour = &tour{at: -1}
		return a.fit()
	case screen.TourBegins:
		return a.beginTour()
	}
	return nil
}

// touring takes the keys of a tour, and reports whether it was one.
func (a *app) touring(k tea.KeyMsg) (cmd tea.Cmd, mine bool) {
	switch {
	case a.tour == nil:
		return nil, false
	case key.Matches(k, keyEndTour):
		return a.endTour(), true
	case key.Matches(k, keyBegin) && a.tour.at < 0:
		return a.beginTour(), true
	case key.Matches(k, keyOnward):
		return a.onward(), true
	}
	return nil, false
}

// follow goes on with the tour where its step is done.
func (a *app) follow() tea.Cmd {
	if a.tour == nil || a.tour.at < 0 || a.study == nil {
		return nil
	}
	now := a.sight()
	if a.tour.since.op == "" {
		a.tour.since.op = now.op // the screen has only now said where it begins
	}
	if now.typing || !steps[a.tour.at].done(a.tour.since, now) {
		return nil
	}
	return a.onward()
}

// onward goes to the next step that can be done here.
func (a *app) onward() tea.Cmd {
	now := a.sight()
	for a.tour.at++; a.tour.at < len(steps); a.tour.at++ {
		if s := steps[a.tour.at]; s.needs == nil || s.needs(now) {
			a.tour.since = now
			return a.fit()
		}
	}
	return a.endTour()
}

func (a *app) endTour() tea.Cmd {
	a.tour = nil
	return a.fit()
}

// tourBox is the step as it stands below a screen; the zero Frame where there is no tour.
func (a *app) tourBox() (f draw.Frame, text string) {
	if a.tour == nil {
		return f, ""
	}
	title, says, keys := "New here?", "A tour shows you around, here and now, in 60 seconds.", []key.Binding{keyBegin, keyNoTour}
	if i := a.tour.at; i >= 0 {
		title, says, keys = fmt.Sprintf("Tour %d/%d", i+1, len(steps)), steps[i].says(a), []key.Binding{keyOnward, keyEndTour}
	}
	note := widget.KeyName(keys[0]) + " " + keys[0].Help().Desc + "  " + widget.KeyName(keys[1]) + " " + keys[1].Help().Desc
	text = " " + strings.ReplaceAll(ansi.Wrap(says, max(1, a.width-4), ""), "\n", "\n ")
	return draw.Frame{Title: title, Note: note, Width: a.width, Height: 3 + strings.Count(text, "\n"), Focused: true}, text
}

// fit tells the screens how much room a tour leaves them.
func (a *app) fit() tea.Cmd {
	return a.broadcast(tea.WindowSizeMsg{Width: a.width, Height: a.room()})
}

// room is the height of a screen.
func (a *app) room() int {
	f, _ := a.tourBox()
	return max(0, a.height-above-below-f.Height)
}
