package valuegroup

import (
	"cmp"
	"slices"
)

// prices returns a price for each operation, so that the operations of any one set cost at most 1 together,
// and all operations together cost as much as possible.
//
// The price 1/n is valid for an operation if no set with the operation has more than n priced operations.
// Hubs, which are operations of many sets, should cost nothing: the sets then have fewer priced operations,
// which cost more. prices tries several numbers of hubs.
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

// priced returns the prices and their sum, with price 0 for the given hubs.
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
