package groups

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
)

// groupTable is the list of the groups that match the filter. It has a cursor.
type groupTable struct {
	analyzed *screen.AnalyzedSpec // nil before a spec is opened
	run      model.Snapshot
	find     finder.FilterLine
	rows     widget.List
	order    []int // the group of each row
	byNumber bool  // the groups are sorted by number, rather than by size
	asMap    bool  // shown as a treemap
}

// open lists the groups of another spec.
func (t *groupTable) open(analyzed *screen.AnalyzedSpec) {
	t.analyzed, t.order = analyzed, nil
	t.find.SetIndex(analyzed.Index)
	t.sort()
}

// group returns the group under the cursor, -1 if there is none.
func (t *groupTable) group() int {
	if t.rows.At >= len(t.order) {
		return -1
	}
	return t.order[t.rows.At]
}

// moveTo puts the cursor on a group, and reports whether the group matches the filter.
func (t *groupTable) moveTo(group int) bool {
	row := slices.Index(t.order, group)
	if row < 0 {
		return false
	}
	t.rows.Go(row)
	return true
}

// sort lists the groups that match the filter, the largest first or by number. The cursor stays on
// its group.
func (t *groupTable) sort() {
	at := t.group()
	t.order = slices.DeleteFunc(span(0, len(t.analyzed.Groups)), func(g int) bool { return !t.fits(g) })
	if !t.byNumber {
		slices.SortStableFunc(t.order, func(a, b int) int {
			return len(t.analyzed.Groups[b].Operations) - len(t.analyzed.Groups[a].Operations)
		})
	}
	t.rows.Fit(len(t.order), t.rows.Height)
	t.rows.Go(slices.Index(t.order, at))
}

// span returns the numbers from from to before to.
func span(from, to int) []int {
	out := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// fits reports whether a group matches the filter.
func (t *groupTable) fits(group int) bool {
	g := t.analyzed.Groups[group]
	row := filter.Row{Operations: g.Operations, Words: []string{screen.GroupName(g)}, Values: g.Values}
	if t.find.MentionsFact("status") {
		for _, op := range g.Operations {
			row.Statuses = append(row.Statuses, t.analyzed.Index.StatusesOf(op, t.run)...)
		}
	}
	return t.find.Match(row) != filter.NoMatch
}

// filtering, opFits and valuesFit make the table a memberFilter.
func (t *groupTable) filtering() bool { return !t.find.IsEmpty() }

func (t *groupTable) opFits(op model.OpID) bool {
	row := filter.Row{Operations: []model.OpID{op}, Statuses: t.analyzed.Index.StatusesOf(op, t.run)}
	return t.find.Match(row) != filter.NoMatch
}

func (t *groupTable) valuesFit(names []string) bool {
	return t.find.Match(filter.Row{Values: names}) != filter.NoMatch
}

// head returns the number of lines above the rows of the table: the filter, its problems, and the
// heads of the columns.
func (t *groupTable) head(r draw.Rect) int { return 2 + len(t.find.ProblemLines(r.W-2)) }

// title returns how many groups are listed and, if it is not the default, the mode in which they
// were made.
func (t *groupTable) title() string {
	title := "Groups"
	if len(t.order) != len(t.analyzed.Groups) {
		title = fmt.Sprintf("Groups %d of %d", len(t.order), len(t.analyzed.Groups))
	}
	if mode := t.analyzed.Matcher.Mode; mode != match.DefaultMode {
		title += "  " + modeText(mode)
	}
	return title
}

// mapSize returns the size of the treemap in a pane, which fills the lines below the filter.
func (t *groupTable) mapSize(r draw.Rect) (width, height int) {
	return max(0, r.W-2), max(0, r.H-2-t.head(r)+1)
}

// blocks returns the treemap of the listed groups, in a pane.
func (t *groupTable) blocks(r draw.Rect) []block {
	size := func(row int) int { return len(t.analyzed.Groups[t.order[row]].Operations) }
	w, h := t.mapSize(r)
	return tile(span(0, len(t.order)), size, draw.Rect{W: w, H: h})
}

// click puts the cursor on the group at a cell inside a pane, and reports whether a group is there.
func (t *groupTable) click(r draw.Rect, x, y int) bool {
	if !t.asMap {
		return t.rows.Click(y - t.head(r))
	}
	for _, b := range t.blocks(r) {
		if b.Has(x, y-t.head(r)+1) {
			t.rows.Go(b.rows[0])
			return true
		}
	}
	return false
}
