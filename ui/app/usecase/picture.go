package usecase

// GraphPicture is the graph on a screen, to be written to a file.
type GraphPicture struct {
	Title string
	Boxes [][]BoxLine
	// Arrows lead from one box to another.
	Arrows []BoxArrow
	Note   string // what the picture leaves out, "" for nothing
}

// BoxLine is a line in a box: a method, which is coloured, or ""; and the rest.
type BoxLine struct{ Method, Text string }

// BoxArrow is an arrow from one box to another, labelled with values.
type BoxArrow struct {
	From, To int // into Boxes
	Values   []string
}
