package explore

import (
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// flow is a value that an operation takes or emits, and whom it comes from or
// goes to.
type flow struct {
	use    match.ValueUse
	label  string // the name, or where several have that, the identity
	header string // of the answer, which holds the value as well
	why    string // the evidence for the value's identity
	kind   string
	// refers tells that the value says which thing is meant: the operation's
	// own, or with what it emits somebody else.
	refers bool
	peers  []peer
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
	fewPeers   = 3  // that are shown of an id before the rest is folded
	fewOthers  = 1  // and of another value
	fewFlows   = 8  // values that are shown before the rest is folded
)

func columnsFor(width int, all []flow) columns {
	name, kind := 8, 6
	for _, f := range all {
		name = max(name, ansi.StringWidth(draw.Clean(f.label)))
		kind = max(kind, ansi.StringWidth(f.kinds()))
	}
	c := columns{name: 4}
	if width < narrowPage {
		c.place = c.name + min(name, width*2/5) + 2
		c.kind = c.place + 7
		return c
	}
	c.place = c.name + min(name, width/4) + 2
	c.kind = c.place + 7
	c.peer = min(c.kind+kind+2, width*5/8)
	return c
}

// kinds is the kind of a value and where else than in its place it stands.
func (f flow) kinds() string {
	if f.header == "" {
		return f.kind
	}
	return f.kind + ", " + draw.Clean(f.header)
}

// flows writes a table of values with their neighbours.
func (b *book) flows(title, peers, nobody string, c columns, all []flow) {
	b.head(title)
	if c.peer > 0 && len(all) > 0 {
		b.rows[len(b.rows)-1].line = b.rows[len(b.rows)-1].line.At(c.peer, draw.Span{Text: peers, Style: theme.Dim})
	}
	if len(all) == 0 {
		b.write(draw.Span{Text: "    nothing", Style: theme.Dim})
	}
	for _, f := range b.first(all, fewFlows, title) {
		first := len(b.rows)
		b.flow(f, nobody, peers, c)
		for i := range b.rows[first:] {
			b.rows[first+i].about = f.about()
		}
	}
	if len(all) > fewFlows+1 {
		b.more(c.name, len(all)-fewFlows, "value", title)
	}
}

// first returns the flows before a fold, or all where it is unfolded.
func (b *book) first(all []flow, few int, fold string) []flow {
	if len(all) > few+1 && !b.unfolded(fold, false) {
		return all[:few]
	}
	return all
}

// about says under which identity a value is known, and why.
func (f flow) about() draw.Line {
	line := draw.TextLine(draw.Clean(f.use.Name), theme.Value)
	if f.use.ID != f.use.Name {
		line = append(line, draw.Span{Text: " is ", Style: theme.Dim}, draw.Span{Text: draw.Clean(f.use.ID), Style: theme.Value})
	}
	if f.why != "" {
		line = append(line, draw.Span{Text: ": " + draw.Clean(f.why), Style: theme.Dim})
	}
	return line
}

func (b *book) flow(f flow, nobody, direction string, c columns) {
	line := draw.Line{}.At(2, mark(f.use)).
		At(c.name, draw.Span{Text: draw.Clean(f.label), Style: theme.Value}).
		At(c.place, draw.Span{Text: place(f.use), Style: theme.Dim}).
		At(c.kind, draw.Span{Text: f.kinds(), Style: theme.Plain})
	first := len(b.rows)
	b.rows = append(b.rows, row{line: line})
	if len(f.peers) == 0 {
		if c.peer > 0 {
			b.rows[first].line = line.At(c.peer, draw.Span{Text: nobody, Style: theme.Dim})
		}
		return
	}
	b.peers(f, first, direction, c)
}

// peers writes the neighbours of a value, the first one beside it where there
// is room.
func (b *book) peers(f flow, first int, direction string, c columns) {
	fold := direction + " " + string(f.use.In) + " " + f.use.Name + " " + f.use.ID
	few := fewOthers
	if f.refers {
		few = fewPeers
	}
	show, column := f.peers, c.peer
	if len(show) > few+1 && !b.unfolded(fold, false) {
		show = show[:few]
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
	if len(f.peers) > few+1 {
		b.more(column, len(f.peers)-few, "operation", fold)
	}
}

// peer draws a neighbour; where there are no columns, with its direction.
func (b *book) peer(p peer, direction string, column int, c columns) draw.Line {
	var line draw.Line
	if c.peer == 0 {
		line = draw.TextLine(direction+" ", theme.Dim)
	}
	via := ""
	if p.via != "" {
		via = "  " + draw.Clean(p.via)
	}
	room := b.width - column - line.Width() - min(ansi.StringWidth(via), 14)
	return append(append(line, draw.OperationLine(string(p.op), room)...), draw.Span{Text: via, Style: theme.Dim})
}

// place is where a value travels, in a word of at most six letters.
func place(u match.ValueUse) string {
	switch u.In {
	case model.InResponse:
		return "answer"
	case model.InCallback:
		return "call"
	}
	return string(u.In)
}

func mark(u match.ValueUse) draw.Span {
	if u.Out {
		return draw.Span{Text: " ", Style: theme.Plain}
	}
	return need(u.Required)
}

// need marks what cannot be left out.
func need(required bool) draw.Span {
	if required {
		return draw.Span{Text: theme.Required, Style: theme.Accent}
	}
	return draw.Span{Text: theme.Optional, Style: theme.Dim}
}
