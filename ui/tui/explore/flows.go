package explore

import (
	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// flow is a value that an operation takes or emits, and whom it comes from or
// goes to.
type flow struct {
	value model.Value
	kind  string
	peers []peer
}

// peer is a neighbour and where the value stands there, such as "Location".
type peer struct {
	op  model.OpID
	via string
}

// columns are where the parts of a flow begin. In a narrow page the peers stand
// below and peer is 0.
type columns struct{ name, place, kind, peer int }

const (
	narrowPage = 60 // below this width, peers get rows of their own
	fewPeers   = 3  // that are shown before the rest is folded
)

func columnsFor(width int, all []flow) columns {
	name, kind := 8, 6
	for _, f := range all {
		name = max(name, ansi.StringWidth(pane.Clean(f.value.Name)))
		kind = max(kind, ansi.StringWidth(f.kind))
	}
	c := columns{name: 4}
	if width < narrowPage {
		c.place = c.name + min(name, width*2/5) + 2
		c.kind = c.place + 7
		return c
	}
	c.place = c.name + min(name, width/4) + 2
	c.kind = c.place + 7
	c.peer = min(c.kind+kind+2, width*3/5)
	return c
}

// flows writes a table of values with their neighbours.
func (b *book) flows(title, peers, nobody string, c columns, all []flow) {
	b.head(title)
	if c.peer > 0 && len(all) > 0 {
		b.rows[len(b.rows)-1].line = b.rows[len(b.rows)-1].line.At(c.peer, pane.Span{Text: peers, Style: theme.Dim})
	}
	if len(all) == 0 {
		b.write(pane.Span{Text: "    nothing", Style: theme.Dim})
	}
	for _, f := range all {
		b.flow(f, nobody, peers, c)
	}
}

func (b *book) flow(f flow, nobody, direction string, c columns) {
	line := pane.Line{}.At(2, mark(f.value)).
		At(c.name, pane.Span{Text: pane.Clean(f.value.Name), Style: theme.Value}).
		At(c.place, pane.Span{Text: place(f.value.In), Style: theme.Dim}).
		At(c.kind, pane.Span{Text: f.kind, Style: theme.Plain})
	first := len(b.rows)
	b.rows = append(b.rows, row{line: line})
	if len(f.peers) == 0 {
		if c.peer > 0 {
			b.rows[first].line = line.At(c.peer, pane.Span{Text: nobody, Style: theme.Dim})
		}
		return
	}
	b.peers(f, first, direction, c)
}

// peers writes the neighbours of a value, the first one beside it where there
// is room.
func (b *book) peers(f flow, first int, direction string, c columns) {
	fold := direction + " " + string(f.value.In) + " " + f.value.Name
	show, column := f.peers, c.peer
	if len(show) > fewPeers+1 && !b.unfolded(fold, false) {
		show = show[:fewPeers]
	}
	if column == 0 {
		column, first = c.name+2, -1
	}
	for i, p := range show {
		if i > 0 || first < 0 {
			first = len(b.rows)
			b.rows = append(b.rows, row{})
		}
		r := &b.rows[first]
		r.line, r.to = r.line.At(column, b.peer(p, direction, column, c)...), p.op
	}
	if len(f.peers) > fewPeers+1 {
		b.more(column, len(f.peers)-fewPeers, "operation", fold)
	}
}

// peer draws a neighbour; where there are no columns, with its direction.
func (b *book) peer(p peer, direction string, column int, c columns) pane.Line {
	var line pane.Line
	if c.peer == 0 {
		line = pane.Text(direction+" ", theme.Dim)
	}
	via := ""
	if p.via != "" {
		via = "  " + pane.Clean(p.via)
	}
	room := b.width - column - line.Width() - min(ansi.StringWidth(via), 14)
	return append(append(line, pane.Operation(string(p.op), room)...), pane.Span{Text: via, Style: theme.Dim})
}

// place is where a value travels, in a word of at most six letters.
func place(in model.Place) string {
	if in == model.InResponse {
		return "answer"
	}
	return string(in)
}

func mark(v model.Value) pane.Span {
	switch {
	case v.In == model.InResponse:
		return pane.Span{Text: " ", Style: theme.Plain}
	case v.Required:
		return pane.Span{Text: theme.Required, Style: theme.Accent}
	}
	return pane.Span{Text: theme.Optional, Style: theme.Dim}
}
