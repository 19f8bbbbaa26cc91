package seqs

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
)

// columnWidth returns the width of each column of a comparison that is width cells wide. If there is no
// room for two columns, stacked is true, and the second row is drawn below the first.
func columnWidth(width int) (column int, stacked bool) {
	const least, gap = 34, 3
	if width < 2*least+gap {
		return width - 2, true
	}
	return (width - gap) / 2, false
}

// comparisonLines draws two rows of the list side by side. Calls of the same operation share a line. Their
// links and the values that differ follow below.
func comparisonLines(left, right *row, links *linker, width int) []draw.Line {
	p := &page{width: width}
	p.sideBySide(
		draw.TextLine(left.ID+" · "+left.origin(), theme.Strong),
		draw.TextLine(right.ID+" · "+right.origin(), theme.Strong),
	)
	if left == right {
		p.prose("Go to another seq to compare it with this one.", theme.Dim)
		return p.lines
	}
	p.add(nil)
	for _, at := range align(left.Seq, right.Seq) {
		a, b := newComparedCall(left, at.left, links), newComparedCall(right, at.right, links)
		p.sideBySide(a.head(at, width), b.head(at, width))
		p.comparedValues(a, b)
	}
	return p.lines
}

// comparedCall is a call of a row. Its operation is "" if the row has no such call.
type comparedCall struct {
	number int // the number of the call in its seq, from 1
	op     model.OpID
	call   *model.Call       // nil if the call has no values yet
	links  map[string]string // key: valuePlace; value: source of the linked value
}

// newComparedCall returns the call of a row with the index at. If at is -1, it returns a comparedCall
// without an operation.
func newComparedCall(r *row, at int, links *linker) comparedCall {
	if at < 0 {
		return comparedCall{}
	}
	c := comparedCall{number: at + 1, op: r.Seq[at], links: map[string]string{}}
	t := cmp.Or(r.Test, r.Draft)
	if t == nil {
		for _, n := range links.needs(r.Seq)[at] {
			c.links[valuePlace(n.in, n.name)] = sourceText(r.Seq, n.from)
		}
		return c
	}
	c.call = &t.Calls[at]
	for _, l := range t.Links {
		if l.To == at {
			c.links[valuePlace(l.In, l.Name)] = sourceText(r.Seq, l.From)
		}
	}
	return c
}

// sourceText names the call of a seq that provides a value. If from is -1, it says that the value is unbound.
func sourceText(seq model.Seq, from int) string {
	if from < 0 {
		return theme.Failed + " unbound"
	}
	return "← " + string(seq[from])
}

// valuePlace identifies a value of a call by its location and its name.
func valuePlace(in model.Location, name string) string { return string(in) + " " + name }

// head draws the call's number, operation and status. It marks the number if the other row has no matching
// call.
func (c comparedCall) head(at alignedPair, width int) draw.Line {
	if c.op == "" {
		return nil
	}
	column, _ := columnWidth(width)
	line := draw.TextLine(fmt.Sprintf("%2d ", c.number), theme.Dim)
	if at.left < 0 || at.right < 0 {
		line = draw.TextLine(fmt.Sprintf("%2d+", c.number), theme.Warn)
	}
	line = append(line, draw.OperationLine(string(c.op), column-8)...)
	if c.call != nil && c.call.Status != 0 {
		_, style := theme.Class(c.call.Status)
		line = line.At(column-4, draw.Span{Text: strconv.Itoa(c.call.Status), Style: style})
	}
	return line
}

// values maps the names of values to their texts: the call's user, arguments, body and status. The text of a linked
// value is the call that provides the value.
func (c comparedCall) values() map[string]string {
	all := map[string]string{}
	if c.call != nil {
		all["as"] = c.call.User
		for _, a := range c.call.Args {
			all[valuePlace(a.In, a.Name)] = a.Value
		}
		if c.call.Body != nil {
			all["body"] = strings.Join(strings.Fields(indentJSON(c.call.Body.Describe())), " ")
			if !c.call.Body.IsText() { // equal descriptions may be of different bytes
				all["body"] += fmt.Sprintf(", CRC-32 %08x", crc32.ChecksumIEEE([]byte(c.call.Body.Data)))
			}
		}
		if c.call.Status != 0 {
			all["status"] = strconv.Itoa(c.call.Status)
		}
	}
	maps.Copy(all, c.links)
	return all
}

// comparedValues adds the links of two calls, and the values that differ. If one of the calls is missing or
// has no values, it adds only links.
func (p *page) comparedValues(a, b comparedCall) {
	left, right := a.values(), b.values()
	all := maps.Clone(left)
	maps.Copy(all, right)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		link := a.links[name] != "" || b.links[name] != ""
		switch paired := a.op != "" && b.op != ""; {
		case paired && left[name] != right[name] && (link || a.call != nil && b.call != nil):
			p.sideBySide(comparedValue(name, left, "≠ "), comparedValue(name, right, "≠ "))
		case link:
			p.sideBySide(comparedValue(name, a.links, ""), comparedValue(name, b.links, ""))
		}
	}
}

// comparedValue draws a value of one of the two calls. If the call does not have the value, comparedValue draws a
// dash. It draws nothing if the call does not have the value and sign is "".
func comparedValue(name string, values map[string]string, sign string) draw.Line {
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

// sideBySide adds two lines in two columns of one line. On a narrow page, it adds them one below the other.
func (p *page) sideBySide(left, right draw.Line) {
	column, stacked := columnWidth(p.width)
	if !stacked {
		line := left.Cut(column).At(column+1, draw.Span{Text: "│ ", Style: theme.Border})
		p.add(append(line, right.Cut(column)...))
		return
	}
	for i, l := range []draw.Line{left, right} {
		if len(l) > 0 {
			p.add(append(draw.TextLine([]string{"◂ ", "▸ "}[i], theme.Dim), l...))
		}
	}
}
