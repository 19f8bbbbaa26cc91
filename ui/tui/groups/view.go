package groups

import (
	"slices"

	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// groupView has the four panes of the screen. The other panes show the section under the table's cursor,
// and the figure scrolls to the member under the cursor.
type groupView struct {
	width, height int
	splits        screen.Splits
	analyzed      *screen.AnalyzedSpec // nil before a spec is opened
	focus         pane
	table         groupTable
	shown         int        // the section in the other panes, -1 for none
	visited       model.OpID // the operation that was visited last, "" if none was since the spec was opened
	members       memberList
	figure        figurePane
	seqs          seqList
	results       results
}

func newGroupView() groupView {
	return groupView{table: groupTable{find: finder.New("filter, such as value:id")}, shown: -1}
}

// open shows the groups of a spec.
func (v *groupView) open(analyzed *screen.AnalyzedSpec) {
	v.analyzed = analyzed
	v.focus, v.visited = table, ""
	v.table.open(analyzed)
	v.results = newResults(analyzed, v.table.sections)
	v.showSection()
}

// divide adds the clusters of the large groups. If another screen has selected an operation, the cursors stay on this
// operation. Otherwise they stay on their group.
func (v *groupView) divide(clusters []*cluster.Cluster, profiler *cluster.Profiler) {
	v.table.sections.divide(clusters, profiler)
	v.table.sort()
	if v.visited != "" {
		v.visit(v.visited)
	}
	v.fit()
}

// progress stores a newer snapshot of the search, because a filter may depend on it.
func (v *groupView) progress(run model.Snapshot) {
	v.table.run = run
	if v.table.find.MentionsFact("status") {
		v.narrow()
	}
}

// visit moves the cursors to an operation and its section. If the filter hides the operation or the section, visit
// clears the filter.
func (v *groupView) visit(op model.OpID) {
	if v.analyzed == nil {
		return
	}
	group, ok := v.analyzed.GroupOf[op]
	if !ok {
		return
	}
	v.visited = op
	section := v.table.sections.of(group, op, v.shown)
	if !v.moveTo(section, op) {
		v.table.find.SetText("")
		v.table.sections.open[group] = true
		v.table.sort()
		v.moveTo(section, op)
	}
	v.follow()
}

// moveTo moves the cursors to an operation and its section. It reports whether both are listed.
func (v *groupView) moveTo(section int, op model.OpID) bool {
	if !v.table.moveTo(section) {
		return false
	}
	if section != v.shown {
		v.showSection()
	}
	v.fillMembers()
	if !v.members.moveTo(op) && slices.Contains(v.members.byValue, slices.Index(v.members.ops, op)) {
		v.toggleByValue()
	}
	return v.members.moveTo(op)
}

// toggleByValue switches the list of operations that match the filter by value on or off.
func (v *groupView) toggleByValue() {
	v.members.unfolded = !v.members.unfolded
	v.fit()
}

// showSection shows the section under the cursor in the other panes.
func (v *groupView) showSection() {
	v.shown = v.table.section()
	reset(&v.members.rows)
	reset(&v.seqs.rows)
	reset(&v.figure.rows)
	v.fillMembers()
}

// reset moves the cursor of a list to its first row.
func reset(l *widget.List) { *l = widget.List{Height: l.Height} }

// fillMembers updates the members and the figure of the current section, after the figure was finished or
// the filter was changed.
func (v *groupView) fillMembers() {
	v.figure.drawing, v.figure.parts = v.results.drawings[v.shown], v.table.parts(v.shown)
	if v.figure.whole {
		v.figure.drawing, v.figure.parts = v.results.drawings[wholeSpec], nil
	}
	if v.shown < 0 {
		v.members.clear()
		return
	}
	var exchanged []exchange
	if d := v.results.drawings[v.shown]; d != nil {
		exchanged = d.exchanged
	}
	v.members.fill(v.table.sections.list[v.shown].ops, exchanged, &v.table)
}

// narrow lists the sections that match the filter. The cursor stays on its section if the section still matches.
func (v *groupView) narrow() {
	v.table.sort()
	if v.table.section() != v.shown {
		v.showSection()
	}
	reset(&v.members.rows)
	v.members.unfolded = false
	v.fit()
	v.follow()
}

// openArea moves the table's cursor to the area under the cursor of the overview.
func (v *groupView) openArea() {
	area := v.figure.area()
	if !v.table.moveTo(area) {
		v.table.find.SetText("")
		v.table.sections.open[v.shown] = true
		v.table.sort()
		v.table.moveTo(area)
	}
	v.focus = table
	v.showSection()
	v.fit()
}

// toggle folds or unfolds the parts of the section under the cursor.
func (v *groupView) toggle() {
	v.table.toggle()
	v.fit()
}

// compute starts to count the seqs of the visible sections and to draw the section under the cursor. It skips what
// was started before.
func (v *groupView) compute() tea.Cmd {
	if v.table.section() < 0 {
		return nil
	}
	from, to := v.table.rows.Visible()
	r := v.focused(picture)[picture]
	return v.results.request(v.table.section(), v.table.order[from:to], v.figure.whole, r.W-2)
}

// addDrawing shows a finished figure, centered on the member under the cursor.
func (v *groupView) addDrawing(msg drawn) {
	if !v.results.addDrawing(msg) {
		return
	}
	v.fit()
	if msg.drawing == v.figure.drawing {
		v.follow()
		msg.drawing.sheet.CenterNode(v.members.node(msg.drawing, v.members.rows.At))
	}
}

// toggleWhole shows all groups side by side in the figure, or the section under the cursor. It makes the pane of the
// figure visible.
func (v *groupView) toggleWhole() {
	v.figure.whole = !v.figure.whole
	v.figure.asTree = nil
	reset(&v.figure.rows)
	if v.rects()[picture].Empty() {
		v.focus = picture
	}
	v.fit()
	v.follow()
}

// rects returns the rectangles of the panes.
func (v *groupView) rects() rects { return v.focused(v.focus) }

// focused returns the rectangles that the panes have when a given pane has the focus.
func (v *groupView) focused(on pane) rects {
	return divide(v.width, v.height, v.table.contents(on, &v.figure, v.value() != "")).split(v.splits)
}

// fit updates the panes, and adapts the lists and the figure to their sizes.
func (v *groupView) fit() {
	if v.analyzed == nil {
		return
	}
	r := v.rects()
	v.fillMembers()
	v.table.rows.Fit(len(v.table.order), v.table.height(r[table]))
	v.members.rows.Fit(len(v.members.kept), max(0, r[members].H-2))
	v.figure.fit(r[picture], v.focused(picture)[picture].W)
	v.seqs.tally = v.results.tallies[v.shown]
	v.seqs.value, v.seqs.evidence = v.value(), nil
	if v.seqs.value != "" {
		v.seqs.evidence = evidenceOf(v.analyzed, v.results.operations(v.shown), v.seqs.value)
	}
	v.seqs.fit(r[seqs])
}

// follow scrolls the figure to the member under the cursor.
func (v *groupView) follow() {
	if d := v.figure.drawing; d != nil {
		v.figure.follow(v.members.node(d, v.members.rows.At))
	}
}

// value returns the exchanged value under the members' cursor, for which the pane of the seqs shows the evidence. It
// returns "" if the cursor is on an operation. It also returns "" if another pane than the members or the seqs has
// the focus.
func (v *groupView) value() string {
	if v.focus != members && v.focus != seqs {
		return ""
	}
	return v.members.value()
}

// op returns the operation under the cursor of the pane that has the focus, "" if there is none. If the table has the
// focus, op returns the operation under the cursor of the members.
func (v *groupView) op() model.OpID {
	switch {
	case v.table.section() < 0:
		return ""
	case v.focus == picture:
		return v.figure.op(v.members.node(v.figure.drawing, v.members.rows.At))
	case v.focus == seqs:
		return v.seqs.op()
	}
	return v.members.op()
}

// move moves the cursor of the pane that has the focus.
func (v *groupView) move(k tea.KeyMsg) {
	switch v.focus {
	case table:
		if v.table.rows.Key(k) {
			v.showSection()
			v.fit()
			v.follow()
		}
	case picture:
		v.figure.rows.Key(k)
	case members:
		if v.members.rows.Key(k) {
			v.follow()
			v.seqs.rows.Go(0)
		}
	case seqs:
		if v.seqs.rows.Key(k) {
			v.follow()
		}
	}
}

// switchRule lists the seqs by the other rule, and makes the pane of the seqs visible.
func (v *groupView) switchRule() {
	if v.value() != "" {
		v.members.rows.Go(0)
	}
	if v.rects()[seqs].Empty() {
		v.focus = seqs
	}
	v.seqs.switchRule()
}
