package graph

import "sonde/ui/draw"

const (
	roomy     = 80 // the smallest width at which a drawing is shown by default
	tall      = 18 // the smallest height at which texts are shown below the picture
	wordsRows = 6  // the height of the texts
)

// divide splits the screen into the picture and the texts below it about the
// operation under the cursor. Without room for texts, their rectangle is empty.
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
