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

// rowList is the list on the screen: the rows of the catalog that match the filter, sorted
// and below headings, and the cursor.
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
	stale  bool // the catalog has other rows since the list was refreshed
}

func newRowList(c *catalog) *rowList {
	return &rowList{
		catalog: c,
		find:    finder.New("operation, status:5xx, !not", "origin", "host", "length", "faults"),
	}
}

// open takes a spec whose rows are in the catalog.
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

// skips reports whether the cursor cannot be on a row, because it is a heading without keys.
func (l *rowList) skips(at int) bool { return l.rows[at].isHeading() && l.rows[at] != l.byValue.head }

// count returns the number of listed rows without headings.
func (l *rowList) count() int { return len(l.rows) - l.headings }

// refresh lists the rows again. A pinned cursor stays on its row and, if possible, on its
// line of the screen. A cursor that is not pinned goes to the first row.
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

// matching returns the rows that match the filter by their names, and those that match by their values and
// schemas. If no row matches by its names, the latter take the place of the former.
func (l *rowList) matching() (named, within []*row) {
	for _, r := range l.catalog.all() {
		if !l.origin.has(r) || !l.catalog.scope.has(r.Seq) {
			continue
		}
		switch l.find.Match(r.filterRow()) {
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

// fit sets how many rows are visible.
func (l *rowList) fit(height int) {
	l.cursor.Fit(len(l.rows), height)
	l.skipHeading()
}

// skipHeading moves the cursor from a heading to the next row in the direction in which it
// moved. When the cursor comes from below, it scrolls the heading of the first visible row
// into view.
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

// reveal puts the cursor on a row. It removes filters that hide the row, and leaves a scope without it.
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

// clearFilter removes the filter.
func (l *rowList) clearFilter() {
	l.find.SetText("")
	l.refresh()
}

func (l *rowList) nextOrigin() {
	l.origin = (l.origin + 1) % originFilters
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

// countFaults updates the counts of faults and targets, and lists the rows again if the list
// changes by that. It is called only while the screen is visible.
func (l *rowList) countFaults() {
	if l.catalog.analyzed == nil {
		return
	}
	if changed := l.catalog.countFaults(); l.stale || changed && l.dependsOnCounts() {
		l.refresh()
	}
	l.stale = false
}

// pressFilter handles a key while the filter has the focus. When the user leaves the filter,
// the cursor is pinned to the row that the filter found.
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

// click puts the cursor on the row that is y lines below the first visible row, and returns
// it. It returns nil if no row or a heading is there.
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
