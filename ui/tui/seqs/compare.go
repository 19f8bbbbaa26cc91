package seqs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/key"
)

var (
	keyCompare = key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "compare"))
	keyAlone   = key.NewBinding(key.WithKeys("c", "esc"), key.WithHelp("c", "compare no more"))
)

// keyCompared has the row under the cursor be compared with others, or ends that.
func (s *Screen) keyCompared() key.Binding {
	if s.left != nil {
		return keyAlone
	}
	return keyCompare
}

// sides are the widths of the two columns of a comparison, with a gap between; where
// there is no room for two, the second stands below the first.
func sides(width int) (column int, stacked bool) {
	const least, gap = 34, 3
	if width < 2*least+gap {
		return width - 2, true
	}
	return (width - gap) / 2, false
}

// comparison are the lines of two rows beside each other: calls of the same operation in
// one line, and below them what differs.
func (s *Screen) comparison(width int) []draw.Line {
	left, right := s.left, s.shown[s.list.At]
	p := &page{width: width}
	p.beside(draw.TextLine(left.ID+" · "+left.origin(), theme.Strong), draw.TextLine(right.ID+" · "+right.origin(), theme.Strong))
	if left == right {
		p.prose("Go to another seq: it stands here beside this one.", theme.Dim)
		return p.lines
	}
	p.add(nil)
	for _, at := range align(left.Seq, right.Seq) {
		a, b := s.called(left, at.left), s.called(right, at.right)
		p.beside(a.head(at, width), b.head(at, width))
		p.values(a, b)
	}
	return p.lines
}

// called is a call of a row; without an operation where there is none.
type called struct {
	n     int
	op    model.OpID
	call  *model.Call       // nil where it has no values yet
	links map[string]string // where values come from, by their names
}

func (s *Screen) called(r *row, at int) called {
	if at < 0 {
		return called{}
	}
	c := called{n: at + 1, op: r.Seq[at], links: map[string]string{}}
	t := cmp.Or(r.Test, r.Draft)
	if t == nil {
		for _, n := range s.rows.needs(r.Seq)[at] {
			c.links[placed(n.in, n.name)] = r.source(n.from)
		}
		return c
	}
	c.call = &t.Calls[at]
	for _, l := range t.Links {
		if l.To == at {
			c.links[placed(l.In, l.Name)] = r.source(l.From)
		}
	}
	return c
}

// source says which call gives a value, or that none does.
func (r *row) source(from int) string {
	if from < 0 {
		return theme.Failed + " unbound"
	}
	return "← " + string(r.Seq[from])
}

// placed is a value's name, behind the place where it is sent.
func placed(in model.Location, name string) string { return string(in) + " " + name }

// head is the call's number, operation and status. A sign tells that the other seq has
// no such call.
func (c called) head(at pair, width int) draw.Line {
	if c.op == "" {
		return nil
	}
	column, _ := sides(width)
	line := draw.TextLine(fmt.Sprintf("%2d ", c.n), theme.Dim)
	if at.left < 0 || at.right < 0 {
		line = draw.TextLine(fmt.Sprintf("%2d+", c.n), theme.Warn)
	}
	line = append(line, draw.OperationLine(string(c.op), column-8)...)
	if c.call != nil && c.call.Status != 0 {
		_, style := theme.Class(c.call.Status)
		line = line.At(column-4, draw.Span{Text: strconv.Itoa(c.call.Status), Style: style})
	}
	return line
}

// values are what the call was sent with and how it was answered, by name; of what comes
// from another call, from which.
func (c called) values() map[string]string {
	all := map[string]string{}
	if c.call != nil {
		all["as"] = c.call.User
		for _, a := range c.call.Args {
			all[placed(a.In, a.Name)] = a.Value
		}
		if c.call.Body != nil {
			all["body"] = strings.Join(strings.Fields(pretty(c.call.Body.Data)), " ")
		}
		if c.call.Status != 0 {
			all["status"] = strconv.Itoa(c.call.Status)
		}
	}
	maps.Copy(all, c.links)
	return all
}

// values are where those of two calls come from, and those that are not the same in both.
// What was not called yet has none of its own to compare.
func (p *page) values(a, b called) {
	left, right := a.values(), b.values()
	all := maps.Clone(left)
	maps.Copy(all, right)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		link := a.links[name] != "" || b.links[name] != ""
		switch paired := a.op != "" && b.op != ""; {
		case paired && left[name] != right[name] && (link || a.call != nil && b.call != nil):
			p.beside(side(name, left, "≠ "), side(name, right, "≠ "))
		case link:
			p.beside(side(name, a.links, ""), side(name, b.links, ""))
		}
	}
}

// side is a value as one of the two has it, nothing where the other alone has such a call.
func side(name string, values map[string]string, sign string) draw.Line {
	if sign == "" && values[name] == "" {
		return nil
	}
	style := theme.Dim
	if sign != "" {
		style = theme.Warn
	}
	return draw.Line{
		{Text: "   " + sign + draw.Clean(name) + "  ", Style: style},
		{Text: draw.Clean(cmp.Or(values[name], "—")), Style: theme.Value},
	}
}

// beside adds a line of two columns, or two lines where there is room for one column.
func (p *page) beside(left, right draw.Line) {
	column, stacked := sides(p.width)
	if !stacked {
		p.add(append(left.Cut(column).At(column+1, draw.Span{Text: "│ ", Style: theme.Border}), right.Cut(column)...))
		return
	}
	for i, l := range []draw.Line{left, right} {
		if len(l) > 0 {
			p.add(append(draw.TextLine([]string{"◂ ", "▸ "}[i], theme.Dim), l...))
		}
	}
}
