package graph

import "sonde/ui/draw"

const (
	roomy     = 80 // columns from which on pictures are shown unasked
	tall      = 18 // rows from which on there is room for words
	wordsRows = 6
)

// divide splits the screen into the picture and the words below it about the
// operation under the cursor.
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

// The most cells of a map, and how much more than a window there must be for one to
// be there unasked.
const mapWidth, mapHeight, mapFrom = 28, 9, 4

// mapRect is where the map lies on the picture, empty where there is none: in the corner
// at the lower right, or at the left where it would cover what the cursor is on.
func (s *Screen) mapRect(picture draw.Rect) draw.Rect {
	w, h := picture.W-2, picture.H-2
	if !s.mapped(w, h) {
		return draw.Rect{}
	}
	mw, mh := s.picture.sheet.MapSize(min(mapWidth, w/3), min(mapHeight, h/2))
	right := draw.Rect{X: picture.X + picture.W - mw - 3, Y: picture.Y + picture.H - mh - 3, W: mw + 2, H: mh + 2}
	left := right
	left.X = picture.X + 1
	under := s.picture.sheet.Box(s.at)
	under.X, under.Y = picture.X+1+under.X, picture.Y+1+under.Y
	if right.Meets(under) && !left.Meets(under) {
		return left
	}
	return right
}

// mapped reports whether there is a map on a picture of w × h cells.
func (s *Screen) mapped(w, h int) bool {
	if s.picture == nil || s.tree() || s.picture.sheet.Whole() || w < 12 || h < 6 {
		return false
	}
	if s.asMap != nil {
		return *s.asMap
	}
	fig := s.picture.sheet.Figure
	return fig.W*fig.H >= mapFrom*w*h
}
