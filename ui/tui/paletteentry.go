package tui

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// paletteEntry is a line of the palette: an action, or a place to go to.
type paletteEntry struct {
	name, where string
	folded      string // the name in lower case
	keywords    string // further words by which the entry is found
	key         string // the key that has the same effect, "" for none
	unavailable string // the reason why the action is unavailable, "" if it is available; do is nil if the action is unavailable
	do          invoke
	op          model.OpID // the operation to which the entry goes, "" for other entries
}

// invoke is the action of an entry. It is sent as a message, and called after the palette has closed.
type invoke func(*app) tea.Cmd

func newEntry(e paletteEntry) *paletteEntry {
	e.folded = strings.ToLower(e.name)
	return &e
}

// paletteEntries returns the actions of all screens, then the actions of the frame, and then all places. The actions
// of the visible screen come first.
func (a *app) paletteEntries() []*paletteEntry {
	frame := frameEntries(a.frame)
	if a.spec.opened == nil {
		return frame
	}
	return slices.Concat(a.screens.entries(), frame, a.places.of(a.screens.all, a.spec.opened))
}

// placeList caches the places of the open spec, because a large spec has thousands of places.
type placeList struct {
	spec    *screen.AnalyzedSpec
	entries []*paletteEntry
}

// of returns entries for the screens, and for the groups and operations of a spec.
func (l *placeList) of(screens []screen.Screen, spec *screen.AnalyzedSpec) []*paletteEntry {
	if l.spec != spec {
		*l = placeList{spec: spec, entries: placeEntries(screens, spec)}
	}
	return l.entries
}

// entries returns the actions of all screens. The actions of the visible screen come first.
func (s *screenSet) entries() []*paletteEntry {
	var all []*paletteEntry
	count := screen.Tab(len(s.all))
	for i := range count {
		all = append(all, s.entriesOf((s.tab+i)%count)...)
	}
	return all
}

// entriesOf returns the actions of a screen. The available actions come first.
func (s *screenSet) entriesOf(tab screen.Tab) []*paletteEntry {
	shown := s.all[tab]
	var all []*paletteEntry
	now := slices.DeleteFunc(withHelp(shown.Keys()), movesCursor)
	for i, b := range s.remap.named(shown, now) {
		all = append(all, newEntry(paletteEntry{
			name:  b.Help().Desc,
			where: shown.Name(),
			key:   widget.KeyName(b),
			do:    pressOn(tab, now[i]),
		}))
	}
	actor, ok := shown.(screen.ActionLister)
	if !ok {
		return all
	}
	for _, action := range actor.Actions() {
		b := action.Key
		if action.Why != "" && !movesCursor(b) && !slices.ContainsFunc(now, func(n key.Binding) bool { return n.Help() == b.Help() }) {
			all = append(all, newEntry(paletteEntry{
				name:        b.Help().Desc,
				where:       shown.Name(),
				key:         widget.KeyName(b),
				unavailable: action.Why,
			}))
		}
	}
	return all
}

// pressOn returns the action that goes to a screen and presses a key there. If the screen no longer lists the key,
// the action only shows a message.
func pressOn(tab screen.Tab, b key.Binding) invoke {
	return func(a *app) tea.Cmd {
		cmd := a.nav.show(tab)
		if !slices.ContainsFunc(a.screens.all[tab].Keys(), func(n key.Binding) bool { return n.Help() == b.Help() }) {
			return tea.Batch(cmd, screen.ShowStatus("that can't be done any more: "+b.Help().Desc))
		}
		return tea.Batch(cmd, a.screens.update(tab, keyMessage(b.Keys()[0])))
	}
}

// frameEntries returns the actions of the frame.
func frameEntries(frame keymap.Map[*app]) []*paletteEntry {
	var all []*paletteEntry
	for _, b := range frame.Listed() {
		if key.Matches(keyMessage(b.Keys()[0]), keyNumber, keyPalette) {
			continue // the screens have their own entries, and the palette is open
		}
		do := func(a *app) tea.Cmd { return a.press(keyMessage(b.Keys()[0])) }
		all = append(all, newEntry(paletteEntry{name: b.Help().Desc, where: "Sonde", key: widget.KeyName(b), do: do}))
	}
	return all
}

// placeEntries returns the screens, groups and operations as places to go to.
func placeEntries(screens []screen.Screen, spec *screen.AnalyzedSpec) []*paletteEntry {
	var all []*paletteEntry
	for i, s := range screens {
		all = append(all, newEntry(paletteEntry{name: s.Name(), where: "screen", key: fmt.Sprint(i + 1), do: goTo(screen.Tab(i), "")}))
	}
	names := screen.GroupNames(spec.Groups)
	for i, g := range spec.Groups {
		name := fmt.Sprintf("group %d  %s", i+1, names[i])
		all = append(all, newEntry(paletteEntry{name: name, where: "group", do: goTo(screen.TabGroups, g.Operations[0])}))
	}
	for _, op := range spec.Spec.Operations {
		all = append(all, newEntry(paletteEntry{
			name:     draw.Clean(string(op.ID)),
			where:    "operation",
			keywords: strings.ToLower(draw.Clean(op.Name + " " + op.Summary)),
			do:       goTo(screen.TabExplore, op.ID),
			op:       op.ID,
		}))
	}
	return all
}

// order returns the rank of an entry. Entries with a higher rank come first. The rank depends on the score.
// With equal scores, available entries come first.
func (e scoredEntry) order() int {
	if e.do == nil {
		return 2 * e.score
	}
	return 2*e.score + 1
}

// match returns a score for how well an entry matches words, -1 if a word does not match.
func (e *paletteEntry) match(words []string) int {
	sum, name := 0, e.folded
	for _, w := range words {
		switch {
		case strings.HasPrefix(name, w):
			sum += 5
		case strings.Contains(name, " "+w):
			sum += 4
		case strings.Contains(name, w):
			sum += 3
		case filter.FindWord(w, e.name) != nil:
			sum += 2
		case strings.HasPrefix(strings.ToLower(e.where), w), strings.Contains(e.keywords, w):
			sum++
		default:
			return -1
		}
	}
	return sum
}
