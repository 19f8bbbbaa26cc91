package groups

import (
	"fmt"
	"strings"

	"sonde/model/match"
	"sonde/ui/diagram"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"
	"sonde/ui/words"
)

// View draws the table, the members, the figure and the seqs, as far as there
// is room.
func (s *Screen) View(width, height int) string {
	return s.save.Over(s.viewParts(width, height), width, height)
}

func (s *Screen) viewParts(width, height int) string {
	if s.study == nil {
		return draw.FitLines("", width, height)
	}
	r := divide(width, height, len(s.study.Groups), s.focus)
	left := stacked(s.viewTable(r[table]), s.viewMembers(r[members]))
	right := stacked(s.viewPicture(r[picture]), s.viewSeqs(r[seqs]))
	switch {
	case left == "":
		return right
	case right == "":
		return left
	}
	return draw.JoinColumns(left, right)
}

// stacked puts one above the other, where both are there.
func stacked(upper, lower string) string {
	if upper == "" || lower == "" {
		return upper + lower
	}
	return draw.JoinRows(upper, lower)
}

func (s *Screen) viewTable(r draw.Rect) string {
	if r.Empty() {
		return ""
	}
	f := s.frame(table, r, s.title(), s.means())
	w, _ := f.Inner()
	lines := append([]string{s.find.View(w)}, s.find.Complaint(w)...)
	if width, height := s.mapSize(); s.asMap && len(s.order) > 0 {
		return f.Render(strings.Join(append(lines, s.viewBlocks(width, height)), "\n"))
	}
	lines = append(lines, columns(theme.Dim, w, " ", "#", "ops", "values", "DC", "SC", "cut", "  about").Render(w, false))
	from, to := s.groups.Visible()
	for i := from; i < to; i++ {
		row := s.find.Mark(s.tableRow(s.order[i], i == s.groups.At, w))
		lines = append(lines, row.Render(w, i == s.groups.At && s.focus == table))
	}
	switch {
	case len(s.study.Groups) == 0:
		lines = append(lines, "", "  This spec has no operations.")
	case len(s.order) == 0:
		lines = append(lines, theme.Dim.Render("   nothing fits; esc clears"))
	}
	return f.Render(strings.Join(lines, "\n"))
}

func (s *Screen) title() string {
	title := "Groups"
	if len(s.order) != len(s.study.Groups) {
		title = fmt.Sprintf("Groups %d of %d", len(s.order), len(s.study.Groups))
	}
	if way := s.study.Matcher.Mode; way != match.DefaultMode {
		title += "  " + wayText(way)
	}
	return title
}

// columns lays out a row of the table. The last cell is left out where there is
// no room for a word.
func columns(style theme.Style, width int, mark string, cells ...string) draw.Line {
	widths := []int{3, 5, 7, 6, 6, 5, 0}
	line := draw.Line{{Text: mark, Style: theme.Active}}
	for i, c := range cells {
		if i == len(cells)-1 && width-line.Width() < aWord {
			break
		}
		line = append(line, draw.Span{Text: fmt.Sprintf("%*s", widths[i], c), Style: style})
	}
	return line
}

const aWord = 10 // cells, two blanks before it included

func (s *Screen) tableRow(i int, at bool, width int) draw.Line {
	g := s.study.Groups[i]
	dc, sc, cut := "…", "…", ""
	if c, ok := s.counts[i]; ok {
		dc, sc, cut = size(c[0].Seqs, c[0].GaveUp), size(c[1].Seqs, c[1].GaveUp), saved(c)
	}
	return columns(theme.Plain, width, s.cursor(at, table), fmt.Sprint(i+1),
		fmt.Sprint(len(g.Operations)), fmt.Sprint(len(g.Values)), dc, sc, cut, "  "+s.sign(i)+screen.GroupName(g))
}

// sign is what became of a group when the way was changed.
func (s *Screen) sign(group int) string {
	if group >= len(s.read.moved) {
		return ""
	}
	return s.read.moved[group].sign()
}

// size writes how many seqs there are.
func size[T any](seqs []T, gaveUp bool) string {
	if gaveUp {
		return fmt.Sprintf("%d+", len(seqs)-1)
	}
	return fmt.Sprint(len(seqs))
}

// saved is the share of seqs that rule DC leaves out.
func saved(c tally) string {
	if c[0].GaveUp || c[1].GaveUp || len(c[1].Seqs) == 0 {
		return "—"
	}
	return fmt.Sprintf("%.0f%%", 100*(1-float64(len(c[0].Seqs))/float64(len(c[1].Seqs))))
}

// means says how many groups a seq of the whole spec touches.
func (s *Screen) means() string {
	if s.read.stop != nil {
		return "grouping anew …"
	}
	c, ok := s.counts[whole]
	if !ok {
		return "groups per seq …"
	}
	return "groups per seq DC " + c.perSeq(0) + " SC " + c.perSeq(1)
}

func (t tally) perSeq(rule int) string {
	about := ""
	if t[rule].GaveUp {
		about = "≈" // of the seqs up to the limit
	}
	return fmt.Sprintf("%s%.2f", about, t[rule].mean)
}

func (s *Screen) viewMembers(r draw.Rect) string {
	g := s.group()
	if r.Empty() || g < 0 {
		return blank(r)
	}
	ops := s.study.Groups[g].Operations
	note := fmt.Sprintf("%s, %s exchanged", words.Plural(len(ops), "operation"), words.Count(len(s.exchanged())))
	if all := len(ops) + len(s.exchanged()); len(s.kept) < all {
		note = fmt.Sprintf("%d of %d", len(s.kept), all)
	}
	f := s.frame(members, r, fmt.Sprintf("Group %d", g+1), note)
	w, _ := f.Inner()
	var lines []string
	from, to := s.members.Visible()
	for i := from; i < to; i++ {
		at := i == s.members.At
		row := draw.TextLine(s.cursor(at, members)+" ", theme.Active)
		if m := s.kept[i]; m < len(ops) {
			row = append(row, s.paths.Operation(string(ops[m]), w-3)...)
		} else {
			row = append(row, s.exchanged()[m-len(ops)].row(w)...)
		}
		lines = append(lines, s.find.Mark(row).Render(w, at && s.focus == members))
	}
	return f.Render(strings.Join(lines, "\n"))
}

// row says who passes a value on.
func (x exchange) row(width int) draw.Line {
	ends := fmt.Sprintf("%d emit, %d take", len(x.emitters), len(x.takers)+x.outside)
	return draw.TextLine("┆ "+draw.Clean(x.names[0]), theme.Value).At(width-len(ends)-3, draw.Span{Text: ends, Style: theme.Dim})
}

func (s *Screen) viewPicture(r draw.Rect) string {
	if r.Empty() || s.group() < 0 {
		return blank(r)
	}
	g := s.group()
	f := s.frame(picture, r, fmt.Sprintf("%d  %s", g+1, screen.GroupName(s.study.Groups[g])), s.pictureNote())
	w, h := f.Inner()
	d := s.drawing()
	if d == nil {
		return f.Render(sheet.Blank("Drawing …", w, h))
	}
	if s.tree() {
		return f.Render(s.viewTree(d, w))
	}
	return f.Render(d.sheet.Render(s.look(d)))
}

func (s *Screen) viewTree(d *drawing, width int) string {
	var lines []string
	from, to := s.twigs.Visible()
	for i := from; i < to; i++ {
		at := i == s.twigs.At
		row := s.find.Mark(d.twigs[i].draw(s.cursor(at, picture), width))
		lines = append(lines, row.Render(width, at && s.focus == picture))
	}
	return strings.Join(lines, "\n")
}

func (s *Screen) pictureNote() string {
	d := s.drawing()
	switch {
	case d == nil:
		return ""
	case d.leftOps > 0 || d.leftValues > 0:
		return fmt.Sprintf("left out: %s, %s", words.Plural(d.leftOps, "operation"), words.Plural(d.leftValues, "value"))
	case len(d.values) == 0:
		return "exchanges no values"
	case !s.tree() && !d.sheet.Whole():
		return "scroll for more"
	}
	return ""
}

// look is how boxes and lines are drawn.
func (s *Screen) look(d *drawing) diagram.GraphView {
	at := s.node(s.members.At)
	return diagram.GraphView{
		Selected: func(node int) bool { return node == at },
		Style: func(node int) theme.Style {
			if node >= len(d.ops) {
				return theme.Value
			}
			method, _, _ := strings.Cut(string(d.ops[node]), " ")
			return theme.Method(method)
		},
		EdgeStyle: func(edge int) theme.Style {
			if e := d.sheet.Graph.Edges[edge]; e.From == at || e.To == at {
				return theme.Plain
			}
			return theme.Dim
		},
	}
}

func (s *Screen) viewSeqs(r draw.Rect) string {
	if r.Empty() || s.group() < 0 {
		return blank(r)
	}
	if v := s.value(); v != "" {
		return s.viewProof(r, v)
	}
	c, known := s.counts[s.group()]
	title, note := fmt.Sprintf("Seqs by %s", strings.ToUpper(string(rules[s.rule]))), ""
	if known {
		title += "  " + size(c[s.rule].Seqs, c[s.rule].GaveUp)
		note = fmt.Sprintf("%s shows those by %s", widget.KeyName(keyRule), strings.ToUpper(string(rules[1-s.rule])))
	}
	f := s.frame(seqs, r, title, note)
	w, _ := f.Inner()
	var lines []string
	from, to := s.seqs.Visible()
	for i := from; i < to; i++ {
		at := i == s.seqs.At
		row := append(draw.TextLine(s.cursor(at, seqs)+" ", theme.Active), s.find.Mark(s.names.Spans(s.listed()[i], w-3))...)
		lines = append(lines, row.Render(w, at && s.focus == seqs))
	}
	if known && len(s.listed()) == 0 {
		lines = append(lines, " none: each operation needs a value that another must give first")
	}
	return f.Render(strings.Join(lines, "\n"))
}

func (s *Screen) frame(p part, r draw.Rect, title, note string) draw.Frame {
	if s.save.Named() && s.focus == p {
		title = s.save.Title(r.W - 6)
	}
	return draw.Frame{Title: title, Note: note, Width: r.W, Height: r.H, Focused: s.focus == p}
}

// cursor marks the row with the cursor, more clearly in the part that has the
// focus.
func (s *Screen) cursor(at bool, p part) string {
	switch {
	case at && s.focus == p:
		return theme.Cursor
	case at && p != seqs:
		return "›"
	}
	return " "
}

// blank is an empty part; "" where it has no room.
func blank(r draw.Rect) string {
	if r.Empty() {
		return ""
	}
	return draw.Frame{Width: r.W, Height: r.H}.Render("")
}
