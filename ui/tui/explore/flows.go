package explore

import (
	"slices"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// flow is a value that an operation takes or emits, with the operations that provide it or take it.
type flow struct {
	use    match.ValueUse
	label  string // the name, or the identity if several values have the same name
	header string // the header of the answer that also holds the value, "" if none does
	why    string // evidence for the value's identity
	kind   string
	// corrected reports whether the user has corrected the value.
	corrected bool
	// refers reports whether the value identifies a resource for the operation that takes it: for the page's
	// operation or, if this operation emits the value, for a peer.
	refers bool
	peers  []peer
	// copies are operations that share the value only as an attribute. A client may copy it from one
	// operation to the other.
	copies []peer
	// nameIn returns the name that the value has in a peer or copy, such as "Location", or "" if the name is the
	// same. If nameIn is nil, peer.token is the name. nameIn is called only for visible peers.
	nameIn func(model.OpID) string
}

// via returns the name of the value in a peer or copy, "" if the name is the same.
func (f flow) via(p peer) string {
	if f.nameIn == nil {
		return p.token
	}
	return f.nameIn(p.op)
}

// shared reports whether another operation provides the value or takes it.
func (f flow) shared() bool { return len(f.peers)+len(f.copies) > 0 }

// peer is an operation that provides the value of a flow, or takes it.
type peer struct {
	op    model.OpID
	token string // the name of the credential that the operation gives, "" if the operation is not a log-in
	// isCopy reports whether the peer is one of the copies of a flow.
	isCopy bool
}

// columns has the first column of each part of a flow. On a narrow page, peers have separate rows, and peer
// is 0.
type columns struct{ name, place, kind, peer int }

const (
	narrowPage = 60 // minimum width of a page for peers in the value's row
	fewPeers   = 3  // number of an id's peers that are never folded
	fewOthers  = 1  // number of another value's peers that are never folded
	fewFlows   = 8  // number of values that are never folded
)

// columnsFor returns the columns of a table of flows.
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

// The titles of the tables of values. The title of a table is also the name of its fold.
const (
	tableOfTaken   = "Takes"
	tableOfEmitted = "Emits"
)

// table returns the title of the table that contains the value.
func (f flow) table() string {
	if f.use.Out {
		return tableOfEmitted
	}
	return tableOfTaken
}

// kinds returns the kind of a value, and the name of the header that also has the value.
func (f flow) kinds() string {
	if f.header == "" {
		return f.kind
	}
	return f.kind + ", " + draw.Clean(f.header)
}

// flowTable describes a table of values with their neighbours.
type flowTable struct {
	title     string
	hint      string // a text after the title, "" for none
	direction string // the title of the column of neighbours
	none      string // the text for a value without neighbours
	columns   columns
}

// flows writes a table of values.
func (b *pageWriter) flows(t flowTable, all []flow) {
	b.head(t.title)
	head, c := &b.rows[len(b.rows)-1], t.columns
	head.line = append(head.line, draw.Span{Text: t.hint, Style: theme.Dim})
	if c.peer > 0 && len(all) > 0 {
		head.line = head.line.At(max(c.peer, head.line.Width()+1), draw.Span{Text: t.direction, Style: theme.Dim})
	}
	if len(all) == 0 {
		b.write(draw.Span{Text: "    nothing", Style: theme.Dim})
	}
	for _, f := range b.first(all, fewFlows, t.title) {
		first := len(b.rows)
		b.flow(f, t.none, t.direction, c)
		for i := range b.rows[first:] {
			b.rows[first+i].about, b.rows[first+i].value = f.about(), &f
		}
	}
	if len(all) > fewFlows+1 {
		b.more(c.name, len(all)-fewFlows, "value", t.title)
	}
}

// first returns the flows to show: the first few flows if the others are folded, otherwise all flows. A single other
// flow is never folded.
func (b *pageWriter) first(all []flow, few int, fold string) []flow {
	if len(all) > few+1 && !b.unfolded(fold, false) {
		return all[:few]
	}
	return all
}

// about returns the identity of a value, and the evidence for it.
func (f flow) about() draw.Line {
	line := draw.TextLine(draw.Clean(f.use.Name), theme.Value)
	if f.use.ID != f.use.Name {
		line = append(line,
			draw.Span{Text: " is ", Style: theme.Dim},
			draw.Span{Text: draw.Clean(f.use.ID), Style: theme.Value},
		)
	}
	if f.use.Kind != "" {
		line = append(line, draw.Span{Text: " (" + string(f.use.Kind) + ")", Style: theme.Dim})
	}
	if f.why != "" {
		line = append(line, draw.Span{Text: ": " + draw.Clean(f.why), Style: theme.Dim})
	}
	return line
}

// flow writes a value and its neighbours.
func (b *pageWriter) flow(f flow, none, direction string, c columns) {
	f.peers = slices.Concat(f.peers, f.copies)
	line := draw.Line{}.At(1, f.correctedMark(), mark(f.use)).
		At(c.name, draw.Span{Text: draw.Clean(f.label), Style: theme.Value}).
		At(c.place, draw.Span{Text: place(f.use), Style: theme.Dim}).
		At(c.kind, draw.Span{Text: f.kinds(), Style: theme.Plain})
	first := len(b.rows)
	b.rows = append(b.rows, row{line: line})
	if len(f.peers) == 0 {
		if f.use.Out && f.use.Kind == match.KindAttribute {
			none = string(f.use.Kind)
		}
		if c.peer > 0 {
			b.rows[first].line = line.At(c.peer, draw.Span{Text: none, Style: theme.Dim})
		}
		return
	}
	b.peers(f, first, direction, c)
}

// peers writes the neighbours of a value. The first neighbour is in the row of the value if there is room.
func (b *pageWriter) peers(f flow, first int, direction string, c columns) {
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
		r.line, r.to = r.line.At(column, b.peer(p, f.via(p), direction, column, c)...), p.op
	}
	if len(f.peers) > few+1 {
		b.more(column, len(f.peers)-few, "operation", fold)
	}
}

// peer draws a neighbour, followed by the name of the value there, which is via. If the table has no column of
// neighbours, the direction comes first.
func (b *pageWriter) peer(p peer, via, direction string, column int, c columns) draw.Line {
	var line draw.Line
	if c.peer == 0 {
		line = draw.TextLine(direction+" ", theme.Dim)
	}
	if via != "" {
		via = "  " + draw.Clean(via)
	}
	room := b.width - column - line.Width() - min(ansi.StringWidth(via), 14)
	name := b.names.Operation(p.op, room)
	if p.isCopy {
		name = draw.TextLine(name.Text(), theme.Dim)
	}
	return append(append(line, name...), draw.Span{Text: via, Style: theme.Dim})
}

// place returns a short name of the message part that has a value, at most six letters long.
func place(u match.ValueUse) string {
	switch u.In {
	case model.InResponse:
		return "answer"
	case model.InCallback:
		return "call"
	}
	return string(u.In)
}

// mark returns the sign for a required or an optional value that the operation takes, a blank for a value that it
// emits.
func mark(u match.ValueUse) draw.Span {
	if u.Out {
		return draw.Span{Text: " ", Style: theme.Plain}
	}
	return need(u.Required)
}

// correctedMark returns the sign for a corrected value, a blank for other values. The sign is drawn before the sign
// for a required value.
func (f flow) correctedMark() draw.Span {
	if f.corrected {
		return draw.Span{Text: theme.Corrected, Style: theme.Accent}
	}
	return draw.Span{Text: " ", Style: theme.Plain}
}

// need returns the sign for required or optional.
func need(required bool) draw.Span {
	if required {
		return draw.Span{Text: theme.Required, Style: theme.Accent}
	}
	return draw.Span{Text: theme.Optional, Style: theme.Dim}
}
