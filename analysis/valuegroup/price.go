package valuegroup

import (
	"cmp"
	"slices"
)

// prices returns prices by which the operations of no set cost more than 1
// together, and all operations much.
//
// An operation that costs 1/n, where n is how many priced operations are in the
// largest set that has it, costs enough little. Operations that many sets have,
// as what all others need does, had better cost nothing: then the sets are small
// and the others dear. How many of those there are is tried out.
func (p *puzzle) prices() []float64 {
	order := make([]int, p.ops)
	for op := range order {
		order[op] = op
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(p.having[b]), len(p.having[a])) })
	var best []float64
	most := -1.0
	for hubs := 0; hubs < p.ops; hubs += 1 + hubs/4 {
		if price, sum := p.priced(order[:hubs]); sum > most {
			best, most = price, sum
		}
	}
	return best
}

// priced returns the prices, and what all costs, if hubs cost nothing.
func (p *puzzle) priced(hubs []int) (price []float64, sum float64) {
	price = make([]float64, p.ops)
	free := make([]bool, p.ops)
	for _, op := range hubs {
		free[op] = true
	}
	largest := make([]int, p.ops)
	for _, s := range p.sets {
		n := 0
		for _, op := range s.ops {
			if !free[op] {
				n++
			}
		}
		for _, op := range s.ops {
			largest[op] = max(largest[op], n)
		}
	}
	for op := range price {
		if !free[op] {
			price[op] = 1 / float64(largest[op])
			sum += price[op]
		}
	}
	return price, sum
}
