package graph

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/diagram"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// View draws the picture or the tree, and below it words about the operation
// under the cursor.
func (s *Screen) View(width, height int) string {
	picture, about := divide(width, height)
	view := s.viewPicture(picture)
	if !about.Empty() {
		view = draw.JoinRows(view, s.viewWords(about))
	}
	return s.save.Over(view, width, height)
}

func (s *Screen) viewPicture(r draw.Rect) string {
	f := draw.Frame{Title: s.title(r.W - 6), Note: s.note(), Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	switch {
	case s.save.Named():
		f.Title = s.save.Title(w - 4)
	case s.find.Typing():
		f.Title = strings.TrimRight(s.find.View(w-4), " ")
	}
	switch {
	case s.picture == nil:
		return f.Render(sheet.Blank(s.nothing(), w, h))
	case s.tree():
		return f.Render(s.viewTree(w))
	}
	return s.withMap(f.Render(s.picture.sheet.Render(s.look())), r)
}

// withMap lays a map of the whole into the corner of a picture that shows a part.
func (s *Screen) withMap(picture string, r draw.Rect) string {
	m := s.mapRect(r)
	if m.Empty() {
		return picture
	}
	f := draw.Frame{Width: m.W, Height: m.H}
	w, h := f.Inner()
	return draw.Overlay(picture, f.Render(s.picture.sheet.Map(w, h, s.mapSign)), m.X, m.Y)
}

// mapSign is what stands for a node on the map, "" for what stands for all.
func (s *Screen) mapSign(node int) string {
	switch {
	case node == s.at:
		return theme.Injected
	case s.lit(node):
		return theme.Live
	}
	return ""
}

// nothing says why there is no picture.
func (s *Screen) nothing() string {
	switch {
	case s.study != nil && len(s.study.Spec.Operations) == 0:
		return "This spec has no operations to draw."
	case s.study != nil && s.onShow && s.stop == nil:
		return "The drawing was stopped. " + widget.KeyAndHelp(keyAgain) + "."
	}
	return "Drawing … " + theme.Dim.Render(widget.KeyName(keyStop)+" stops it")
}

func (s *Screen) title(width int) string {
	extent, name := fmt.Sprintf("  within %s", words.Plural(s.hops, "hop")), draw.Line(nil)
	if s.whole {
		extent, name = "", draw.TextLine("The whole API", theme.Plain)
	}
	if s.things {
		extent += "  resources"
	}
	if s.narrowed() && width >= 48 {
		extent += ", ids only"
	}
	if !s.whole {
		name = s.centreName(width - len(extent))
	}
	return name.String() + theme.Dim.Render(extent)
}

// centreName is what the middle is called.
func (s *Screen) centreName(width int) draw.Line {
	if p := s.picture; p != nil && p.view == s.view.normal() {
		if at := p.node(s.centre); at >= 0 {
			return p.nodes[at].label(width)
		}
	}
	return draw.OperationLine(string(s.centre), width)
}

// note says how much is shown, and that there is more.
func (s *Screen) note() string {
	p := s.picture
	if p == nil {
		return ""
	}
	thing := "operation"
	if p.things {
		thing = "resource"
	}
	note := words.Plural(len(p.nodes), thing)
	if ops := p.operationsIn(); !p.things && ops > len(p.nodes) {
		note = fmt.Sprintf("%s in %s", words.Plural(ops, thing), words.Count(len(p.nodes))+" boxes")
	}
	if p.left > 0 {
		note += fmt.Sprintf(", %s left out", words.Count(p.left))
	}
	if p.loose > 0 {
		note += fmt.Sprintf(" · %s hidden", words.Plural(p.loose, "other flow"))
	}
	if !s.tree() && !p.sheet.Whole() {
		note += " · hjkl scroll"
	}
	switch {
	case s.find.Wrong() != "":
		note = draw.Clean(s.find.Wrong())
	case !s.find.Empty():
		note = fmt.Sprintf("%s of %s boxes found", words.Count(s.find.hits), words.Count(len(p.nodes)))
	}
	if s.stop != nil {
		note = "drawing … " + widget.KeyName(keyStop) + " stops it"
	}
	return note
}

// look is how boxes and lines are drawn.
func (s *Screen) look() diagram.GraphView {
	p := s.picture
	return diagram.GraphView{
		Selected:    func(node int) bool { return node == s.at },
		Style:       s.methodOf,
		BorderStyle: s.reached,
		Mark:        s.sign,
		Lit:         s.lit,
		EdgeStyle: func(edge int) theme.Style {
			switch f := p.flows[edge]; {
			case f.from != s.op() && f.to != s.op():
				return theme.Dim
			case len(f.ids) > 0:
				return theme.Value
			}
			return theme.Plain
		},
	}
}

func (s *Screen) viewTree(width int) string {
	var out []string
	from, to := s.rows.Visible()
	for i := from; i < to; i++ {
		out = append(out, s.viewLine(s.lines[i], i == s.rows.At, width).Render(width, i == s.rows.At))
	}
	return strings.Join(out, "\n")
}

// viewWords says what the picture has no room for.
func (s *Screen) viewWords(r draw.Rect) string {
	f := draw.Frame{Title: draw.OperationLine(string(s.op()), r.W-6).String(), Width: r.W, Height: r.H}
	w, h := f.Inner()
	if s.study == nil || s.picture == nil {
		return f.Render("")
	}
	node := s.picture.nodes[s.at]
	f.Title = node.label(r.W - 6).String()
	out := []string{s.summary(node, w)}
	flows := s.around(s.op())
	if len(flows) == 0 {
		out = append(out, theme.Dim.Render("   "+s.apart()))
	}
	for i, l := range flows {
		if i == h-2 && len(flows) > h-1 {
			more := fmt.Sprintf("   and %s", words.Plural(len(flows)-i, "more flow"))
			out = append(out, theme.Dim.Render(more))
			break
		}
		out = append(out, l.Render(w, false))
	}
	return f.Render(strings.Join(out, "\n"))
}

// apart says that the node under the cursor has no flows, as far as is shown.
func (s *Screen) apart() string {
	if s.narrowed() {
		return "exchanges no ids with other operations; " + widget.KeyName(keyAll) + " shows all values"
	}
	return "exchanges no values with other operations"
}

// summary says what a node is, and what the search saw of it.
func (s *Screen) summary(n node, width int) string {
	text := " "
	if op := s.study.Spec.Operation(n.lead()); n.name == "" && op != nil {
		text += draw.Clean(cmp.Or(op.Summary, op.Name, "no summary"))
	} else {
		text += n.members()
	}
	if counts := s.answers(n); len(counts) > 0 {
		glyph, style := theme.Answers(counts)
		return style.Render(" "+glyph) + ansi.Truncate(text, width-2, "…")
	}
	return text
}

// around lists the flows at an operation with all of their values.
func (s *Screen) around(op model.OpID) []draw.Line {
	var out []draw.Line
	for _, f := range s.picture.flows {
		l, ok := f.seenFrom(op)
		if !ok {
			continue
		}
		row := draw.TextLine("   "+l.arrow+" ", theme.Dim)
		row = append(row, s.picture.nodes[s.picture.node(l.op)].label(44)...)
		out = append(out, row.At(52, draw.Span{Text: draw.Clean(strings.Join(f.values(), ", ")), Style: theme.Value}))
	}
	return out
}
