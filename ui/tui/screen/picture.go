package screen

// Picture is a graph as it is on screen, to be written into a file.
type Picture struct {
	Title string
	Boxes [][]Words
	// Arrows lead from one box to another.
	Arrows []Arrow
	Note   string // what is not shown, "" for nothing
}

// Words are a line in a box: a method, which has a colour of its own, or "", and
// the rest.
type Words struct{ Method, Text string }

// Arrow leads from one box of a picture to another and carries values.
type Arrow struct {
	From, To int // into Boxes
	Values   []string
}
