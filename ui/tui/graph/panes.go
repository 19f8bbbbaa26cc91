package graph

import "sonde/ui/draw"

const (
	roomy     = 80 // minimum width at which a drawing is shown by default
	tall      = 18 // minimum height at which texts are shown below the picture
	wordsRows = 6  // height of the texts
)

// divide divides the screen into the picture and, below it, texts about the operation under the cursor. If
// there is no room for texts, their rectangle is empty.
func divide(width, height int) (picture, words draw.Rect) {
	if height < tall {
		return draw.Rect{W: width, H: height}, draw.Rect{}
	}
	rows := wordsRows
	if height >= 40 {
		rows = wordsRows + 4
	}
	return draw.Rect{W: width, H: height - rows}, draw.Rect{Y: height - rows, W: width, H: rows}
}
