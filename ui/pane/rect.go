package pane

// Rect is a part of a screen in cells, from its upper left corner.
type Rect struct{ X, Y, W, H int }

// Has tells whether a cell lies in the rectangle.
func (r Rect) Has(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Empty tells that there is nothing to draw.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }
