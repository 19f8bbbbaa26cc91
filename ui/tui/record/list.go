package record

import (
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// exchangeList is the list of operations with their exchanges, its filter and its picks.
type exchangeList struct {
	store store
	shown []line // the lines that match the filter
	list  widget.List
	find  finder.FilterLine
	best  filter.MatchRank // how well the shown lines match the filter
	all   bool             // list every exchange, not just one of each shape
	names draw.SeqNames    // how operations are named
}

func newExchangeList() exchangeList {
	return exchangeList{store: newStore(), find: finder.New("operation, status:5xx, !not", "host")}
}

// reset drops the lines and the picks, because another recording is shown.
func (el *exchangeList) reset() {
	el.store.forget()
	el.list, el.shown = widget.List{}, nil
}

// line is a line of the list: an operation, or an exchange below it.
type line struct {
	group *group
	entry *entry // nil if the line is an operation
	shown int    // number of listed exchanges, if the line is an operation
}

// same reports whether two lines have the same operation and exchange.
func (l line) same(o line) bool {
	if l.group.op != o.group.op || (l.entry == nil) != (o.entry == nil) {
		return false
	}
	return l.entry == nil || l.entry.ID == o.entry.ID
}

// narrow lists the exchanges that match the filter. The cursor stays on its line. If this line is no longer listed,
// the cursor moves to the line of the operation. If the operation is not listed, either, the cursor moves to the
// first line. The line under the cursor keeps its position on the screen.
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
	if index < 0 { // the operation is folded, or another exchange with the same shape is listed instead
		index = max(0, slices.IndexFunc(el.shown, line{group: at.group}.same))
	}
	el.list.Top += index - el.list.At
	el.list.At = index
}

// lines returns the lines of an operation, or none if no exchange of the operation is listed.
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

// sift determines how well an exchange must match the filter to be listed. If an exchange matches by its own names
// and facts, only such exchanges are listed. If there is no such exchange, the exchanges that match by the values of
// their operation are listed.
func (el *exchangeList) sift() {
	el.best = filter.ContentMatch
	for _, g := range el.store.groups {
		for _, e := range g.all {
			el.best = max(el.best, el.find.Match(e.filterRow()))
		}
	}
}

// filterRow returns an exchange as a row for a filter: its operation, status and path, and the hosts that
// the service called.
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

// toggleFold folds or unfolds the operation of the line under the cursor.
func (el *exchangeList) toggleFold() {
	l := el.line()
	l.group.open = !l.group.open
	el.store.closed[l.group.op] = !l.group.open
	el.narrow()
}

// pick picks or unpicks the exchange under the cursor. On the line of an operation, it picks or unpicks all
// its listed exchanges.
func (el *exchangeList) pick() {
	l := el.line()
	if l.entry != nil {
		el.store.togglePicks(l.entry)
	} else {
		el.store.togglePicks(el.listed(l.group)...)
	}
	el.narrow()
}

// pickAll picks all listed exchanges. If all of them are picked already, it unpicks them.
func (el *exchangeList) pickAll() tea.Cmd {
	var all []*entry
	for _, g := range el.store.groups {
		all = append(all, el.listed(g)...)
	}
	el.store.togglePicks(all...)
	el.narrow()
	return screen.ShowStatus(words.Plural(len(el.store.picks()), "exchange") + " picked")
}

// listed returns the exchanges of an operation that match the filter, even if the operation is folded. If the list
// shows one exchange of each shape, listed returns only the first exchange of each shape, and the picked exchanges.
func (el *exchangeList) listed(g *group) (all []*entry) {
	for _, e := range g.all {
		represents := el.all || e.first || el.store.picked[e.ID]
		if represents && (el.find.IsEmpty() || el.find.Match(e.filterRow()) >= el.best) {
			all = append(all, e)
		}
	}
	return all
}

// togglePicks picks entries. If all of the entries are picked already, it unpicks them.
func (s *store) togglePicks(entries ...*entry) {
	picked := slices.ContainsFunc(entries, func(e *entry) bool { return !s.picked[e.ID] })
	for _, e := range entries {
		delete(s.picked, e.ID)
		if picked {
			s.picked[e.ID] = true
		}
	}
}

// targets returns the IDs of the exchanges for tests: the picked exchanges or, if none is picked, the exchange under
// the cursor. If the cursor is on the line of an operation, it returns the ID of the operation's first exchange.
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

// served returns the exchange under the cursor, or nil if there is none.
func (el *exchangeList) served() *model.ServedRequest {
	if l := el.line(); l != nil && l.entry != nil {
		return l.entry.ServedRequest
	}
	return nil
}

// line returns the line under the cursor, or nil if there is none.
func (el *exchangeList) line() *line {
	if el.list.At < len(el.shown) {
		return &el.shown[el.list.At]
	}
	return nil
}
