package draw

import (
	"sort"
	"strings"

	"sonde/model"
	"sonde/ui/theme"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// Chart draws a number that grows with the calls of a run, as a step curve: a value is valid until the next
// point.
type Chart struct {
	Curve []model.CurvePoint // ascending by Calls
	Now   int                // the number of calls so far; the curve ends there
	Span  int                // calls at the right end; at least Now
	Marks []ChartMark        // ascending by Call
	// Before is the curve of an earlier run, which ended at call Until. Where the curves meet, Curve covers
	// Before. The part of Before beyond Span is not drawn.
	Before []model.CurvePoint
	Until  int
	// Dashed draws Before with gaps, so that it differs from Curve without colours.
	Dashed bool
	// Pointed says that a line marks the call Point.
	Pointed bool
	Point   int

	Width, Height int
}

// ChartMark is a vertical line at a call.
type ChartMark struct {
	Call  int
	Label string
}

// Render draws exactly Height lines. They have at most Width cells if the labels of the y axis fit.
func (c Chart) Render() string {
	axis := c.axis()
	p := newPlot(c.Width-axis.width-1, c.Height-axis.height)
	p.curve(c.Before, c.Until, axis, ghost, c.Dashed)
	p.curve(c.Curve, c.Now, axis, line, false)
	p.marks(c.Marks, axis.x)
	if c.Pointed {
		p.point(c.Point, axis.x)
	}
	rows := make([]string, 0, c.Height)
	for i := range p.height {
		rows = append(rows, axis.left(i, p.height)+p.row(i))
	}
	rows = append(rows, axis.below(p.width)...)
	if len(rows) > c.Height {
		rows = rows[:max(0, c.Height)]
	}
	return strings.Join(rows, "\n")
}

// CallAt returns the call at column x of the chart, which is at most Now.
func (c Chart) CallAt(x int) int {
	a := c.axis()
	width := max(1, c.Width-a.width-1)
	return max(0, min((x-a.width-1)*a.x/width, c.Now))
}

// Step returns the number of calls from one column of the chart to the next, at least 1.
func (c Chart) Step() int {
	a := c.axis()
	return max(1, a.x/max(1, c.Width-a.width-1))
}

// axis is the scale of a chart: the maxima of x and y, and the room for the labels.
type axis struct {
	x, y          int
	width, height int // the width of the labels of the y axis, and the number of lines below the plot
}

func (c Chart) axis() axis {
	a := axis{x: max(1, c.Now, c.Span), y: 1, height: 2}
	a.y = ceiling(max(chartTop(c.Curve, a.x), chartTop(c.Before, a.x)))
	if c.Height < 5 {
		a.height = 0
	}
	a.width = len(words.Count(a.y))
	return a
}

// CoveredAt returns the number of covered targets in a curve after the given number of calls, 0 before its
// first point.
func CoveredAt(curve []model.CurvePoint, calls int) int {
	n := sort.Search(len(curve), func(i int) bool { return curve[i].Calls > calls })
	if n == 0 {
		return 0
	}
	return curve[n-1].Covered
}

// chartTop returns the maximum of a curve up to the given number of calls. It may differ from the last
// value: a search that was killed and resumed may have lost targets.
func chartTop(curve []model.CurvePoint, calls int) (most int) {
	for _, p := range curve {
		if p.Calls <= calls {
			most = max(most, p.Covered)
		}
	}
	return most
}

// ceiling returns the smallest round number that is at least n, so that the scale does not
// change with every step of the curve.
func ceiling(n int) int {
	for unit := 1; ; unit *= 10 {
		for _, tenth := range []int{10, 12, 15, 20, 25, 30, 40, 50, 60, 80} {
			if v := unit * tenth / 10; v >= n && v > 0 && (unit > 1 || tenth%10 == 0) {
				return v
			}
		}
	}
}

// left returns the label and the tick of the y axis for a row: the maximum at the top, half of it in the
// middle.
func (a axis) left(row, height int) string {
	label, edge := "", "│"
	switch {
	case row == 0:
		label, edge = words.Count(a.y), "┤"
	case height > 4 && a.y%2 == 0 && row == rowOf(a.y/2, a.y, height):
		label, edge = words.Count(a.y/2), "┤"
	}
	return theme.Dim.Render(strings.Repeat(" ", max(0, a.width-len(label))) + label + edge)
}

// below returns the x axis and a line with its labels, or nothing if the chart is too low.
func (a axis) below(width int) []string {
	if a.height == 0 {
		return nil
	}
	end, half := words.Count(a.x)+" calls", words.Count(a.x/2)
	line := strings.Repeat("─", max(0, width))
	numbers := strings.Repeat(" ", a.width) + "0"
	if gap := width/2 - len(half)/2; gap > 1 && a.x > 1 && width/2+len(half) < width-len(end) {
		numbers += strings.Repeat(" ", gap) + half
	}
	numbers += strings.Repeat(" ", max(1, a.width+1+width-ansi.StringWidth(numbers)-len(end))) + end
	return []string{
		theme.Dim.Render(strings.Repeat(" ", a.width) + "└" + line),
		theme.Dim.Render(ansi.Truncate(numbers, max(0, a.width+1+width), "")),
	}
}
