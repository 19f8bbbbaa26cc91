package screen

// Point is a cell of a screen. As a message to the screen it puts the cursor on
// what lies there, and does nothing else with it.
type Point struct{ X, Y int }

// Pointer is a Screen whose rows and boxes can be pointed at.
type Pointer interface {
	// Targets are where those begin that are in sight, from the upper left.
	Targets() []Point
}
