package draw

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// ink is the kind of content of a cell of the plot. Content with a higher value covers content with a lower one.
type ink uint8

const (
	blankInk ink = iota
	mark
	ghost // the curve of another run
	line
	label
	pointer
)

var styles = [...]theme.Style{mark: theme.Warn, ghost: theme.Dim, line: theme.Accent, label: theme.Warn, pointer: theme.Active}

// plot is the area inside the axes, in cells. A cell has 2 × 4 braille dots.
type plot struct {
	width, height int
	runes         []rune
	inks          []ink
}

const (
	dotsX = 2
	dotsY = 4
	empty = '\u2800' // braille pattern without a dot
)

// dots has the bit of each dot of a cell, by row and column.
var dots = [dotsY][dotsX]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

func newPlot(width, height int) *plot {
	width, height = max(0, width), max(0, height)
	p := &plot{width: width, height: height, runes: make([]rune, width*height), inks: make([]ink, width*height)}
	for i := range p.runes {
		p.runes[i] = ' '
	}
	return p
}

// curve draws a step curve. In each column of dots it draws a dot for the value at the end of the column,
// and a vertical line up to the dot if the value is higher than in the column before. A dashed curve leaves every other
// column of cells free.
func (p *plot) curve(points []model.CurvePoint, now int, a axis, as ink, dashed bool) {
	if len(points) == 0 || p.height == 0 {
		return
	}
	next, covered, before := 0, 0, -1
	columns := p.width * dotsX
	for x := range columns {
		if x > 0 && x*a.x/columns > now {
			return
		}
		for next < len(points) && points[next].Calls*columns <= (x+1)*a.x {
			covered = points[next].Covered
			next++
		}
		at := dotOf(covered, a.y, p.height)
		if dashed && x/dotsX%2 > 0 {
			before = at
			continue
		}
		for y := min(at, before+1); y <= at; y++ {
			p.dot(x, y, as)
		}
		before = at
	}
}

// dotOf returns the row of dots for a value, counted from the bottom. span is the value at the top of the plot.
func dotOf(value, span, height int) int { return max(0, value) * (height*dotsY - 1) / span }

// rowOf returns the row of cells for a value, counted from the top.
func rowOf(value, span, height int) int {
	return (height*dotsY - 1 - dotOf(value, span, height)) / dotsY
}

// dot sets a dot; y counts from the bottom. If both curves have a dot in the same cell, the cell shows the curve that
// is drawn last.
func (p *plot) dot(x, y int, as ink) {
	fromTop := p.height*dotsY - 1 - y
	i := fromTop/dotsY*p.width + x/dotsX
	if p.inks[i] == blankInk {
		p.runes[i] = empty
	}
	p.inks[i] = as
	p.runes[i] |= dots[fromTop%dotsY][x%dotsX]
}

// marks draws a dotted line for each mark in the cells without a curve, then the labels. A part of each
// line stays visible.
func (p *plot) marks(marks []ChartMark, spanX int) {
	if p.width == 0 || p.height == 0 {
		return
	}
	for _, m := range marks {
		p.rule(p.column(m, spanX))
	}
	for _, m := range marks {
		p.label(m.Label, p.column(m, spanX))
	}
}

// point draws a line at a call in the cells without a curve and without a text.
func (p *plot) point(call, spanX int) {
	if p.width == 0 {
		return
	}
	x := p.column(ChartMark{Call: call}, spanX)
	for y := range p.height {
		if i := y*p.width + x; p.inks[i] <= mark {
			p.runes[i], p.inks[i] = '│', pointer
		}
	}
}

// rule draws a line in the free cells of a column, or in its lowest cell if none is free.
func (p *plot) rule(x int) {
	for y := range p.height {
		if i := y*p.width + x; p.inks[i] == blankInk {
			p.runes[i], p.inks[i] = '┆', mark
		}
	}
	if p.lines(x) == 0 {
		i := (p.height-1)*p.width + x
		p.runes[i], p.inks[i] = '┆', mark
	}
}

// lines returns the number of cells of column x in which the line of a mark is visible.
func (p *plot) lines(x int) (n int) {
	for y := range p.height {
		if p.inks[y*p.width+x] == mark {
			n++
		}
	}
	return n
}

// hides reports whether a text in cells of a row would hide the only visible part of a mark's line.
func (p *plot) hides(y, from, to int) bool {
	for x := from; x < to; x++ {
		if p.inks[y*p.width+x] == mark && p.lines(x) == 1 {
			return true
		}
	}
	return false
}

func (p *plot) column(m ChartMark, spanX int) int {
	return max(0, min(m.Call*p.width/spanX, p.width-1))
}

// label writes a text to the right of column x, or to its left near the end of the plot, as low as possible. It
// avoids the curves if possible. It never covers another label, and never the last visible cell of a mark's line. If
// there is no room, the label is left out.
func (p *plot) label(text string, x int) {
	n := ansi.StringWidth(text)
	from := x + 1
	if from+n > p.width {
		from = x - n
	}
	if from < 0 || n == 0 {
		return
	}
	for _, under := range []ink{mark, ghost, line} {
		for y := p.height - 1; y >= 0; y-- {
			if p.covers(y, from-1, from+n+1) <= under && !p.hides(y, from, from+n) {
				p.write(text, y*p.width+from)
				return
			}
		}
	}
}

// covers returns the highest ink in some cells of a row.
func (p *plot) covers(y, from, to int) ink {
	return slices.Max(p.inks[y*p.width+max(0, from) : y*p.width+min(p.width, to)])
}

func (p *plot) write(text string, at int) {
	for i, r := range []rune(text) {
		p.runes[at+i], p.inks[at+i] = r, label
	}
}

// row renders a row. Adjacent cells of the same ink share their style.
func (p *plot) row(y int) string {
	var b strings.Builder
	for from := y * p.width; from < (y+1)*p.width; {
		to := from + 1
		for to < (y+1)*p.width && p.inks[to] == p.inks[from] {
			to++
		}
		if run := string(p.runes[from:to]); p.inks[from] == blankInk {
			b.WriteString(run)
		} else {
			b.WriteString(styles[p.inks[from]].Render(run))
		}
		from = to
	}
	return b.String()
}
