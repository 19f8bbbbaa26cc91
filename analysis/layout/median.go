package layout

import (
	"cmp"
	"slices"
)

// slot is a box in a column of boxes whose order is fixed. size is the number of rows of the box. wants are the
// preferred rows for the top of the box, each with a weight. There is at least one want.
type slot struct {
	size  int
	wants []want
}

type want struct{ at, weight int }

// settle returns the first row of each slot. Slots do not overlap, and the sum of the weighted distances to the wants
// is as small as possible. The method is isotonic regression in the L1 norm by pooling adjacent violators. The L1
// norm gives medians of wants instead of means, which makes lines straight.
func settle(slots []slot) []int {
	type pool struct {
		wants []want // ascending
		at    int
		end   int // index after the last slot of the pool
	}
	var pools []pool
	shift := 0
	for i, s := range slots {
		next := pool{wants: shifted(s.wants, -shift), end: i + 1}
		next.at = median(next.wants)
		for len(pools) > 0 && pools[len(pools)-1].at > next.at {
			last := pools[len(pools)-1]
			pools = pools[:len(pools)-1]
			next.wants = merge(last.wants, next.wants)
			next.at = median(next.wants)
		}
		pools = append(pools, next)
		shift += s.size
	}
	rows := make([]int, len(slots))
	i, shift := 0, 0
	for _, p := range pools {
		for ; i < p.end; i++ {
			rows[i] = p.at + shift
			shift += slots[i].size
		}
	}
	return rows
}

func byRow(a, b want) int { return cmp.Compare(a.at, b.at) }

func shifted(wants []want, by int) []want {
	out := make([]want, len(wants))
	for i, w := range wants {
		out[i] = want{w.at + by, w.weight}
	}
	slices.SortFunc(out, byRow)
	return out
}

func merge(a, b []want) []want {
	out := make([]want, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].at < a[0].at {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}

// median returns the smallest row for which the wants up to this row have at least half of the total weight. wants
// must be ascending.
func median(wants []want) int {
	total := 0
	for _, w := range wants {
		total += w.weight
	}
	i, half := 0, wants[0].weight
	for 2*half < total {
		i++
		half += wants[i].weight
	}
	return wants[i].at
}
