package screen

// PointAt is a cell of a screen. As a message to the screen it moves the cursor to what is
// in the cell, and does nothing else.
type PointAt struct{ X, Y int }

// PointTargeter is a Screen with rows or boxes to which the cursor can jump.
type PointTargeter interface {
	// Targets returns the first cell of each visible row or box, from the upper left.
	Targets() []PointAt
}
