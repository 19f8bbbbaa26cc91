package record

import (
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// exchangeList is the list of operations with their exchanges, its filter and what is picked.
type exchangeList struct {
	store store
	shown []line // that match the filter
	list  widget.List
	find  finder.FilterLine
	best  filter.MatchRank // how well the shown lines match the filter
	all   bool             // every exchange is listed, not one of each shape
}

func newExchangeList() exchangeList {
	return exchangeList{store: newStore(), find: finder.New("operation, status:5xx, !not", "host")}
}

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

// narrow lists what matches the filter. The cursor stays on its line, which stays in place on the
// screen.
func (el *exchangeList) narrow() {
	was := el.line()
	var at line
	if was != nil {
		at = *was
	}
	el.sift()
	el.shown = nil
	for _, g := range el.store.groups {
		el.shown = append(el.shown, el.lines(g)...)
	}
	if was == nil {
		return
	}
	index := slices.IndexFunc(el.shown, at.same)
	if index < 0 { // its operation is closed, or another exchange represents its shape
		index = max(0, slices.IndexFunc(el.shown, line{group: at.group}.same))
	}
	el.list.Top += index - el.list.At
	el.list.At = index
}

// lines are those of an operation, none where nothing of it matches.
func (el *exchangeList) lines(g *group) []line {
	all := el.listed(g)
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

// sift finds how well a line must match the filter: by its own names and facts or, where none does,
// by what its operation takes and emits.
func (el *exchangeList) sift() {
	el.best = filter.ContentMatch
	for _, g := range el.store.groups {
		for _, e := range g.all {
			el.best = max(el.best, el.find.Match(e.filterRow()))
		}
	}
}

// filterRow is an exchange as the filter reads it: its operation, status and path, and the
// hosts to which something was sent.
func (e *entry) filterRow() filter.Row {
	var hosts []string
	for _, x := range e.OutwardCalls {
		hosts = append(hosts, x.Host, x.Name)
	}
	row := filter.Row{
		Words:      append(hosts[:len(hosts):len(hosts)], e.Request.Method+" "+e.Request.URL),
		FactValues: func(string) []string { return hosts },
	}
	if e.op != "" {
		row.Operations = []model.OpID{e.op}
	}
	if e.Reply.Status > 0 {
		row.Statuses = []string{strconv.Itoa(e.Reply.Status)}
	}
	return row
}

// turn opens or closes the operation of the line under the cursor.
func (el *exchangeList) turn() {
	l := el.line()
	l.group.open = !l.group.open
	el.store.closed[l.group.op] = !l.group.open
	el.narrow()
}

// pick picks what is under the cursor, or takes that back: of an operation, all that is
// listed of it.
func (el *exchangeList) pick() {
	l := el.line()
	if l.entry != nil {
		el.store.turn(l.entry)
	} else {
		el.store.turn(el.listed(l.group)...)
	}
	el.narrow()
}

// pickAll picks all that is listed, or none of it where all is picked.
func (el *exchangeList) pickAll() tea.Cmd {
	var all []*entry
	for _, g := range el.store.groups {
		all = append(all, el.listed(g)...)
	}
	el.store.turn(all...)
	el.narrow()
	return screen.ShowStatus(words.Plural(len(el.store.picks()), "exchange") + " picked")
}

// listed are the exchanges of an operation that fit the filter, also while it is closed.
func (el *exchangeList) listed(g *group) (all []*entry) {
	for _, e := range g.all {
		if (el.all || e.first || el.store.picked[e.ID]) && (el.find.IsEmpty() || el.find.Match(e.filterRow()) >= el.best) {
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
func (el *exchangeList) targets() []string {
	if ids := el.store.picks(); len(ids) > 0 {
		return ids
	}
	if x := el.served(); x != nil {
		return []string{x.ID}
	}
	if l := el.line(); l != nil {
		return []string{l.group.all[0].ID}
	}
	return nil
}

// served is the exchange under the cursor, nil where there is none.
func (el *exchangeList) served() *model.ServedRequest {
	if l := el.line(); l != nil && l.entry != nil {
		return l.entry.ServedRequest
	}
	return nil
}

// line is the line under the cursor, nil where there is none.
func (el *exchangeList) line() *line {
	if el.list.At < len(el.shown) {
		return &el.shown[el.list.At]
	}
	return nil
}
