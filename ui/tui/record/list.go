package record

import (
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/tui/filter"
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

// same reports whether two lines are of the same thing, of whatever state.
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
	s.sift()
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

// sift finds out how well what is listed has to fit: by its own names and facts or,
// where nothing does, by what its operation takes and emits.
func (s *Screen) sift() {
	s.best = filter.Within
	for _, g := range s.store.groups {
		for _, e := range g.all {
			s.best = max(s.best, s.find.Fit(e.asked()))
		}
	}
}

// asked is what a filter sees of an exchange: its operation, status and path, and the
// hosts to which something was sent.
func (e *entry) asked() filter.Row {
	var hosts []string
	for _, x := range e.Sent {
		hosts = append(hosts, x.Host, x.Name)
	}
	row := filter.Row{
		Words: append(hosts[:len(hosts):len(hosts)], e.Request.Method+" "+e.Request.URL),
		Fact:  func(string) []string { return hosts },
	}
	if e.op != "" {
		row.Ops = []model.OpID{e.op}
	}
	if e.Reply.Status > 0 {
		row.Statuses = []string{strconv.Itoa(e.Reply.Status)}
	}
	return row
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
	for _, e := range g.all {
		if (s.all || e.first || s.store.picked[e.ID]) && (s.find.Empty() || s.find.Fit(e.asked()) >= s.best) {
			all = append(all, e)
		}
	}
	return all
}

// turn picks entries, or where all are picked none of them.
func (s *store) turn(entries ...*entry) {
	picked := slices.ContainsFunc(entries, func(e *entry) bool { return !s.picked[e.ID] })
	for _, e := range entries {
		delete(s.picked, e.ID)
		if picked {
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
