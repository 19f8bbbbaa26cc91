package depend

import "sonde/model"

// Line is an operation in the indented tree that Walk returns.
type Line struct {
	Op model.OpID
	// Depth is 0 for the operation at which the walk begins.
	Depth int
	// Values are what the operation one level up gives it.
	Values []string
	// Again tells that the operation feeds others, which stand under an
	// earlier or less deep line of the same operation.
	Again bool
}

// Walk returns what an operation feeds as an indented tree, for screens too
// narrow for a picture: what it feeds directly, what these feed, down to a
// depth. An operation is followed only where it is nearest to the beginning,
// so that the tree ends. The tree has at most limit lines; left is the number
// of lines that found no room.
func (g *Graph) Walk(op model.OpID, depth, limit int) (lines []Line, left int) {
	if _, ok := g.at[op]; !ok || limit < 1 {
		return nil, 0
	}
	w := walk{graph: g, count: g.counter(), room: limit - 1, followed: map[model.OpID]bool{op: true}}
	top := &branch{Line: Line{Op: op}}
	for level := []*branch{top}; depth > 0 && len(level) > 0; depth-- {
		level = w.grow(level)
	}
	return top.flat(nil), w.left
}

type branch struct {
	Line
	below []*branch
}

type walk struct {
	graph      *Graph
	count      func(int) int
	room, left int
	followed   map[model.OpID]bool
}

// grow puts branches under a level and returns those to follow.
func (w *walk) grow(level []*branch) (next []*branch) {
	for _, b := range level {
		if w.room == 0 {
			w.left += w.count(w.graph.at[b.Op])
			continue
		}
		fed := w.graph.Feeds(b.Op)
		shown := min(len(fed), w.room)
		w.room -= shown
		w.left += len(fed) - shown
		for _, e := range fed[:shown] {
			c := &branch{Line: Line{Op: e.To, Depth: b.Depth + 1, Values: e.Values}}
			b.below = append(b.below, c)
			if w.followed[e.To] {
				c.Again = w.count(w.graph.at[e.To]) > 0
				continue
			}
			w.followed[e.To] = true
			next = append(next, c)
		}
	}
	return next
}

// flat lists the lines in reading order.
func (b *branch) flat(lines []Line) []Line {
	lines = append(lines, b.Line)
	for _, c := range b.below {
		lines = c.flat(lines)
	}
	return lines
}
