package export

import "strings"

const (
	// jsonWidth is the maximum width of JSON on one line.
	jsonWidth = 76
	// jsonDepth is the maximum depth of indentation: deeper JSON is on one line.
	jsonDepth = 12
)

// layout returns the value as text: on one line if it fits, else with a line for each member. indent is the
// minimum number of tabs before all lines except the first.
func (n *node) layout(indent int) string {
	var b strings.Builder
	layouter{&b, n.widths()}.write(n, indent, 0)
	return b.String()
}

type layouter struct {
	*strings.Builder
	widths map[*node]int
}

func (l layouter) write(n *node, indent, depth int) {
	if n.open == "" {
		l.WriteString(n.text)
		return
	}
	broken := depth < jsonDepth && l.widths[n]+4*depth > jsonWidth
	l.WriteString(n.open)
	for i, kid := range n.kids {
		l.gap(i, broken, indent+1)
		if n.open == "{" {
			l.WriteString(n.keys[i] + ": ")
		}
		l.write(kid, indent+1, depth+1)
	}
	if broken {
		l.gap(0, true, indent)
	}
	l.WriteString(map[string]string{"{": "}", "[": "]"}[n.open])
}

// gap writes the comma, and the space or the line break, before the i-th member.
func (l layouter) gap(i int, broken bool, indent int) {
	switch {
	case i > 0 && broken:
		l.WriteByte(',')
	case i > 0:
		l.WriteString(", ")
	}
	if broken {
		l.WriteString("\n" + strings.Repeat("\t", indent))
	}
}

// widths returns the width of each object and array on one line.
func (n *node) widths() map[*node]int {
	widths := map[*node]int{}
	var measure func(n *node) int
	measure = func(n *node) int {
		width := len(n.text)
		if n.open != "" {
			width = 2 * max(1, len(n.kids))
		}
		for i, kid := range n.kids {
			width += measure(kid)
			if n.open == "{" {
				width += len(n.keys[i]) + 2
			}
		}
		widths[n] = width
		return width
	}
	measure(n)
	return widths
}
