package graph

import (
	"cmp"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/figure"
	"sonde/ui/pane"
	"sonde/ui/theme"
	"sonde/ui/tui/sheet"
	"sonde/ui/words"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// View draws the picture or the tree, and below it words about the operation
// under the cursor.
func (s *Screen) View(width, height int) string {
	picture, about := divide(width, height)
	top := s.viewPicture(picture)
	if about.Empty() {
		return top
	}
	return pane.Above(top, s.viewWords(about))
}

func (s *Screen) viewPicture(r pane.Rect) string {
	f := pane.Frame{Title: s.title(r.W - 6), Note: s.note(), Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	switch {
	case s.picture == nil:
		return f.Render(sheet.Blank(s.nothing(), w, h))
	case s.tree():
		return f.Render(s.viewTree(w))
	}
	return f.Render(s.picture.sheet.Render(s.look()))
}

// nothing says why there is no picture.
func (s *Screen) nothing() string {
	if s.study != nil && len(s.study.Spec.Operations) == 0 {
		return "This spec has no operations to draw."
	}
	return "Drawing …"
}

func (s *Screen) title(width int) string {
	hops := fmt.Sprintf("  within %s", words.Plural(s.hops, "hop"))
	if s.picture != nil && s.picture.narrowed && width >= 48 {
		hops += ", ids only"
	}
	return pane.Operation(string(s.centre), width-len(hops)).String() + theme.Dim.Render(hops)
}

// note says how much is shown, and that there is more.
func (s *Screen) note() string {
	if s.picture == nil {
		return ""
	}
	note := words.Plural(len(s.picture.ops), "operation")
	if s.picture.left > 0 {
		note += fmt.Sprintf(", %s left out", words.Count(s.picture.left))
	}
	if s.picture.loose > 0 {
		note += fmt.Sprintf(" · %s hidden", words.Plural(s.picture.loose, "other flow"))
	}
	if !s.tree() && !s.picture.sheet.Whole() {
		note += " · hjkl scroll"
	}
	return note
}

// look is how boxes and lines are drawn.
func (s *Screen) look() figure.View {
	p := s.picture
	return figure.View{
		Selected: func(node int) bool { return node == s.at },
		Style: func(node int) lipgloss.Style {
			method, _, _ := strings.Cut(string(p.ops[node]), " ")
			return theme.Method(method)
		},
		EdgeStyle: func(edge int) lipgloss.Style {
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
		out = append(out, s.lines[i].draw(i == s.rows.At, width).Render(width, i == s.rows.At))
	}
	return strings.Join(out, "\n")
}

// viewWords says what the picture has no room for.
func (s *Screen) viewWords(r pane.Rect) string {
	f := pane.Frame{Title: pane.Operation(string(s.op()), r.W-6).String(), Width: r.W, Height: r.H}
	w, h := f.Inner()
	if s.study == nil || s.picture == nil {
		return f.Render("")
	}
	var out []string
	if op := s.study.Spec.Operation(s.op()); op != nil {
		out = append(out, s.summary(op, w))
	}
	flows := s.around(s.op())
	if len(flows) == 0 {
		out = append(out, theme.Dim.Render("   exchanges no values with other operations"))
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

func (s *Screen) summary(op *model.Operation, width int) string {
	text := " " + pane.Clean(cmp.Or(op.Summary, op.Name, "no summary"))
	if counts := s.run.Grid[op.ID]; len(counts) > 0 {
		glyph, style := theme.Answers(counts)
		return style.Render(" "+glyph) + ansi.Truncate(text, width-2, "…")
	}
	return text
}

// around lists the flows at an operation with all of their values.
func (s *Screen) around(op model.OpID) []pane.Line {
	var out []pane.Line
	for _, f := range s.picture.flows {
		l, ok := f.seenFrom(op)
		if !ok {
			continue
		}
		row := pane.Text("   "+l.arrow+" ", theme.Dim)
		row = append(row, pane.Operation(string(l.op), 44)...)
		out = append(out, row.At(52, pane.Span{Text: pane.Clean(strings.Join(f.values(), ", ")), Style: theme.Value}))
	}
	return out
}
