package tui

import (
	"slices"

	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/tui/explore"
	"sonde/ui/tui/export"
	"sonde/ui/tui/graph"
	"sonde/ui/tui/groups"
	"sonde/ui/tui/network"
	"sonde/ui/tui/record"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search"
	"sonde/ui/tui/seqs"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// screenSet holds the eight screens, in the order of their tabs, and passes messages to them. One of the
// screens is visible.
type screenSet struct {
	all   []screen.Screen
	tab   screen.Tab // the visible screen
	remap keyRemap
}

func newScreens(e screen.Engine, h screen.Service) []screen.Screen {
	return []screen.Screen{
		explore.New(e, h), groups.New(e, h), graph.New(e),
		seqs.New(e, h), search.New(e, h), export.New(e, h),
		network.New(e, h), record.New(e, h),
	}
}

// visible returns the visible screen.
func (s *screenSet) visible() screen.Screen { return s.all[s.tab] }

// broadcast passes a message to all screens.
func (s *screenSet) broadcast(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, len(s.all))
	for i := range s.all {
		cmds[i] = s.update(screen.Tab(i), msg)
	}
	return tea.Batch(cmds...)
}

// update passes a message to one screen.
func (s *screenSet) update(tab screen.Tab, msg tea.Msg) (cmd tea.Cmd) {
	s.remap.during(s.all[tab], func() { s.all[tab], cmd = s.all[tab].Update(msg) })
	return cmd
}

// bringToFront makes a screen visible.
func (s *screenSet) bringToFront(tab screen.Tab) tea.Cmd {
	s.tab = tab
	return s.broadcast(screen.Shown{Tab: tab})
}

// picture draws the visible screen.
func (s *screenSet) picture(width, height int) (picture string) {
	s.remap.during(s.visible(), func() { picture = draw.FitLines(s.visible().View(width, height), width, height) })
	return picture
}

// startingRun reports whether a screen has requested a search that has no progress yet.
func (s *screenSet) startingRun() bool {
	return slices.ContainsFunc(s.all, func(s screen.Screen) bool {
		starter, ok := s.(screen.RunStarter)
		return ok && starter.RunStarting()
	})
}

// unfinishedWork describes unfinished work on a screen that would be lost if the app ended, "" for none.
func (s *screenSet) unfinishedWork() string {
	for _, one := range s.all {
		if h, ok := one.(screen.WorkHolder); ok && h.UnfinishedWork() != "" {
			return h.UnfinishedWork()
		}
	}
	return ""
}

// place returns the state of all screens that is restored when the spec is opened again.
func (s *screenSet) place() userdata.Place {
	p := userdata.Place{Tab: int(s.tab), Panes: s.splits()}
	for i := range s.all {
		s.savePlace(screen.Tab(i), &p)
	}
	return p
}

// savePlace stores the state of one screen in a place.
func (s *screenSet) savePlace(tab screen.Tab, p *userdata.Place) {
	if k, ok := s.all[tab].(screen.PlaceKeeper); ok {
		k.SavePlace(p)
	}
}

// tabOf returns the tab of the screen that was visible at a place.
func (s *screenSet) tabOf(p userdata.Place) screen.Tab {
	return screen.Tab(max(0, min(p.Tab, len(s.all)-1)))
}

// spotOn returns the spot that the user reaches by going to a screen while an operation is selected.
func (s *screenSet) spotOn(tab screen.Tab, selected model.OpID) spot {
	if l, ok := s.all[tab].(screen.LocationProvider); ok {
		op, _ := l.Location()
		return spot{tab: tab, op: op}
	}
	if tab == screen.TabGraph {
		return spot{tab: tab, op: selected}
	}
	return spot{tab: tab}
}

// breadcrumbs returns the name of the visible screen and the names of the position on it.
func (s *screenSet) breadcrumbs(selected model.OpID) []string {
	names := []string{s.visible().Name()}
	if l, ok := s.visible().(screen.LocationProvider); ok {
		_, more := l.Location()
		return append(names, more...)
	}
	if op := s.spotOn(s.tab, selected).op; op != "" {
		names = append(names, string(op))
	}
	return names
}

// position returns the innermost name of the position on the visible screen, "" if there is none.
func (s *screenSet) position() string {
	l, ok := s.visible().(screen.LocationProvider)
	if !ok {
		return ""
	}
	op, names := l.Location()
	if len(names) == 0 {
		return string(op)
	}
	return names[len(names)-1]
}

// keyName returns the name of the user's key for an action on a screen. If the screen does not list the action now,
// keyName returns the default name, which is usual.
func (s *screenSet) keyName(tab screen.Tab, action, usual string) string {
	one := s.all[tab]
	for _, b := range s.remap.named(one, one.Keys()) {
		if b.Help().Desc == action {
			return widget.KeyName(b)
		}
	}
	return usual
}

// mainKeys returns the keys of the visible screen for the key line. It leaves out keys without a help
// text, and keys that move the cursor in every list.
func (s *screenSet) mainKeys() []key.Binding {
	return slices.DeleteFunc(withHelp(s.visible().Keys()), movesCursor)
}
