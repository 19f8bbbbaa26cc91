package valuegroup

import (
	"cmp"
	"slices"
)

// prices returns a price for each operation. The operations of any one set must cost at most 1 together. Under this
// condition, all operations together should cost as much as possible.
//
// The price 1/n is valid for an operation if each set with the operation has at most n operations that cost
// something. Hubs are operations that are in many sets. If hubs cost nothing, the sets have fewer operations that
// cost something, and the price of these can be higher. prices tries several numbers of hubs and keeps the best
// result.
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

// priced returns the prices, and their sum, if the given hubs cost nothing.
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
