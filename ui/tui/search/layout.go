package search

import "sonde/ui/draw"

// part is a pane of the screen.
type part int

// The panes in the order in which they get the focus. After the run, the pane of the knobs shows the result
// of the run.
const (
	partKnobs part = iota
	partChart
	partAnswers
	partFaults
	partNotes
	partTests
	partWhy
	partOpen
	parts
)

// lower holds the two panes that are shown at the bottom. Several panes share each of the two places.
type lower struct{ left, right part }

// lowerFirst holds the lower panes at the start of a run.
var lowerFirst = lower{partAnswers, partFaults}

// with returns the panes to show to make p visible. The tests pane always has at its right the pane that
// explains why the test under the cursor is kept.
func (l lower) with(p part) lower {
	switch p {
	case partTests, partWhy:
		return lower{partTests, partWhy}
	case partFaults, partNotes:
		return lower{leftBeside(l.left), p}
	case partAnswers, partOpen:
		return lower{p, rightBeside(l.right)}
	}
	return l
}

// leftBeside returns the pane to show at the left when a pane at the right gets the focus. The pane at the left
// stays, with one exception: the answers replace the tests.
func leftBeside(shown part) part {
	if shown == partTests {
		return partAnswers
	}
	return shown
}

// rightBeside returns the pane to show at the right when a pane at the left gets the focus. The pane at the right
// stays, with one exception: the faults replace the reasons for a test.
func rightBeside(shown part) part {
	if shown == partWhy {
		return partFaults
	}
	return shown
}

// layout has the rectangles of the page. An empty rectangle is not drawn.
type layout struct {
	head    draw.Rect
	framed  bool      // the head has a border, and the chart, the knobs and both lower panes are shown
	large   bool      // the lower pane at the left has the whole height
	single  bool      // one pane has all room below the head
	tabs    draw.Rect // names of the panes, if only one pane is shown at a time
	part    [parts]draw.Rect
	visible []part // the panes that can get the focus, in order
}

// If the page is smaller than this, in cells, only one pane is shown at a time. The chart and the knobs may be shown
// together.
const wide, high = 80, 16

// lay returns the layout of a run in width × height cells.
func lay(width, height int, focus part, low lower, ended bool) layout {
	switch {
	case width < wide || height < high:
		return layOne(width, height, focus)
	case width >= 150 && height >= 30:
		return layLarge(width, height, low, ended)
	}
	return layFour(width, height, low, ended)
}

// layOne shows the pane that has the focus, below a short head. If the chart or the knobs have the focus and there is
// room, it shows both, the chart above the knobs.
func layOne(width, height int, focus part) layout {
	l := layout{
		head: draw.Rect{W: width, H: 2},
		tabs: draw.Rect{Y: 2, W: width, H: 1},
	}
	body := draw.Rect{Y: 3, W: width, H: max(0, height-3)}
	if body.H < 16 {
		l.visible = []part{partKnobs, partChart, partAnswers, partFaults, partNotes, partTests, partWhy, partOpen}
		l.part[focus] = body
		return l
	}
	l.visible = chartLast
	if focus != partKnobs && focus != partChart {
		l.part[focus] = body
		return l
	}
	l.part[partChart], l.part[partKnobs] = above(body, body.H-knobsHeight)
	return l
}

// chartLast lists the panes that can get the focus if the chart is always visible together with the knobs: the chart
// gets it last.
var chartLast = []part{partKnobs, partAnswers, partFaults, partNotes, partTests, partWhy, partOpen, partChart}

// knobsHeight is the height of all knobs with a border and two lines of text.
var knobsHeight = len(knobs) + 4

// layFour shows the chart and the knobs above two other panes.
func layFour(width, height int, low lower, ended bool) layout {
	l, body := layFramed(width, height)
	top, bottom := above(body, body.H*11/20)
	l.part[partChart], l.part[partKnobs] = beside(top, width-knobsWidth(width, ended))
	answers := width / 2
	if width >= 100 {
		answers = width * 9 / 20
	}
	l.part[low.left], l.part[low.right] = beside(bottom, answers)
	return l
}

// layLarge shows the lower pane at the left in the whole height, beside the other panes.
func layLarge(width, height int, low lower, ended bool) layout {
	l, body := layFramed(width, height)
	l.large = true
	left, right := beside(body, min(64, width/3))
	l.part[low.left] = left
	top, bottom := above(right, body.H*3/5)
	l.part[partChart] = top
	l.part[partKnobs], l.part[low.right] = beside(bottom, knobsWidth(right.W, ended))
	return l
}

func layFramed(width, height int) (l layout, body draw.Rect) {
	l = layout{
		head: draw.Rect{W: width, H: 4}, framed: true,
		visible: chartLast,
	}
	return l, draw.Rect{Y: 4, W: width, H: height - 4}
}

// knobsWidth returns the width of the pane of the knobs. The result, which replaces the knobs after the
// run, has more text.
func knobsWidth(width int, ended bool) int {
	if ended {
		return max(40, width*9/20)
	}
	return min(40, max(34, width/3))
}

// enlarge returns a layout in which one pane has all room below the head.
func (l layout) enlarge(at part, width, height int) layout {
	top := l.head.H + l.tabs.H
	l.part = [parts]draw.Rect{}
	l.part[at] = draw.Rect{Y: top, W: width, H: max(0, height-top)}
	l.single = true
	return l
}

func above(r draw.Rect, height int) (top, bottom draw.Rect) {
	top, bottom = r, r
	top.H = height
	bottom.Y, bottom.H = r.Y+height, r.H-height
	return top, bottom
}

func beside(r draw.Rect, width int) (left, right draw.Rect) {
	left, right = r, r
	left.W = width
	right.X, right.W = r.X+width, r.W-width
	return left, right
}

// at returns the pane under a cell, and reports whether there is one.
func (l layout) at(x, y int) (part, bool) {
	for p, r := range l.part {
		if r.Has(x, y) {
			return part(p), true
		}
	}
	return 0, false
}
