package campaign

import (
	"sonde/ui/draw"
	"sonde/ui/widget"
)

// part is a pane of a campaign.
type part int

// The panes in the order in which they get the focus.
const (
	partWorkers part = iota
	partFailures
	partProgress
	parts
)

// panes has the focus and the cursor of each pane.
type panes struct {
	focus part
	lists [parts]widget.List
}

// follow moves the cursor of a pane to a row, unless the row is -1.
func (p *panes) follow(which part, row int) {
	if row >= 0 {
		p.lists[which].At = row
	}
}

// layout has the rectangles of the page of a campaign. An empty rectangle is not drawn.
type layout struct {
	head    draw.Rect
	framed  bool      // the head has a border
	tabs    draw.Rect // names of the panes, if one pane is shown at a time
	part    [parts]draw.Rect
	visible []part // the panes that can get the focus, in order
}

// If the screen is narrower than wide or lower than high, in cells, one pane is shown at a time.
const wide, high = 100, 20

// headLines is the number of lines of the head without a border.
const headLines = 4

// newLayout places the head above the panes. The pane of the workers is above the panes of failures and progress or,
// if the screen is wide, beside them. If progress is false, there is no pane of progress.
func newLayout(width, height int, focus part, progress bool) layout {
	l := layout{visible: []part{partWorkers, partFailures}}
	if progress {
		l.visible = append(l.visible, partProgress)
	}
	if width < wide || height < high {
		l.head = draw.Rect{W: width, H: min(headLines, height)}
		l.tabs = draw.Rect{Y: l.head.H, W: width, H: min(1, height-l.head.H)}
		top := l.head.H + l.tabs.H
		l.part[focus] = draw.Rect{Y: top, W: width, H: max(0, height-top)}
		return l
	}
	l.framed, l.head = true, draw.Rect{W: width, H: headLines + 2}
	body := draw.Rect{Y: l.head.H, W: width, H: height - l.head.H}
	workers, rest := body, body
	beside := progress && width >= 160
	switch {
	case beside:
		workers.W = width / 2
		rest.X, rest.W = workers.W, width-workers.W
	case progress:
		workers.H = body.H / 2
	default:
		workers.H = body.H * 2 / 3
	}
	if !beside {
		rest.Y, rest.H = body.Y+workers.H, body.H-workers.H
	}
	failures, curves := rest, draw.Rect{}
	switch {
	case beside:
		failures.H = max(4, rest.H/4)
		curves = draw.Rect{X: rest.X, Y: rest.Y, W: rest.W, H: rest.H - failures.H}
		failures.Y += curves.H
	case progress:
		failures.W = rest.W * 2 / 5
		curves = draw.Rect{X: failures.W, Y: rest.Y, W: rest.W - failures.W, H: rest.H}
	}
	l.part = [parts]draw.Rect{partWorkers: workers, partFailures: failures, partProgress: curves}
	return l
}

func (s *Screen) layout() layout {
	return newLayout(s.width, s.height, s.panes.focus, len(s.shown.view.Progress) > 0)
}

// listTop is the number of lines above the first row of a list with a border: the border and the titles of the columns.
const listTop = 2

// fit fits the lists to the size of their panes.
func (s *Screen) fit() {
	s.all.Fit(len(s.shown.view.Campaigns), max(0, s.height-listTop-1))
	if s.panes.focus == partProgress && len(s.shown.view.Progress) == 0 {
		s.panes.focus = partWorkers
	}
	l := s.layout()
	for p := range parts {
		height := max(0, l.part[p].H-listTop-1)
		if p == partProgress {
			columns, rows, _ := curveGrid(l.part[p])
			height = columns * rows
		}
		s.panes.lists[p].Fit(s.shown.rows(p), height)
	}
	if s.detail != nil {
		s.detail.fit(s)
	}
}

// nextPane gives the focus to the next pane.
func (s *Screen) nextPane() {
	visible := s.layout().visible
	for i, p := range visible {
		if p == s.panes.focus {
			s.panes.focus = visible[(i+1)%len(visible)]
			return
		}
	}
}
