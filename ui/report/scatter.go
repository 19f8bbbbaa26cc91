package report

import (
	"math"
	"strings"

	"sonde/analysis/survey"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// brailleBits has the bit of each dot of a braille character, by row and column.
var brailleBits = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

const braille = '\u2800'

// canvas is a grid of braille characters. Each has 2 × 4 dots.
type canvas struct {
	width, height int
	dots          []rune
}

func newCanvas(width, height int) *canvas {
	return &canvas{width: width, height: height, dots: make([]rune, width*height)}
}

// point draws a point. x is a fraction of the width from the left, and y of the height from the bottom. A
// point of 3 to 9 cases has two dots, and a point of 10 cases or more has four. Dots outside the canvas are
// left out.
func (c *canvas) point(x, y float64, cases int) {
	column := int(math.Round(x * float64(2*c.width-1)))
	row := 4*c.height - 1 - int(math.Round(y*float64(4*c.height-1)))
	c.dot(column, row)
	if cases >= 3 {
		c.dot(column+1, row)
	}
	if cases >= 10 {
		c.dot(column, row+1)
		c.dot(column+1, row+1)
	}
}

func (c *canvas) dot(column, row int) {
	if column < 2*c.width && row < 4*c.height {
		c.dots[row/4*c.width+column/2] |= brailleBits[row%4][column%2]
	}
}

// row draws a row of cells: the points, and the diagonal in cells without a point.
func (c *canvas) row(y int) string {
	var b strings.Builder
	for x := range c.width {
		switch dots := c.dots[y*c.width+x]; {
		case dots != 0:
			b.WriteString(theme.Accent.Render(string(braille | dots)))
		case (c.width-1-x)*c.height/c.width == y:
			b.WriteString(theme.Dim.Render(theme.Untried))
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// left is the width of the labels to the left of the scatter plot and the box plot.
const left = 6

// textScatter draws the scatter plot in Figure 3 of the distiller paper.
func textScatter(points []survey.ScatterPoint, width int) string {
	s := newScale(points)
	c := newCanvas(min(width-left-2, 60), min(max(8, width/4), 20))
	for _, p := range points {
		c.point(s.at(p.SC), s.at(p.DC), len(p.Cases))
	}
	lines := []string{theme.Strong.Render("Figure 3. Seqs a case: DC (up) against SC (right)")}
	labels := make([]string, c.height)
	for _, n := range s.ticks() {
		labels[c.height-1-int(math.Round(s.at(n)*float64(c.height-1)))] = words.Count(n)
	}
	for y, label := range labels {
		edge := " │"
		if label != "" {
			edge = " ┤"
		}
		lines = append(lines, theme.Dim.Render(strings.Repeat(" ", left-1-len(label))+label+edge)+c.row(y))
	}
	lines = append(lines, theme.Dim.Render(strings.Repeat(" ", left)+"└"+strings.Repeat("─", c.width)), below(s, c.width))
	lines = append(lines, words.Wrap(
		"On the dotted line both list as many, below it DC lists fewer. The bigger a dot, the more cases.", width,
	)...)
	return trimmed(strings.Join(lines, "\n"))
}

// below returns the labels of the x axis that do not overlap.
func below(s scale, width int) string {
	line := strings.Repeat(" ", left+1)
	for _, n := range s.ticks() {
		at := left + 1 + int(math.Round(s.at(n)*float64(width-1)))
		label := words.Count(n)
		from := min(at-len(label)/2, left+1+width-len(label))
		if n == 0 || from > len(line) {
			line += strings.Repeat(" ", max(0, from-len(line))) + label
		}
	}
	return theme.Dim.Render(line)
}
