package screen

// PointAt is a cell of a screen. As a message, it moves the cursor of the screen to the row or box at the
// cell.
type PointAt struct{ X, Y int }

// PointTargeter is a Screen with rows or boxes to which the user can jump.
type PointTargeter interface {
	// Targets returns the first cell of each visible row or box, from the upper left to the lower right.
	Targets() []PointAt
}
