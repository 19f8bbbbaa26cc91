package draw

import (
	"cmp"
	"strings"

	"sonde/model"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

const (
	arrow = " › "
	more  = "…"
)

// Text returns a complete seq as text, such as "POST carts › POST items ×2 › GET items/{}".
func (n SeqNames) Text(seq model.Seq) string {
	var parts []string
	for _, l := range n.links(seq) {
		parts = append(parts, l.spans(shortName).Text())
	}
	return strings.Join(parts, arrow)
}

// Spans draws a seq in at most width cells. It drops the first calls if they do not fit, because the last
// call is the purpose of a seq.
func (n SeqNames) Spans(seq model.Seq, width int) Line {
	all := n.links(seq)
	first := fitting(all, width)
	var line Line
	if first > 0 {
		line = append(line, dimSpan(more+arrow))
	}
	for i, l := range all[first:] {
		if i > 0 {
			line = append(line, dimSpan(arrow))
		}
		line = append(line, l.spans(shortName)...)
	}
	return line.Cut(max(0, width))
}

// link is a call in a seq, or a series of calls of the same operation.
type link struct {
	method, path string
	name         string // the short name of the path, or the name in the document
	given        bool   // name is from the document
	missing      bool   // name is a path because the document has no name
	times        string // " ×2" for two calls, "" for a single call
}

func (n SeqNames) links(seq model.Seq) []link {
	var out []link
	for i := 0; i < len(seq); {
		times := 1
		for i+times < len(seq) && seq[i+times] == seq[i] {
			times++
		}
		l := n.link(seq[i])
		if times > 1 {
			l.times = " ×" + words.Count(times)
		}
		out = append(out, l)
		i += times
	}
	return out
}

func (n SeqNames) link(op model.OpID) link {
	var l link
	l.method, l.path, _ = strings.Cut(Clean(string(op)), " ")
	name, ok := n.name(op)
	l.name, l.given, l.missing = name, name != "", !ok
	if !l.given {
		l.name = n.short(op)
	}
	return l
}

// spans draws the call: the method and the name. If the name is from the document, spans draws only the name.
func (l link) spans(name nameOf) Line {
	text, method := name(l)+l.times, theme.Method(l.method)
	switch {
	case l.given:
		return Line{{Text: text, Style: method}}
	case l.missing:
		return Line{{Text: l.method, Style: method}, dimSpan(" " + text)}
	}
	return Line{{Text: l.method, Style: method}, {Text: " " + text, Style: theme.Plain}}
}

// fitting returns the index of the first link to draw: as many of the last links as fit into width are drawn, and at
// least the last one.
func fitting(all []link, width int) int {
	need := 0
	for i := len(all) - 1; i >= 0; i-- {
		need += all[i].spans(shortName).Width()
		room := width
		if i > 0 {
			room -= ansi.StringWidth(more + arrow)
		}
		if need > room {
			return min(i+1, len(all)-1)
		}
		need += ansi.StringWidth(arrow)
	}
	return 0
}

// short returns a short name of a path: its last segment that is not a parameter, followed by "{}" for each parameter
// after this segment. It is "items" for "/carts/{id}/items", and "carts/{}" for "/carts/{id}". If all segments are
// parameters, short returns "/{}" for each of them. It returns "/" if there are no segments.
func short(path string) string {
	segments := segmentsOf(path)
	tail := ""
	for i := len(segments) - 1; i >= 0; i-- {
		if !strings.HasPrefix(segments[i], "{") {
			return segments[i] + tail
		}
		tail = "/{}" + tail
	}
	return cmp.Or(tail, "/")
}
