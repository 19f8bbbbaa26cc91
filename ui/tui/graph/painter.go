package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/diagram"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// painter draws the screen. It does not change the state.
type painter struct {
	analyzed *screen.AnalyzedSpec // nil before a spec is opened
	view     view                 // the view that the user has chosen
	display  *display
	op       model.OpID // the operation under the cursor
	matches  *matches
	coverage coverage
	drawing  bool // a picture is being drawn
	stopped  bool // the screen is visible, but no picture is being drawn
	save     *save.FileNameLine
}

func (p painter) draw(width, height int) string {
	r, about := p.display.divide(width, height)
	out := p.pictureFrame(r)
	if !about.Empty() {
		out = draw.JoinRows(out, p.words(about))
	}
	return out
}

// pictureFrame draws the picture or the tree, with its title.
func (p painter) pictureFrame(r draw.Rect) string {
	f := draw.Frame{Title: p.title(r.W - 6), Note: p.note(), Width: r.W, Height: r.H, Focused: true}
	w, h := f.Inner()
	switch {
	case p.save.TypingName():
		f.Title = p.save.Title(w - 4)
	case p.matches.Typing():
		f.Title = strings.TrimRight(p.matches.View(w-4), " ")
	}
	switch {
	case p.display.picture == nil:
		return f.Render(sheet.EmptyView(p.absence(), w, h))
	case p.display.tree():
		return f.Render(p.tree(w))
	}
	return p.withMap(f.Render(p.display.picture.sheet.Render(p.figureView())), r)
}

// withMap draws a map of the whole figure into the corner of the drawing, if the map is shown.
func (p painter) withMap(drawing string, r draw.Rect) string {
	m := p.display.mapRect(r)
	if m.Empty() {
		return drawing
	}
	f := draw.Frame{Width: m.W, Height: m.H}
	w, h := f.Inner()
	return draw.Overlay(drawing, f.Render(p.display.picture.sheet.RenderMap(w, h, p.mapSign)), m.X, m.Y)
}

// mapSign returns the sign for a node on the map, "" for the default sign.
func (p painter) mapSign(node int) string {
	switch {
	case node == p.display.node:
		return theme.Injected
	case p.matches.has(node):
		return theme.Live
	}
	return ""
}

// absence returns the reason why there is no picture.
func (p painter) absence() string {
	switch {
	case p.analyzed != nil && len(p.analyzed.Spec.Operations) == 0:
		return "This spec has no operations to draw."
	case p.stopped:
		return "The drawing was stopped. " + widget.KeyAndHelp(keyAgain) + "."
	}
	return "Drawing … " + theme.Dim.Render(widget.KeyName(keyStop)+" stops it")
}

// title describes which part of the API is shown.
func (p painter) title(width int) string {
	extent, name := fmt.Sprintf("  within %s", words.Plural(p.view.hops, "hop")), draw.Line(nil)
	if p.view.whole {
		extent, name = "", draw.TextLine("The whole API", theme.Plain)
	}
	if p.view.things {
		extent += "  resources"
	}
	if p.display.narrowed() && width >= 48 {
		extent += ", ids only"
	}
	if !p.view.whole {
		name = p.centreName(width - len(extent))
	}
	return name.String() + theme.Dim.Render(extent)
}

// centreName returns the name of the node at the centre.
func (p painter) centreName(width int) draw.Line {
	if pic := p.display.picture; pic != nil && pic.view == p.view.normal() {
		if at := pic.node(p.view.centre); at >= 0 {
			return pic.nodes[at].title(width)
		}
	}
	return draw.OperationLine(string(p.view.centre), width)
}

// note returns a note: a picture is being drawn, the search text is invalid, the number of matches, or how
// much is shown and left out. It returns "" if there is no picture.
func (p painter) note() string {
	pic := p.display.picture
	switch {
	case pic == nil:
		return ""
	case p.drawing:
		return "drawing … " + widget.KeyName(keyStop) + " stops it"
	case p.matches.Problem() != "":
		return draw.Clean(p.matches.Problem())
	case !p.matches.IsEmpty():
		return fmt.Sprintf("%s of %s boxes found", words.Count(p.matches.count), words.Count(len(pic.nodes)))
	}
	note := pic.size()
	if !p.display.tree() && !pic.sheet.ShowsWhole() {
		note += " · hjkl scroll"
	}
	return note
}

// size describes how much a picture shows and how much it leaves out.
func (p *picture) size() string {
	thing := "operation"
	if p.things {
		thing = "resource"
	}
	text := words.Plural(len(p.nodes), thing)
	if ops := p.operationsIn(); !p.things && ops > len(p.nodes) {
		text = fmt.Sprintf("%s in %s", words.Plural(ops, thing), words.Count(len(p.nodes))+" boxes")
	}
	if p.omitted > 0 {
		text += fmt.Sprintf(", %s left out", words.Count(p.omitted))
	}
	if p.hidden > 0 {
		text += fmt.Sprintf(" · %s hidden", words.Plural(p.hidden, "other flow"))
	}
	return text
}

// figureView returns the settings for drawing boxes and lines.
func (p painter) figureView() diagram.GraphView {
	pic := p.display.picture
	return diagram.GraphView{
		Selected:    func(node int) bool { return node == p.display.node },
		Style:       func(node int) theme.Style { return pic.nodes[node].methodStyle() },
		BorderStyle: func(node int) theme.Style { return p.coverage.style(pic.nodes[node]) },
		Mark:        func(node, width int) string { return p.coverage.mark(pic.nodes[node], width) },
		Lit:         p.matches.has,
		EdgeStyle: func(edge int) theme.Style {
			switch f := pic.flows[edge]; {
			case f.from != p.op && f.to != p.op:
				return theme.Dim
			case len(f.ids) > 0:
				return theme.Value
			case len(f.rest) > 0:
				return theme.Plain
			}
			return theme.Dim
		},
	}
}

func (p painter) tree(width int) string {
	var out []string
	rows := p.display.rows
	from, to := rows.Visible()
	for i := from; i < to; i++ {
		at := i == rows.At
		out = append(out, p.treeRow(p.display.lines[i], at, width).Render(width, at))
	}
	return strings.Join(out, "\n")
}

// statusWidth is the width of a glyph and a status, such as "✓ 201".
const statusWidth = 5

// maxIndent is the maximum number of steps by which a row is indented, because names need room.
const maxIndent = 8

// treeRow draws a row of the tree: the direction of the flow, the most telling status in the search, the node and the
// values.
func (p painter) treeRow(l line, at bool, width int) draw.Line {
	pic := p.display.picture
	mark := " "
	if at {
		mark = theme.Cursor
	}
	number := pic.node(l.op)
	row := draw.TextLine(mark, theme.Active)
	if p.matches.has(number) {
		row = append(row, draw.Span{Text: theme.Live, Style: theme.Active})
	}
	row = append(row, draw.Span{
		Text:  strings.Repeat(" ", 2+2*min(l.depth, maxIndent)-row.Width()),
		Style: theme.Plain,
	})
	switch {
	case l.arrow != "":
		row = append(row, draw.Span{Text: l.arrow + " ", Style: theme.Dim})
	case l.op == pic.middle():
		row = append(row, draw.Span{Text: "◆ ", Style: theme.Active})
	}
	nd := pic.nodes[number]
	if p.coverage != nil {
		row = append(row, draw.Answers(p.coverage.answers(nd), statusWidth)...)
		row = append(row, draw.Span{Text: " "})
	}
	values := "  " + l.values
	room := width - row.Width() - 1
	row = append(row, pic.label(nd, max(room*3/5, room-draw.TextLine(values, theme.Plain).Width()))...)
	return append(row, draw.Span{Text: values, Style: theme.Value})
}

// words draws texts about the node under the cursor: its summary, and its flows with all values.
func (p painter) words(r draw.Rect) string {
	f := draw.Frame{Title: draw.OperationLine(string(p.op), r.W-6).String(), Width: r.W, Height: r.H}
	w, h := f.Inner()
	if p.analyzed == nil || p.display.picture == nil {
		return f.Render("")
	}
	nd := p.display.picture.nodes[p.display.node]
	f.Title = nd.title(r.W - 6).String()
	out := []string{p.summary(nd, w)}
	flows := p.display.picture.flowRows(p.op)
	if len(flows) == 0 {
		out = append(out, theme.Dim.Render("   "+p.noFlows()))
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

// noFlows returns a text for a node without flows in the picture.
func (p painter) noFlows() string {
	if !p.view.all {
		return "exchanges no ids with other operations; " + widget.KeyName(keyAll) + " shows all values"
	}
	return "exchanges no values with other operations"
}

// summary draws a line about a node, with its answers in the search.
func (p painter) summary(n node, width int) string {
	text := " "
	if op := p.analyzed.Spec.Operation(n.lead()); n.name == "" && op != nil {
		text += draw.Clean(cmp.Or(op.Summary, op.Name, "no summary"))
	} else {
		text += n.members(p.analyzed.Names)
	}
	if counts := p.coverage.answers(n); len(counts) > 0 {
		answers := draw.Answers(counts, width/2)
		return " " + answers.String() + " " + ansi.Truncate(text, width-2-answers.Width(), "…")
	}
	return text
}

// flowRows draws the flows at an operation, with all of their values.
func (p *picture) flowRows(op model.OpID) []draw.Line {
	var out []draw.Line
	for _, f := range p.flows {
		l, ok := f.seenFrom(op)
		if !ok {
			continue
		}
		row := draw.TextLine("   "+l.arrow+" ", theme.Dim)
		row = append(row, p.label(p.nodes[p.node(l.op)], 44)...)
		row = row.At(52, draw.Span{Text: draw.Clean(strings.Join(append(slices.Clone(f.ids), f.rest...), ", ")), Style: theme.Value})
		if len(f.attrs) > 0 {
			row = append(row, draw.Span{Text: "  " + draw.Clean(strings.Join(f.attrs, ", ")), Style: theme.Dim})
		}
		out = append(out, row)
	}
	return out
}
