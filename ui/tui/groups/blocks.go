package groups

import (
	"fmt"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// block is a rectangle of the treemap and the rows of the table that it stands
// for: one, or several where there is no room for each.
type block struct {
	draw.Rect
	rows []int
}

// The least block that can be told from its neighbours.
const leastW, leastH = 10, 2

// tile cuts a rectangle into blocks as large as the sizes say, as far as there is
// room: rows are halved by weight, and the rectangle along its longer side.
func tile(rows []int, size func(row int) int, r draw.Rect) []block {
	wide, high := r.W >= 2*leastW, r.H >= 2*leastH
	if len(rows) == 0 {
		return nil
	}
	if len(rows) == 1 || !wide && !high {
		return []block{{r, rows}}
	}
	cut, part := halve(rows, size)
	first, second := r, r
	if wide && (r.W > 2*r.H || !high) { // cells are twice as high as wide
		first.W = min(max(int(part*float64(r.W)+0.5), leastW), r.W-leastW)
		second.X, second.W = r.X+first.W, r.W-first.W
	} else {
		first.H = min(max(int(part*float64(r.H)+0.5), leastH), r.H-leastH)
		second.Y, second.H = r.Y+first.H, r.H-first.H
	}
	return append(tile(rows[:cut], size, first), tile(rows[cut:], size, second)...)
}

// halve returns where to cut rows so that both parts weigh about the same, and
// the first one's share.
func halve(rows []int, size func(row int) int) (cut int, part float64) {
	total, sum := 0, 0
	for _, row := range rows {
		total += size(row)
	}
	for cut = 0; cut < len(rows)-1; cut++ {
		next := sum + size(rows[cut])
		if cut > 0 && 2*next-total > total-2*sum {
			break
		}
		sum = next
	}
	return cut, float64(sum) / float64(max(1, total))
}

// blocks are those of the groups in the table, in a pane of a size.
func (s *Screen) blocks(width, height int) []block {
	size := func(row int) int { return len(s.study.Groups[s.order[row]].Operations) }
	return tile(span(0, len(s.order)), size, draw.Rect{W: width, H: height})
}

// viewBlocks draws the groups as a treemap.
func (s *Screen) viewBlocks(width, height int) string {
	out := draw.FitLines("", width, height)
	for _, b := range s.blocks(width, height) {
		out = draw.Overlay(out, s.viewBlock(b), b.X, b.Y)
	}
	return out
}

func (s *Screen) viewBlock(b block) string {
	row, here := b.rows[0], false
	for _, r := range b.rows {
		if r == s.groups.At {
			row, here = r, true
		}
	}
	g := s.order[row]
	group := s.study.Groups[g]
	title := fmt.Sprintf("%d %s%s", g+1, s.sign(g), screen.GroupName(group))
	if here {
		title = theme.Cursor + " " + title
	}
	f := draw.Frame{Title: title, Width: b.W, Height: b.H, Focused: here}
	if more := len(b.rows) - 1; more > 0 {
		f.Note = "+" + words.Count(more)
	}
	body := " " + words.Plural(len(group.Operations), "operation") + "\n " + words.Plural(len(group.Values), "value")
	return f.Render(body)
}

// clickBlock puts the cursor on the group whose block was clicked, and reports
// whether there is one.
func (s *Screen) clickBlock(x, y int) bool {
	w, h := s.mapSize()
	for _, b := range s.blocks(w, h) {
		if b.Has(x, y) {
			s.groups.Go(b.rows[0])
			return true
		}
	}
	return false
}

// mapSize is the room of the treemap: below the line of the filter.
func (s *Screen) mapSize() (width, height int) {
	r := divide(s.width, s.height, len(s.study.Groups), s.focus)[table]
	return max(0, r.W-2), max(0, r.H-2-s.head(r)+1)
}
