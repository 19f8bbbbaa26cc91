package seqs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
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
func (s *Screen) comparison(width int) []pane.Line {
	left, right := s.left, s.shown[s.list.At]
	p := &page{width: width}
	p.beside(pane.Text(left.ID+" · "+left.origin(), theme.Strong), pane.Text(right.ID+" · "+right.origin(), theme.Strong))
	if left == right {
		p.prose("Go to another seq: it stands here beside this one.", theme.Dim)
		return p.lines
	}
	p.add(nil)
	for _, at := range align(left.Seq, right.Seq) {
		a, b := left.called(at.left), right.called(at.right)
		p.beside(a.head(at, width), b.head(at, width))
		if at.left >= 0 && at.right >= 0 {
			p.differences(a.values(), b.values())
		}
	}
	return p.lines
}

// called is a call of a row; without an operation where there is none.
type called struct {
	n    int
	op   model.OpID
	call model.Call
}

func (r *row) called(at int) called {
	if at < 0 {
		return called{}
	}
	c := called{n: at + 1, op: r.Seq[at]}
	if r.Test != nil {
		c.call = r.Test.Calls[at]
	}
	return c
}

// head is the call's number, operation and status. A sign tells that the other seq has
// no such call.
func (c called) head(at pair, width int) pane.Line {
	if c.op == "" {
		return nil
	}
	column, _ := sides(width)
	line := pane.Text(fmt.Sprintf("%2d ", c.n), theme.Dim)
	if at.left < 0 || at.right < 0 {
		line = pane.Text(fmt.Sprintf("%2d+", c.n), theme.Warn)
	}
	line = append(line, pane.Operation(string(c.op), column-8)...)
	if c.call.Status != 0 {
		_, style := theme.Class(c.call.Status)
		line = line.At(column-4, pane.Span{Text: strconv.Itoa(c.call.Status), Style: style})
	}
	return line
}

// values are what the call was sent with, and how it was answered, by name.
func (c called) values() map[string]string {
	if c.call.Op == "" {
		return nil
	}
	all := map[string]string{"as": c.call.User}
	for _, a := range c.call.Args {
		all[string(a.In)+" "+a.Name] = a.Value
	}
	if c.call.Body != nil {
		all["body"] = strings.Join(strings.Fields(pretty(c.call.Body.Data)), " ")
	}
	if c.call.Status != 0 {
		all["status"] = strconv.Itoa(c.call.Status)
	}
	return all
}

// differences are the values that are not the same on both sides.
func (p *page) differences(left, right map[string]string) {
	names := map[string]bool{}
	for _, side := range []map[string]string{left, right} {
		for name := range side {
			names[name] = left != nil && right != nil && left[name] != right[name]
		}
	}
	for _, name := range sorted(names) {
		if names[name] {
			p.beside(differing(name, left[name]), differing(name, right[name]))
		}
	}
}

func sorted(names map[string]bool) (all []string) {
	for name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func differing(name, value string) pane.Line {
	return pane.Line{{Text: "   ≠ " + pane.Clean(name) + "  ", Style: theme.Warn}, {Text: pane.Clean(cmp.Or(value, "—")), Style: theme.Value}}
}

// beside adds a line of two columns, or two lines where there is room for one column.
func (p *page) beside(left, right pane.Line) {
	column, stacked := sides(p.width)
	if !stacked {
		p.add(append(left.Cut(column).At(column+1, pane.Span{Text: "│ ", Style: theme.Border}), right.Cut(column)...))
		return
	}
	for i, l := range []pane.Line{left, right} {
		if len(l) > 0 {
			p.add(append(pane.Text([]string{"◂ ", "▸ "}[i], theme.Dim), l...))
		}
	}
}
