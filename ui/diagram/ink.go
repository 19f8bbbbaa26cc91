package diagram

import (
	"strings"

	"sonde/ui/theme"
)

// ink selects the style of a cell. 0 is no style, and frameInk is the style of frames. The following values are in
// groups of three: the styles of node 0, edge 0 and the border of node 0, then those with index 1, and so on.
type ink int32

const frameInk ink = 1

func nodeInk(node int) ink   { return ink(2 + 3*node) }
func edgeInk(edge int) ink   { return ink(3 + 3*edge) }
func borderInk(node int) ink { return ink(4 + 3*node) }

// style returns the style that the fields of v give for k. If the field for this kind of ink is nil, it returns
// theme.Plain.
func (v GraphView) style(k ink) theme.Style {
	if k == frameInk {
		return v.FrameStyle
	}
	of := [3]func(int) theme.Style{v.Style, v.EdgeStyle, v.BorderStyle}[max(0, k-2)%3]
	if k < frameInk || of == nil {
		return theme.Plain
	}
	return of(int(k-2) / 3)
}

// escapes are the escape sequences before and after a text in a style.
type escapes struct{ before, after string }

func (v GraphView) escapesOf(k ink) (e escapes) {
	e.before, e.after = v.style(k).Around()
	return e
}

// print writes the lines of the window. Adjacent cells of the same ink share their escape sequences.
func (c *canvas) print(v GraphView) string {
	var b strings.Builder
	b.Grow(4 * len(c.cells))
	known := map[ink]escapes{0: {}}
	for y := range c.height {
		if y > 0 {
			b.WriteByte('\n')
		}
		c.printRow(&b, c.cells[y*c.width:(y+1)*c.width], v, known)
	}
	return b.String()
}

func (c *canvas) printRow(b *strings.Builder, row []cell, v GraphView, known map[ink]escapes) {
	var last ink
	for i := range row {
		at := &row[i]
		if at.half {
			continue
		}
		if at.ink != last {
			b.WriteString(known[last].after)
			b.WriteString(v.remember(known, at.ink).before)
			last = at.ink
		}
		if at.text == "" {
			b.WriteByte(' ')
		} else {
			b.WriteString(at.text)
		}
	}
	b.WriteString(known[last].after)
}

func (v GraphView) remember(known map[ink]escapes, k ink) escapes {
	e, ok := known[k]
	if !ok {
		e = v.escapesOf(k)
		known[k] = e
	}
	return e
}
