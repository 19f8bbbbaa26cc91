package groups

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/diagram"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/practice"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// painter draws the screen. It does not change the state.
type painter struct {
	analyzed   *screen.AnalyzedSpec // nil before a spec is opened
	paths      *draw.PathShortener
	focus      pane
	splits     screen.Splits
	section    int // the section that is shown, -1 for none
	table      *groupTable
	members    *memberList
	figure     *figurePane
	seqs       *seqList
	results    *results
	regrouping *regrouping
	save       *save.FileNameLine
	calls      *practice.Page
}

func (p painter) draw(width, height int) string {
	if p.analyzed == nil {
		return draw.FitLines("", width, height)
	}
	r := divide(width, height, p.table.contents(p.focus, p.figure, p.seqs.value != "")).split(p.splits)
	if p.calls.Shown() && width < twoColumns {
		return p.calls.View(r.right(width, height))
	}
	left := stacked(p.tablePane(r[table]), p.membersPane(r[members]))
	if p.calls.Shown() {
		return draw.JoinColumns(left, p.calls.View(r.right(width, height)))
	}
	right := stacked(p.figurePane(r[picture]), p.seqsPane(r[seqs]))
	switch {
	case left == "":
		return right
	case right == "":
		return left
	}
	return draw.JoinColumns(left, right)
}

// stacked returns two drawn panes, upper above lower. Each of them may be "".
func stacked(upper, lower string) string {
	if upper == "" || lower == "" {
		return upper + lower
	}
	return draw.JoinRows(upper, lower)
}

func (p painter) tablePane(r draw.Rect) string {
	if r.Empty() {
		return ""
	}
	f := p.frame(table, r, p.table.title(), p.tableNote(r.W))
	w, _ := f.Inner()
	c := p.table.columns(w)
	lines := append([]string{p.table.find.View(w)}, p.table.find.ProblemLines(w)...)
	if p.table.asMap && len(p.table.order) > 0 {
		return f.Render(strings.Join(append(lines, p.treemap(r)), "\n"))
	}
	size := "ops"
	if p.table.filtering() {
		size = "found"
	}
	head := c.line(theme.Dim, " ", "#", "about", size, "values", "DC", "SC", "cut")
	lines = append(lines, head.Render(w, false))
	from, to := p.table.rows.Visible()
	for i := from; i < to; i++ {
		at := i == p.table.rows.At
		row := p.table.find.Highlight(p.tableRow(p.table.order[i], at, c))
		lines = append(lines, row.Render(w, at && p.focus == table))
	}
	switch {
	case len(p.analyzed.Groups) == 0:
		lines = append(lines, "", "  This spec has no operations.")
	case len(p.table.order) == 0:
		lines = append(lines, theme.Dim.Render("   nothing fits; esc clears"))
	}
	return f.Render(strings.Join(append(lines, p.tableFoot(r, c, len(lines))...), "\n"))
}

// tableFoot draws the lines that explain the columns of the seqs or, if the section under the cursor has no
// seqs, the reason. They are the last lines of the table. drawn is the number of lines above them.
func (p painter) tableFoot(r draw.Rect, c columns, drawn int) []string {
	n := p.table.foot(r)
	if n == 0 {
		return nil
	}
	texts := c.meanings()
	if t := p.results.tallies[p.section]; p.section >= 0 && t != nil && t.empty() {
		texts = c.noSeqs()
	}
	out := make([]string, max(0, r.H-2-drawn-n))
	for _, text := range texts {
		out = append(out, theme.Dim.Render(" "+text))
	}
	return out
}

// treemap draws the listed sections as a treemap.
func (p painter) treemap(r draw.Rect) string {
	w, h := p.table.mapSize(r)
	out := draw.FitLines("", w, h)
	for _, b := range p.table.blocks(r) {
		out = draw.Overlay(out, p.block(b), b.X, b.Y)
	}
	return out
}

// block draws a block of the treemap. If the cursor is in the block, the block shows the section under the cursor.
// Otherwise it shows its first section.
func (p painter) block(b block) string {
	row, here := b.rows[0], slices.Contains(b.rows, p.table.rows.At)
	if here {
		row = p.table.rows.At
	}
	s := p.table.sections.list[p.table.order[row]]
	title, text := s.name, " "+words.Plural(p.table.size(p.table.order[row]), "operation")
	if s.depth == 0 {
		title = fmt.Sprintf("%d %s%s", s.group+1, p.regrouping.sign(s.group), s.name)
		text += "\n " + words.Plural(len(s.values), "value")
	}
	if here {
		title = theme.Cursor + " " + title
	}
	f := draw.Frame{Title: title, Width: b.W, Height: b.H, Focused: here}
	if more := len(b.rows) - 1; more > 0 {
		f.Note = "+" + words.Count(more)
	}
	return f.Render(text)
}

func (p painter) tableRow(section int, at bool, c columns) draw.Line {
	s := p.table.sections.list[section]
	dc, sc, cut := "…", "…", ""
	if t := p.results.tallies[section]; t != nil {
		dc, sc, cut = t.size(0), t.size(1), t.saved()
	}
	number, values := "", ""
	if s.depth == 0 {
		number, values = fmt.Sprint(section+1), fmt.Sprint(len(s.values))
	}
	size := fmt.Sprint(p.table.size(section))
	return c.line(theme.Plain, p.cursor(at, table), number, p.tableName(section), size, values, dc, sc, cut)
}

// tableName returns the name of a section, preceded by its signs.
func (p painter) tableName(section int) string {
	s := p.table.sections.list[section]
	if s.depth == 0 {
		return p.table.fold(section) + p.regrouping.sign(s.group) + s.name
	}
	return p.table.name(section)
}

// tableNote returns the number of groups that match only by value and are not listed. If there are no such groups, it
// returns which rows are visible, unless all are, and the mean number of groups per seq, if there is room.
func (p painter) tableNote(width int) string {
	from, to := p.table.rows.Visible()
	if n := p.table.byValue(); n > 0 {
		return words.Plural(n, "group") + " by value not listed"
	}
	if p.table.asMap || to-from >= len(p.table.order) {
		return p.means()
	}
	rows := fmt.Sprintf("%d-%d of %d", from+1, to, len(p.table.order))
	if both := p.means() + "  " + rows; draw.TextLine(both, theme.Plain).Width() <= width-6 {
		return both
	}
	return rows
}

// means describes the mean number of groups that a seq of the whole spec touches.
func (p painter) means() string {
	if p.regrouping.running() {
		return "grouping again …"
	}
	t := p.results.tallies[wholeSpec]
	if t == nil {
		return "groups per seq …"
	}
	return "groups per seq DC " + t.perSeq(0) + " SC " + t.perSeq(1)
}

// size returns, as text for a narrow column, the number of seqs by a rule.
func (t *tally) size(rule int) string {
	return words.LimitedText(words.Short(t[rule].total), t[rule].isMore)
}

// empty reports whether there are no seqs by either rule.
func (t *tally) empty() bool { return len(t[0].Seqs)+len(t[1].Seqs) == 0 }

// listed describes how many seqs by a rule are listed, and how many there are.
func (t *tally) listed(rule int) string {
	n := words.Count(len(t[rule].Seqs))
	if !t[rule].GaveUp {
		return n
	}
	return n + " of " + words.LimitedText(words.Count(t[rule].total), t[rule].isMore)
}

// saved returns, as text, the share of seqs that rule DC saves, "—" if it is unknown.
func (t *tally) saved() string {
	if t[0].isMore || t[1].isMore || t[1].total == 0 {
		return "—"
	}
	return fmt.Sprintf("%.0f%%", 100*(1-float64(t[0].total)/float64(t[1].total)))
}

// perSeq returns, as text, the mean number of groups that a seq by a rule touches.
func (t *tally) perSeq(rule int) string {
	about := ""
	if t[rule].GaveUp {
		about = "≈" // only the seqs up to the limit are counted
	}
	return fmt.Sprintf("%s%.2f", about, t[rule].mean)
}

func (p painter) membersPane(r draw.Rect) string {
	if r.Empty() || p.section < 0 {
		return blank(r)
	}
	m := p.members
	note := words.Plural(len(m.ops), "operation")
	if n := p.elsewhere(); n > 0 {
		note += fmt.Sprintf(", %s of other groups", words.Count(n))
	}
	note += fmt.Sprintf(", %s exchanged", words.Count(len(m.values)))
	if all := len(m.ops) + len(m.values); m.count() < all {
		note = fmt.Sprintf("%d of %d", m.count(), all)
	}
	title := p.table.sections.list[p.section].title()
	f := p.frame(members, r, strings.ToUpper(title[:1])+title[1:], note)
	w, _ := f.Inner()
	var lines []string
	from, to := m.rows.Visible()
	for i := from; i < to; i++ {
		at := i == m.rows.At
		row := draw.TextLine(p.cursor(at, members)+" ", theme.Active)
		switch k := m.kept[i]; {
		case k == headingRow:
			row = append(row, m.heading())
		case k < len(m.ops):
			row = append(row, p.operation(m.ops[k], w-3)...)
		default:
			row = append(row, m.values[k-len(m.ops)].row(w)...)
		}
		lines = append(lines, p.table.find.Highlight(row).Render(w, at && p.focus == members))
	}
	return f.Render(strings.Join(lines, "\n"))
}

// elsewhere returns the number of operations of the section that are in other groups.
func (p painter) elsewhere() (n int) {
	for _, op := range p.members.ops {
		if p.otherGroup(op) >= 0 {
			n++
		}
	}
	return n
}

// otherGroup returns the group of an operation, or -1 if it is the group of the section.
func (p painter) otherGroup(op model.OpID) int {
	if group := p.analyzed.GroupOf[op]; group != p.table.sections.list[p.section].group {
		return group
	}
	return -1
}

// operation draws an operation of a section. If the operation is in another group than the section, the number of
// that group follows.
func (p painter) operation(op model.OpID, width int) draw.Line {
	var group draw.Span
	if other := p.otherGroup(op); other >= 0 {
		group = draw.Span{Text: fmt.Sprintf("  group %d", other+1), Style: theme.Dim}
	}
	line := p.analyzed.Names.Operation(op, width)
	if p.analyzed.Names.Naming() == draw.ByPath {
		line = p.paths.Operation(string(op), width)
	}
	return append(line.Cut(max(0, width-len(group.Text))), group)
}

// heading draws the heading of the operations that match by value.
func (m *memberList) heading() draw.Span {
	glyph := theme.Closed
	if m.unfolded {
		glyph = theme.Open
	}
	return draw.Span{Text: fmt.Sprintf("%s %s more by value", glyph, words.Count(len(m.byValue))), Style: theme.Accent}
}

// row draws a value, with the numbers of operations that emit and take it.
func (x exchange) row(width int) draw.Line {
	ends := fmt.Sprintf("%d emit, %d take", len(x.Emitters), len(x.Takers)+x.outside)
	name := draw.TextLine("┆ "+draw.Clean(x.Names[0]), theme.Value)
	return name.At(width-len(ends)-3, draw.Span{Text: ends, Style: theme.Dim})
}

func (p painter) figurePane(r draw.Rect) string {
	if r.Empty() || p.section < 0 {
		return blank(r)
	}
	s := p.table.sections.list[p.section]
	title := s.name
	if s.depth == 0 {
		title = fmt.Sprintf("%d  %s", s.group+1, s.name)
	}
	if p.figure.whole {
		title = "All groups"
	}
	f := p.frame(picture, r, title, p.figure.note())
	w, h := f.Inner()
	switch {
	case p.figure.overview():
		return f.Render(p.areas(w))
	case p.figure.drawing == nil:
		return f.Render(sheet.EmptyView("Drawing …", w, h))
	case p.figure.tree():
		return f.Render(p.figureTree(w))
	}
	return f.Render(p.figure.drawing.sheet.Render(p.figureView()))
}

func (p painter) figureTree(width int) string {
	var lines []string
	from, to := p.figure.rows.Visible()
	for i := from; i < to; i++ {
		at := i == p.figure.rows.At
		row := p.table.find.Highlight(p.figure.drawing.rows[i].draw(p.analyzed.Names, p.cursor(at, picture), width))
		lines = append(lines, row.Render(width, at && p.focus == picture))
	}
	return strings.Join(lines, "\n")
}

// figureView returns the settings for drawing boxes and lines. The member under the cursor is selected.
func (p painter) figureView() diagram.GraphView {
	d := p.figure.drawing
	selected := p.members.node(d, p.members.rows.At)
	group := p.table.sections.list[p.section].group
	return diagram.GraphView{
		FrameStyle:    theme.Dim,
		FrameSelected: func(frame int) bool { return d.group(frame) == group },
		Selected:      func(node int) bool { return node == selected },
		Style: func(node int) theme.Style {
			if node >= len(d.ops) {
				return theme.Value
			}
			method, _, _ := strings.Cut(string(d.ops[node]), " ")
			return theme.Method(method)
		},
		EdgeStyle: func(edge int) theme.Style {
			if e := d.sheet.Graph.Edges[edge]; e.From == selected || e.To == selected {
				return theme.Plain
			}
			return theme.Dim
		},
	}
}

func (p painter) seqsPane(r draw.Rect) string {
	switch {
	case r.Empty() || p.section < 0:
		return blank(r)
	case p.seqs.value != "":
		return p.evidencePane(r)
	}
	all, t := p.seqs.seqs(), p.seqs.tally
	title, note := "Seqs by "+ruleName(p.seqs.rule), ""
	if t != nil {
		title += "  " + t.listed(p.seqs.rule)
		note = fmt.Sprintf("%s shows those by %s", widget.KeyName(keyRule), ruleName(1-p.seqs.rule))
	}
	f := p.frame(seqs, r, title, note)
	w, _ := f.Inner()
	var lines []string
	from, to := p.seqs.rows.Visible()
	results, room := p.calls.Results(), w-3
	if results.Any() {
		room -= 2 // leaves room for the sign of the result
	}
	for i, calls := range p.analyzed.Names.Rows(all[from:to], room) {
		at := from+i == p.seqs.rows.At
		row := draw.TextLine(p.cursor(at, seqs)+" ", theme.Active)
		if results.Any() {
			row = append(row, results.Of(all[from+i]).Kind.Sign(), draw.Span{Text: " ", Style: theme.Plain})
		}
		row = append(row, p.table.find.Highlight(calls)...)
		lines = append(lines, row.Render(w, at && p.focus == seqs))
	}
	if t != nil && len(all) == 0 {
		for _, l := range words.Wrap("none can be called first: each needs what another operation gives", max(1, w-2)) {
			lines = append(lines, " "+l)
		}
	}
	return f.Render(strings.Join(lines, "\n"))
}

func ruleName(rule int) string { return strings.ToUpper(string(rules[rule])) }

// evidencePane draws the evidence for a value. If some rows do not fit into their lines, it draws the row
// under the cursor also as a sentence.
func (p painter) evidencePane(r draw.Rect) string {
	value, all := p.seqs.value, p.seqs.evidence
	title := "Why " + draw.Clean(value) + " is one value"
	if slices.ContainsFunc(p.analyzed.Grants, func(g match.LoginGrant) bool { return g.ID == value }) {
		title = "Who gives and takes " + draw.Clean(value)
	}
	f := p.frame(seqs, r, title, words.Plural(len(all), "place"))
	w, _ := f.Inner()
	var lines []string
	from, to := p.seqs.rows.Visible()
	for i := from; i < min(to, len(all)); i++ {
		at := i == p.seqs.rows.At
		row := append(draw.TextLine(p.cursor(at, seqs)+" ", theme.Active), all[i].row(p.analyzed.Names, w-3)...)
		lines = append(lines, row.Render(w, at && p.focus == seqs))
	}
	if spare(all, r) > 0 {
		lines = append(lines, "")
		for _, l := range all[p.seqs.rows.At].sentence(w) {
			lines = append(lines, " "+theme.Dim.Render(l))
		}
	}
	return f.Render(strings.Join(lines, "\n"))
}

// frame returns the frame of a pane. While the user types a file name, the title of the frame with the focus has the
// file name.
func (p painter) frame(of pane, r draw.Rect, title, note string) draw.Frame {
	if p.save.TypingName() && p.focus == of {
		title = p.save.Title(r.W - 6)
	}
	return draw.Frame{Title: title, Note: note, Width: r.W, Height: r.H, Focused: p.focus == of && !p.calls.Shown()}
}

// cursor returns the cursor mark for a row. If the pane does not have the focus, the mark is less prominent. The pane
// of the seqs has no mark without the focus.
func (p painter) cursor(at bool, of pane) string {
	switch {
	case at && p.focus == of:
		return theme.Cursor
	case at && of != seqs:
		return "›"
	}
	return " "
}

// blank draws an empty pane, "" if the pane has no room.
func blank(r draw.Rect) string {
	if r.Empty() {
		return ""
	}
	return draw.Frame{Width: r.W, Height: r.H}.Render("")
}
