package usecase

// GraphPicture is the graph of a screen that is written to a file.
type GraphPicture struct {
	Title string
	Boxes [][]BoxLine
	// Values are the indices of the boxes that are values. These boxes have dashed borders.
	Values map[int]bool
	// Arrows lead from one box to another.
	Arrows []BoxArrow
	Frames []BoxFrame
	Note   string // what the picture leaves out, "" for nothing
}

// BoxLine is a line of text in a box. Method, which may be "", is coloured and comes first.
type BoxLine struct{ Method, Text string }

// BoxArrow is an arrow from one box to another, labelled with values.
type BoxArrow struct {
	From, To int // indices into Boxes
	Values   []string
	Dashed   bool
}

// BoxFrame is a rectangle around boxes.
type BoxFrame struct {
	Title string
	Boxes []int // indices into Boxes
}
