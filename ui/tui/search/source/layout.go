package source

import "sonde/ui/draw"

// layout has the rectangles of the list and the text. An empty rectangle is not drawn.
type layout struct {
	list, text draw.Rect
	detail     int  // lines at the foot of the text for the line under the cursor
	both       bool // the list and the text are shown side by side
}

// wideWidth is the minimum width at which the list and the text are side by side.
const wideWidth = 140

// lay returns the layout of the page in width × height cells.
func lay(width, height int, reading bool) layout {
	all := draw.Rect{W: width, H: height}
	l := layout{detail: detailLines(height)}
	switch {
	case width >= wideWidth:
		l.both = true
		l.list, l.text = all, all
		l.list.W = min(64, width*2/5)
		l.text.X, l.text.W = l.list.W, width-l.list.W
	case reading:
		l.text = all
	default:
		l.list = all
	}
	return l
}

// detailLines returns the number of lines for the details of the line under the cursor.
func detailLines(height int) int {
	switch {
	case height < 10:
		return 1
	case height < 20:
		return 4
	case height < 40:
		return 6
	}
	return 9
}

func (m Model) layout() layout { return lay(m.width, m.height, m.reading) }

// textRows returns the number of visible source lines.
func (m Model) textRows(l layout) int { return max(1, l.text.H-2-l.detail-1) }
