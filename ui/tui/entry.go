package tui

import (
	"fmt"
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// entry is a line of the palette: something to do, or somewhere to go.
type entry struct {
	name, where string
	also        string // what else it is found by
	key         string // that does the same; "" for none
	why         string // it can't be done now; then do is nil
	do          invoke
	score       int // how well it fits what is looked for
}

// invoke is what an entry does, once the palette is closed.
type invoke func(*app) tea.Cmd

// entries are what each screen does, first the one on show, what the frame does,
// and where one can go.
func (a *app) entries() []entry {
	if a.study == nil {
		return a.frameEntries()
	}
	var all []entry
	for i := range a.screens {
		all = append(all, a.screenEntries((a.tab+screen.Tab(i))%screen.Tab(len(a.screens)))...)
	}
	return slices.Concat(all, a.frameEntries(), a.places())
}

// screenEntries are what a screen does now, then what it does at other times.
func (a *app) screenEntries(tab screen.Tab) []entry {
	s := a.screens[tab]
	var all []entry
	now := slices.DeleteFunc(shown(s.Keys()), known)
	for i, b := range a.rebound.named(s, now) {
		all = append(all, entry{name: b.Help().Desc, where: s.Name(), key: widget.KeyName(b), do: press(tab, now[i])})
	}
	actor, ok := s.(screen.ActionLister)
	if !ok {
		return all
	}
	for _, action := range actor.Actions() {
		b := action.Key
		if action.Why != "" && !slices.ContainsFunc(now, func(n key.Binding) bool { return n.Help() == b.Help() }) {
			all = append(all, entry{name: b.Help().Desc, where: s.Name(), key: widget.KeyName(b), why: action.Why})
		}
	}
	return all
}

// press goes to a screen and presses a key there, if that still does the same.
func press(tab screen.Tab, b key.Binding) invoke {
	return func(a *app) tea.Cmd {
		cmd := a.show(tab)
		if !slices.ContainsFunc(a.screens[tab].Keys(), func(n key.Binding) bool { return n.Help() == b.Help() }) {
			return tea.Batch(cmd, screen.ShowStatus("that can't be done any more: "+b.Help().Desc))
		}
		return tea.Batch(cmd, a.toScreen(pressed(b.Keys()[0])))
	}
}

func (a *app) frameEntries() []entry {
	var all []entry
	for _, b := range a.frame.Listed() {
		if key.Matches(pressed(b.Keys()[0]), keyNumber, keyPalette) {
			continue // the screens are listed below
		}
		do := func(a *app) tea.Cmd { return a.press(pressed(b.Keys()[0])) }
		all = append(all, entry{name: b.Help().Desc, where: "Sonde", key: widget.KeyName(b), do: do})
	}
	return all
}

// places are the screens, groups and operations.
func (a *app) places() []entry {
	var all []entry
	for i, s := range a.screens {
		all = append(all, entry{name: s.Name(), where: "screen", key: fmt.Sprint(i + 1), do: goTo(screen.Tab(i), "")})
	}
	for i, g := range a.study.Groups {
		name := fmt.Sprintf("group %d  %s", i+1, screen.GroupName(g))
		all = append(all, entry{name: name, where: "group", do: goTo(screen.TabGroups, g.Operations[0])})
	}
	for _, op := range a.study.Spec.Operations {
		also := strings.ToLower(draw.Clean(op.Name + " " + op.Summary))
		all = append(all, entry{name: draw.Clean(string(op.ID)), where: "operation", also: also, do: goTo(screen.TabExplore, op.ID)})
	}
	return all
}

// order is higher for what stands further up.
func (e entry) order() int {
	if e.do == nil {
		return 2 * e.score
	}
	return 2*e.score + 1
}

// match says how well words fit an entry, all of them; -1 where one does not.
func (e entry) match(words []string) int {
	sum, name := 0, strings.ToLower(e.name)
	for _, w := range words {
		switch {
		case strings.HasPrefix(name, w):
			sum += 5
		case strings.Contains(name, " "+w):
			sum += 4
		case strings.Contains(name, w):
			sum += 3
		case filter.Find(w, e.name) != nil:
			sum += 2
		case strings.HasPrefix(strings.ToLower(e.where), w), strings.Contains(e.also, w):
			sum++
		default:
			return -1
		}
	}
	return sum
}
