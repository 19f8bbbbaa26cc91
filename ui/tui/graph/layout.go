package graph

import "sonde/ui/pane"

const (
	roomy     = 80 // columns from which on pictures are shown unasked
	tall      = 18 // rows from which on there is room for words
	wordsRows = 6
)

// divide splits the screen into the picture and the words below it about the
// operation under the cursor.
func divide(width, height int) (picture, words pane.Rect) {
	if height < tall {
		return pane.Rect{W: width, H: height}, pane.Rect{}
	}
	rows := wordsRows
	if height >= 40 {
		rows = wordsRows + 4
	}
	return pane.Rect{W: width, H: height - rows}, pane.Rect{Y: height - rows, W: width, H: rows}
}
