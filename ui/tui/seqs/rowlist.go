package seqs

import (
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// rowList is the list on the screen: the rows of the catalog that match the filter, sorted and grouped, and
// the cursor.
type rowList struct {
	catalog  *catalog
	find     finder.FilterLine
	origin   originFilter
	order    order
	groups   grouper
	rows     []*row // the listed rows and their headings
	headings int
	byValue  byValue
	shared   shared // what all listed rows have in common

	cursor widget.List
	last   int  // the cursor's position before it moved
	pinned bool // the cursor stays on its row when the list changes
	stale  bool // the rows of the catalog have changed since the last refresh
}

func newRowList(c *catalog) *rowList {
	return &rowList{
		catalog: c,
		find:    finder.New("operation, status:5xx, !not", "origin", "host", "length", "faults", "outcome"),
	}
}

// open sets the spec, whose rows are already in the catalog.
func (l *rowList) open(analyzed *screen.AnalyzedSpec) {
	l.groups = grouper{
		by:        l.groups.by,
		analyzed:  analyzed,
		names:     screen.GroupNames(analyzed.Groups),
		resources: map[model.OpID]string{},
	}
	l.find.SetIndex(analyzed.Index)
}

// current returns the seq under the cursor, nil if there is none.
func (l *rowList) current() *row {
	if l.onByValue() {
		return nil
	}
	return l.under()
}

// under returns the row or the heading under the cursor, nil if the list is empty.
func (l *rowList) under() *row {
	if l.cursor.At >= len(l.rows) {
		return nil
	}
	return l.rows[l.cursor.At]
}

// skips reports whether the cursor skips a row, because it is a heading without actions.
func (l *rowList) skips(at int) bool { return l.rows[at].isHeading() && l.rows[at] != l.byValue.head }

// count returns the number of listed rows without headings.
func (l *rowList) count() int { return len(l.rows) - l.headings }

// refresh lists the rows again. A pinned cursor stays on its row and, if possible, on its line of the screen. If the
// cursor is not pinned, or if its row is no longer listed, the cursor moves to the first row.
func (l *rowList) refresh() {
	var at *row
	if l.pinned {
		at = l.under()
	}
	onByValue := l.pinned && l.onByValue()
	named, within := l.matching()
	l.rows, l.headings = l.groups.arrange(named)
	l.addByValue(within)
	if onByValue {
		at = l.byValue.head
	}
	index := max(0, slices.Index(l.rows, at))
	l.cursor.Top += index - l.cursor.At
	l.cursor.At = index
	l.fit(l.cursor.Height)
}

// matching returns the rows that match the filter. named has the rows that match by their names. within has the rows
// that match only by their values and schemas. If no row matches by name, named has the rows that match by value, and
// within is nil.
func (l *rowList) matching() (named, within []*row) {
	for _, r := range l.catalog.all() {
		if !l.origin.has(r) || !l.catalog.scope.has(r.Seq) {
			continue
		}
		switch l.find.Match(r.filterRow(func() string { return l.catalog.resultOf(r).Kind.String() })) {
		case filter.NameMatch:
			named = append(named, r)
		case filter.ContentMatch:
			within = append(within, r)
		}
	}
	l.order.sort(named)
	l.order.sort(within)
	if len(named) == 0 {
		return within, nil
	}
	return named, within
}

// fit sets the number of visible rows, and moves the cursor from a heading to a row.
func (l *rowList) fit(height int) {
	l.cursor.Fit(len(l.rows), height)
	l.skipHeading()
}

// skipHeading moves the cursor from a heading to the next row, in the direction of the last move. When the
// cursor moves up, the list scrolls to show the heading of the first visible row.
func (l *rowList) skipHeading() {
	c, up := &l.cursor, l.cursor.At < l.last
	if l.headings > 0 && l.skips(c.At) {
		if up && c.At > 0 {
			c.Go(c.At - 1)
		} else {
			c.Go(c.At + 1)
		}
	}
	if up && l.headings > 0 && c.Top == c.At && c.At > 0 && c.Height > 1 && l.skips(c.At-1) {
		c.Top--
	}
	l.last = c.At
}

// reveal moves the cursor to a row. It removes filters that hide the row, and leaves the scope if the row
// is not in it.
func (l *rowList) reveal(r *row) {
	l.refresh()
	if !slices.Contains(l.rows, r) {
		l.find.SetText("")
		l.origin = allOrigins
		l.refresh()
	}
	if !slices.Contains(l.rows, r) {
		l.catalog.leaveScope()
		l.refresh()
	}
	l.cursor.Go(slices.Index(l.rows, r))
	l.pinned = true
}

// goTo moves the cursor to a row, if it is listed.
func (l *rowList) goTo(r *row) {
	if i := slices.Index(l.rows, r); i >= 0 {
		l.cursor.Go(i)
		l.pinned = true
	}
}

// clearFilter removes the filter.
func (l *rowList) clearFilter() {
	l.find.SetText("")
	l.refresh()
}

// nextOrigin filters by the next origin that a row has.
func (l *rowList) nextOrigin() {
	for range originFilters {
		l.origin = (l.origin + 1) % originFilters
		if l.origin == allOrigins || slices.ContainsFunc(l.catalog.all(), l.origin.has) {
			break
		}
	}
	l.refresh()
}

func (l *rowList) nextOrder() {
	l.order = (l.order + 1) % orders
	l.refresh()
}

func (l *rowList) nextGrouping() {
	l.groups.by = (l.groups.by + 1) % groupings
	l.refresh()
}

// dependsOnCounts reports whether the list or its order depends on the counts of faults
// and targets.
func (l *rowList) dependsOnCounts() bool {
	return l.order == byFaults || l.order == byOnly || l.find.MentionsFact("faults")
}

// countFaults updates the counts of faults and targets. It refreshes the list if the list is stale, or if a count
// that affects the list has changed. It must be called only while the screen is visible.
func (l *rowList) countFaults() {
	if l.catalog.analyzed == nil {
		return
	}
	if changed := l.catalog.countFaults(); l.stale || changed && l.dependsOnCounts() {
		l.refresh()
	}
	l.stale = false
}

// pressFilter handles a key while the filter has the focus. When the user leaves the filter, and the filter is not
// empty, the cursor is pinned to its row.
func (l *rowList) pressFilter(k tea.KeyMsg) tea.Cmd {
	before := l.find.Text()
	cmd := l.find.HandleKey(k)
	l.pinned = l.pinned || !l.find.Typing() && !l.find.IsEmpty()
	if l.find.Text() != before {
		l.byValue.unfolded = false
		l.refresh()
	}
	return cmd
}

// click moves the cursor to the row that is y lines below the first visible row, and returns the row. It returns nil
// if there is no row. It also returns nil for a heading: the heading of seqs by value folds or unfolds its section,
// and from another heading the cursor moves on to a row.
func (l *rowList) click(y int) *row {
	if !l.cursor.Click(y) {
		return nil
	}
	heading := l.under().isHeading()
	l.pinned, l.last = true, l.cursor.At
	l.skipHeading()
	switch {
	case l.onByValue() && heading:
		l.toggleByValue()
		return nil
	case heading:
		return nil
	}
	return l.current()
}

// scroll moves the cursor by some rows.
func (l *rowList) scroll(by int) {
	l.cursor.Go(l.cursor.At + by)
	l.pinned = true
}

// targets returns the visible rows of a list at r, as places to jump to.
func (l *rowList) targets(r draw.Rect) []screen.PointAt {
	var all []screen.PointAt
	from, to := l.cursor.Visible()
	for i := range to - from {
		if !l.skips(from + i) {
			all = append(all, screen.PointAt{X: r.X + 1, Y: r.Y + 1 + l.headLines(r) + i})
		}
	}
	return all
}
