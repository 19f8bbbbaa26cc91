package groups

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// groupTable is the list of groups, and of clusters of large groups, that match the filter. It has a
// cursor.
type groupTable struct {
	analyzed *screen.AnalyzedSpec // nil before a spec is opened
	run      model.Snapshot
	sections *sections
	find     finder.FilterLine
	rows     widget.List
	order    []int            // the section of each row
	found    []sectionMatch   // index: section; nil without a filter
	best     filter.MatchRank // the best rank in found
	most     int              // number of rows without a filter
	byNumber bool             // sort the groups by number instead of by size
	asMap    bool             // shown as a treemap
}

// open lists the groups of a new spec.
func (t *groupTable) open(analyzed *screen.AnalyzedSpec) {
	t.analyzed, t.order, t.sections = analyzed, nil, newSections(analyzed)
	t.find.SetIndex(analyzed.Index)
	t.sort()
}

// section returns the section under the cursor, or -1 if there is none.
func (t *groupTable) section() int {
	if t.rows.At >= len(t.order) {
		return -1
	}
	return t.order[t.rows.At]
}

// moveTo moves the cursor to a section. It reports whether the section is listed.
func (t *groupTable) moveTo(section int) bool {
	row := slices.Index(t.order, section)
	if row < 0 {
		return false
	}
	t.rows.Go(row)
	return true
}

// sort lists the sections that match the filter, sorted by size or by number. The cursor stays on its section if the
// section is still listed.
func (t *groupTable) sort() {
	at := t.section()
	t.search()
	t.order = t.sections.order(t.listed, t.size, !t.byNumber, t.filtering())
	t.most = len(t.sections.order(func(int) bool { return true }, t.size, false, false))
	t.rows.Fit(len(t.order), t.rows.Height)
	t.rows.Go(slices.Index(t.order, at))
}

// span returns the numbers of the range [from, to).
func span(from, to int) []int {
	out := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// toggle folds or unfolds the parts of the section under the cursor.
func (t *groupTable) toggle() {
	at := t.section()
	t.sections.open[at] = !t.sections.open[at]
	t.sort()
}

// onAreas reports whether the cursor is on a large group. The screen then shows the areas of the group, and does not
// follow the cursor of another screen to an operation.
func (t *groupTable) onAreas() bool {
	at := t.section()
	return at >= 0 && t.sections.list[at].depth == 0 && t.sections.list[at].large()
}

// divided reports whether the section under the cursor has parts.
func (t *groupTable) divided() bool {
	at := t.section()
	return at >= 0 && len(t.sections.list[at].parts) > 0
}

// sectionMatch says how well a section matches the filter.
type sectionMatch struct {
	rank filter.MatchRank
	ops  int // number of its operations with that rank
}

// search matches the sections with the filter.
func (t *groupTable) search() {
	t.found, t.best = nil, filter.NoMatch
	if !t.filtering() {
		return
	}
	ranks := map[model.OpID]filter.MatchRank{}
	for _, op := range t.analyzed.Spec.Operations {
		ranks[op.ID] = t.opRank(op.ID)
	}
	for _, s := range t.sections.list {
		m := t.match(s, ranks)
		t.found, t.best = append(t.found, m), max(t.best, m.rank)
	}
}

// match returns how well a section matches. ranks are the ranks of operations. If no operation of the
// section matches, the section may match by its name or its values.
func (t *groupTable) match(s section, ranks map[model.OpID]filter.MatchRank) (m sectionMatch) {
	for _, op := range s.ops {
		switch rank := ranks[op]; {
		case rank > m.rank:
			m = sectionMatch{rank: rank, ops: 1}
		case rank == m.rank && rank != filter.NoMatch:
			m.ops++
		}
	}
	if m.rank == filter.NoMatch {
		m.rank = t.find.Match(filter.Row{Words: []string{s.name}, Values: s.values})
	}
	return m
}

// listed reports whether a section is listed. A section is listed if no other section matches the filter better. A
// match by name is best. The next best is a match by the values and schemas of the operations, and then a match by
// their descriptions.
func (t *groupTable) listed(section int) bool {
	if t.found == nil {
		return true
	}
	rank := t.found[section].rank
	return rank != filter.NoMatch && rank == t.best
}

// byValue returns the number of groups that match the filter only by values and schemas. It counts only groups that
// are not listed, because other groups match by name.
func (t *groupTable) byValue() (n int) {
	for i, m := range t.found {
		if t.sections.list[i].depth == 0 && m.rank == filter.ContentMatch && !t.listed(i) {
			n++
		}
	}
	return n
}

// size returns the number of operations of a section that match the filter, or of all operations without a
// filter.
func (t *groupTable) size(section int) int {
	if t.found == nil {
		return len(t.sections.list[section].ops)
	}
	return t.found[section].ops
}

// parts returns the listed parts of a section, the largest first. A section of -1 has none.
func (t *groupTable) parts(section int) []int {
	if section < 0 {
		return nil
	}
	parts := slices.DeleteFunc(slices.Clone(t.sections.list[section].parts), func(part int) bool { return !t.listed(part) })
	slices.SortStableFunc(parts, func(a, b int) int { return cmp.Compare(t.size(b), t.size(a)) })
	return parts
}

// filtering reports whether a filter is set. With opRank, opRelevance and valuesFit it implements memberFilter.
func (t *groupTable) filtering() bool { return !t.find.IsEmpty() }

func (t *groupTable) opRank(op model.OpID) filter.MatchRank {
	return t.find.Match(filter.Row{Operations: []model.OpID{op}, Statuses: t.analyzed.Index.StatusesOf(op, t.run)})
}

func (t *groupTable) opRelevance(op model.OpID) filter.Relevance { return t.find.Relevance(op) }

func (t *groupTable) valuesFit(names []string) bool {
	return t.find.Match(filter.Row{Values: names}) != filter.NoMatch
}

// head returns the number of lines above the rows of the table: the filter, its problems, and the titles of
// the columns.
func (t *groupTable) head(r draw.Rect) int { return 2 + len(t.find.ProblemLines(r.W-2)) }

// columns returns the columns for a width.
func (t *groupTable) columns(width int) columns { return newColumns(width, t.longestName()) }

// longestName returns the number of cells that the longest name of a cluster takes in the column of names.
// These names begin in the column of numbers.
func (t *groupTable) longestName() (width int) {
	for _, section := range t.order {
		if t.sections.list[section].depth > 0 {
			width = max(width, draw.TextLine(t.name(section), theme.Plain).Width()-cellWidths[0])
		}
	}
	return width
}

// name returns the name of a section, indented below the fold signs of the enclosing ones.
func (t *groupTable) name(section int) string {
	s := t.sections.list[section]
	return strings.Repeat("  ", s.depth) + t.fold(section) + s.name
}

// fold returns the fold sign for a section that has parts.
func (t *groupTable) fold(section int) string {
	switch {
	case len(t.sections.list[section].parts) == 0:
		return ""
	case t.sections.unfolded(section, t.filtering()):
		return theme.Open + " "
	}
	return theme.Closed + " "
}

// foot returns the number of lines below the rows of the table, which explain the columns of the seqs.
func (t *groupTable) foot(r draw.Rect) int {
	if r.H < footed || t.asMap {
		return 0
	}
	return len(t.columns(max(0, r.W-2)).meanings())
}

// footed is the minimum height of a table with a foot.
const footed = 9

// height returns the number of rows that fit into a pane.
func (t *groupTable) height(r draw.Rect) int { return max(0, r.H-2-t.head(r)-t.foot(r)) }

// title describes how many groups are listed. If the mode is not the default, the title also names the mode.
func (t *groupTable) title() string {
	title := "Groups"
	listed := 0
	for _, s := range t.order {
		if t.sections.list[s].depth == 0 {
			listed++
		}
	}
	if listed != len(t.analyzed.Groups) {
		title = fmt.Sprintf("Groups %d of %d", listed, len(t.analyzed.Groups))
	}
	if areas := t.sections.areas(); areas > 0 {
		if listed == len(t.analyzed.Groups) {
			title += " " + words.Count(listed)
		}
		title += ", large ones in " + words.Plural(areas, "area")
	}
	if mode := t.analyzed.Matcher.Mode; mode != match.DefaultMode {
		title += "  " + modeText(mode)
	}
	return title
}

// contents returns the data that determine the sizes of the panes. evidence reports whether the pane of the seqs
// shows the evidence for a value.
func (t *groupTable) contents(focus pane, f *figurePane, evidence bool) contents {
	return contents{
		rows:     t.most + mostMeanings,
		areas:    t.sections.areas() > 0,
		overview: f.overview() || f.whole,
		evidence: evidence,
		focus:    focus,
	}
}

// mapSize returns the size of the treemap in a pane. The treemap fills the lines below the filter.
func (t *groupTable) mapSize(r draw.Rect) (width, height int) {
	return max(0, r.W-2), max(0, r.H-2-t.head(r)+1)
}

// opened reports whether the rows of a section's parts are listed below the section's row. The treemap then has
// blocks for the parts, and none for the section.
func (t *groupTable) opened(row int) bool {
	next := row + 1
	return next < len(t.order) && t.sections.list[t.order[next]].depth > t.sections.list[t.order[row]].depth
}

// blocks returns the treemap of the listed sections for a pane.
func (t *groupTable) blocks(r draw.Rect) []block {
	rows := slices.DeleteFunc(span(0, len(t.order)), func(row int) bool { return t.opened(row) })
	size := func(row int) int { return t.size(t.order[row]) }
	w, h := t.mapSize(r)
	return tile(rows, size, draw.Rect{W: w, H: h})
}

// click moves the cursor to the section at a cell inside a pane. It reports whether there is a section at the cell.
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
