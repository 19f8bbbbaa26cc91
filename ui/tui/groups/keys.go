package groups

import (
	"slices"

	"sonde/ui/pane"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/save"
	"sonde/ui/tui/sheet"

	"github.com/charmbracelet/bubbles/key"
)

var (
	keyMembers = key.NewBinding(key.WithKeys("enter", "right"), key.WithHelp("⏎", "operations"))
	keyExplore = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "in explore"))
	keyWhy     = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "why it is one"))
	keyGraph   = key.NewBinding(key.WithKeys("g"), key.WithHelp("g", "in graph"))
	keyTable   = key.NewBinding(key.WithKeys("esc", "left"), key.WithHelp("esc", "groups"))
	keyLeave   = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "groups"))
	keyPane    = key.NewBinding(key.WithKeys("v"), key.WithHelp("v", "next pane"))
	keyTree    = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "as a tree"))
	keyPicture = key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "as a figure"))
	keySort    = key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "sort by size or number"))
	keyBlocks  = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "groups as a treemap"))
	keyRows    = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "groups as a list"))
	keyMatch   = key.NewBinding(key.WithKeys("m"))
	keyValues  = key.NewBinding(key.WithKeys("V"))
	keyRule    = key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "seqs by DC or SC"))
)

// Keys are the keys that matter now.
func (s *Screen) Keys() []key.Binding {
	switch {
	case s.save.Typing():
		return s.save.Keys()
	case s.Typing():
		return s.find.Keys()
	case s.study != nil && s.group() < 0:
		return s.narrowing()
	case s.focus == table:
		return slices.Concat([]key.Binding{keyMembers, keyPane, keyRule}, s.narrowing(), s.ways(), []key.Binding{keySort, keyGraph}, s.exports(), s.moves())
	case s.focus == picture && s.study != nil && s.tree():
		return append([]key.Binding{keyExplore, keyPicture, keyLeave, keyPane, keyRule, keyGraph, finder.Open, save.Key}, pane.Moves()...)
	case s.focus == picture:
		keys := append([]key.Binding{keyExplore, keyTree, keyLeave, keyPane, keyRule, keyGraph, finder.Open}, s.exports()...)
		return append(keys, s.scrolls(sheet.Arrows, sheet.Letters)...)
	case s.focus == members && s.value() != "":
		return append([]key.Binding{keyWhy, keyTable, keyPane, keyRule, finder.Open}, s.moves()...)
	}
	return append([]key.Binding{keyExplore, keyGraph, keyTable, keyPane, keyRule, finder.Open}, s.moves()...)
}

// ways are the keys that group in another way, and show the groups in another.
func (s *Screen) ways() []key.Binding {
	match, values := keyMatch, keyValues
	match.SetHelp("m", "match: "+string(names(s.read.way).Match))
	values.SetHelp("V", "values: "+string(depths(s.read.way).Values))
	if s.asMap {
		return []key.Binding{match, values, keyRows}
	}
	return []key.Binding{match, values, keyBlocks}
}

// exports is the key that exports the figure, where there is one.
func (s *Screen) exports() []key.Binding {
	if s.drawing() == nil {
		return nil
	}
	return []key.Binding{save.Key}
}

// narrowing are the keys of the filter, in the table.
func (s *Screen) narrowing() []key.Binding {
	if s.find.Text() != "" {
		return []key.Binding{finder.Open, finder.Clear}
	}
	return []key.Binding{finder.Open}
}

// moves are the keys of lists, and those of the figure beside them.
func (s *Screen) moves() []key.Binding {
	return append(pane.Moves(), s.scrolls(sheet.Shifts)...)
}

// scrolls are the keys that scroll the figure, if there is more of it than is
// in sight.
func (s *Screen) scrolls(sets ...sheet.Keys) []key.Binding {
	if d := s.drawing(); d == nil || s.tree() || d.sheet.Whole() {
		return nil
	}
	return sheet.Bindings(sets...)
}
