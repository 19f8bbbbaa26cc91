package record

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// line is one of the list: an operation, or an exchange below it.
type line struct {
	group *group
	entry *entry // nil of an operation's own line
	shown int    // of an operation: the exchanges that fit the filter
}

// same tells whether two lines are of the same thing, of whatever state.
func (l line) same(o line) bool {
	if l.group.op != o.group.op || (l.entry == nil) != (o.entry == nil) {
		return false
	}
	return l.entry == nil || l.entry.ID == o.entry.ID
}

// narrow lists what fits the filter. The cursor stays on its line, and that where it is
// on the screen, as far as it is still there.
func (s *Screen) narrow() {
	was := s.line()
	var at line
	if was != nil {
		at = *was
	}
	s.shown = nil
	for _, g := range s.store.groups {
		s.shown = append(s.shown, s.lines(g)...)
	}
	if was == nil {
		return
	}
	index := slices.IndexFunc(s.shown, at.same)
	if index < 0 { // its operation is closed, or another exchange stands for its shape
		index = max(0, slices.IndexFunc(s.shown, line{group: at.group}.same))
	}
	s.list.Top += index - s.list.At
	s.list.At = index
}

// lines are those of an operation, none where nothing of it fits.
func (s *Screen) lines(g *group) []line {
	all := s.listed(g)
	if len(all) == 0 {
		return nil
	}
	out := []line{{group: g, shown: len(all)}}
	if g.open {
		for _, e := range all {
			out = append(out, line{group: g, entry: e})
		}
	}
	return out
}

// fits tells whether all words fit an exchange, and none of those behind "!".
func fits(e *entry, terms []string) bool {
	for _, t := range terms {
		bare, not := strings.CutPrefix(t, "!")
		if bare != "" && says(e, bare) == not {
			return false
		}
	}
	return true
}

// says tells whether a word is in an exchange's operation or path, is its status, such as
// "404" or "5xx", or is in a host to which something was sent.
func says(e *entry, word string) bool {
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), word) }
	status := strconv.Itoa(e.Reply.Status)
	if word == status || len(word) == 3 && word[1:] == "xx" && word[0] == status[0] {
		return true
	}
	return has(string(e.op)) || has(e.Request.Method+" "+e.Request.URL) || slices.ContainsFunc(e.Sent, func(x model.Sent) bool { return has(x.Host) || has(x.Name) })
}

// turn opens or closes the operation of the line under the cursor.
func (s *Screen) turn() {
	l := s.line()
	l.group.open = !l.group.open
	s.store.closed[l.group.op] = !l.group.open
	s.narrow()
}

// pick picks what is under the cursor, or takes that back: of an operation, all that is
// listed of it.
func (s *Screen) pick() {
	l := s.line()
	if l.entry != nil {
		s.store.turn(l.entry)
	} else {
		s.store.turn(s.listed(l.group)...)
	}
	s.narrow()
}

// pickAll picks all that is listed, or none of it where all is picked.
func (s *Screen) pickAll() tea.Cmd {
	var all []*entry
	for _, g := range s.store.groups {
		all = append(all, s.listed(g)...)
	}
	s.store.turn(all...)
	s.narrow()
	return screen.Tell(words.Plural(len(s.store.picks()), "exchange") + " picked")
}

// listed are the exchanges of an operation that fit the filter, also while it is closed.
func (s *Screen) listed(g *group) (all []*entry) {
	terms := strings.Fields(strings.ToLower(s.filter.Value()))
	for _, e := range g.all {
		if (s.all || e.first || s.store.picked[e.ID]) && fits(e, terms) {
			all = append(all, e)
		}
	}
	return all
}

// turn picks entries, or where all are picked none of them.
func (s *store) turn(entries ...*entry) {
	picked := slices.ContainsFunc(entries, func(e *entry) bool { return !s.picked[e.ID] })
	for _, e := range entries {
		if delete(s.picked, e.ID); picked {
			s.picked[e.ID] = true
		}
	}
}

// targets are the exchanges of which tests are made: those picked, or else the one under
// the cursor.
func (s *Screen) targets() []string {
	if ids := s.store.picks(); len(ids) > 0 {
		return ids
	}
	if x := s.served(); x != nil {
		return []string{x.ID}
	}
	if l := s.line(); l != nil {
		return []string{l.group.all[0].ID}
	}
	return nil
}
