package individual

import (
	"math/rand/v2"
	"sort"
)

// wheel draws indexes by their weights. It contains the running sums of the weights.
type wheel []float64

func newWheel(n int, weight func(i int) float64) wheel {
	w := make(wheel, n)
	sum := 0.0
	for i := range w {
		sum += weight(i)
		w[i] = sum
	}
	return w
}

// total returns the sum of the weights. If it is 0, draw must not be called.
func (w wheel) total() float64 {
	if len(w) == 0 {
		return 0
	}
	return w[len(w)-1]
}

// draw returns a random index. An index with a greater weight is more likely.
func (w wheel) draw(r *rand.Rand) int {
	x := r.Float64() * w.total()
	return sort.Search(len(w)-1, func(i int) bool { return w[i] > x })
}
