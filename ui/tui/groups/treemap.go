package groups

import "sonde/ui/draw"

// block is a rectangle of the treemap and the rows of the table that it shows. It shows several
// rows if there is no room for a block for each.
type block struct {
	draw.Rect
	rows []int
}

// leastW and leastH are the size of the smallest block in which a group can be recognised.
const leastW, leastH = 10, 2

// tile cuts a rectangle into blocks in proportion to the sizes of the rows. It halves the rows by
// size and the rectangle along its longer side, again and again while there is room.
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

// halve returns where to cut rows so that both parts have about the same size, and the
// share of the first part.
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
