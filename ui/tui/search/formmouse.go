package search

import (
	"sonde/ui/draw"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// The columns of a setting: the first cell of its value and of its slider.
const (
	valueColumn  = 17
	sliderColumn = valueColumn + 11
)

// sliderWidth returns the width of the sliders on a page with width cells inside its border.
func sliderWidth(width int) int { return min(12, width-sliderColumn) }

// mouse handles a mouse event. A click on a slider sets its value, also while the mouse is dragged, and the wheel over
// a value changes it by a step. start is true for a click on the row that starts the run.
func (f *form) mouse(msg tea.MouseMsg) (start bool) {
	x := msg.X - 1 // the border
	width := sliderWidth(f.width - 2)
	if f.dragged != nil && msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionMotion {
		f.dragged.slide(&f.settings, draw.SliderShare(x-sliderColumn, width))
		return false
	}
	f.dragged = nil
	_, first := f.lines()
	row := f.list
	onRow := row.Click(msg.Y - first - 1)
	wheel := widget.WheelRows(msg)
	switch {
	case wheel != 0 && onRow && row.At >= startRows && x >= valueColumn && x < sliderColumn+width:
		f.fields[row.At-startRows].adjust(&f.settings, adjustment{up: wheel < 0})
	case wheel != 0:
		f.list.Go(f.list.At + wheel/3)
	case onRow && widget.LeftClick(msg):
		f.list = row
		return f.click(x)
	}
	return false
}

// click handles a click on the row under the cursor: on its slider, on its value, or on its name. It returns true if
// the row starts the run.
func (f *form) click(x int) (start bool) {
	at, width := f.setting(), sliderWidth(f.width-2)
	switch slider := x - sliderColumn; {
	case at == nil:
		return true
	case at.share != nil && (slider == 0 || slider == width-1): // an arrow
		at.adjust(&f.settings, adjustment{up: slider > 0})
	case at.share != nil && slider > 0 && slider < width:
		f.dragged = at
		at.slide(&f.settings, draw.SliderShare(slider, width))
	case x >= valueColumn && x < sliderColumn:
		f.change()
	}
	return false
}

// point moves the cursor to the row on line y of the page.
func (f *form) point(y int) {
	_, first := f.lines()
	f.list.Click(y - first - 1)
}
