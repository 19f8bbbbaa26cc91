package layout

// At returns the node whose box covers column x and row y.
func (f Figure) At(x, y int) (node int, ok bool) {
	for _, b := range f.Boxes {
		if x >= b.X && x < b.X+b.W && y >= b.Y && y < b.Y+b.H {
			return b.Node, true
		}
	}
	return 0, false
}

// Beside returns the node nearest to node in a direction: dx -1 is left, 1
// right, dy -1 up, 1 down. Without one there, it returns node itself.
func (f Figure) Beside(node, dx, dy int) int {
	if node < 0 || node >= len(f.Boxes) {
		return node
	}
	from, best, least := f.Boxes[node], node, -1
	for _, b := range f.Boxes {
		ahead := dx*distance(from.X, from.W, b.X, b.W) + dy*2*distance(from.Y, from.H, b.Y, b.H)
		aside := dy*dy*abs(distance(from.X, from.W, b.X, b.W)) + dx*dx*2*abs(distance(from.Y, from.H, b.Y, b.H))
		if ahead > 0 && (least < 0 || ahead+2*aside < least) {
			best, least = b.Node, ahead+2*aside
		}
	}
	return best
}

// distance is the number of cells to go from one stretch to the other: 0 when
// they overlap, negative towards the left or the top.
func distance(from, fromLen, to, toLen int) int {
	switch {
	case to >= from+fromLen:
		return to - (from + fromLen) + 1
	case from >= to+toLen:
		return to + toLen - from - 1
	}
	return 0
}

func abs(n int) int { return max(n, -n) }
