package groups

import "sonde/ui/draw"

// block is a rectangle of the treemap that represents rows of the table. Usually it represents one row. It represents
// several rows if there is no room for a block for each row.
type block struct {
	draw.Rect
	rows []int
}

// leastW and leastH are the minimum size of a block in which a group is recognisable.
const leastW, leastH = 10, 2

// tile divides a rectangle into blocks in proportion to the sizes of the rows. It divides the rows into two parts of
// about the same size, and cuts the rectangle in the same proportion. It cuts the longer side if there is room,
// otherwise the other side. It repeats this for both parts as long as there is room.
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

// halve divides rows into two parts of about the same size. It returns the index of the first row of the second part,
// and the share of the first part in the size of all rows.
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
