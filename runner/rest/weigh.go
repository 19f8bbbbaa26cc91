package rest

import (
	"math/rand/v2"
	"sort"

	"sonde/model"
)

// wheel draws indexes, each as often as its weight says relative to the others.
type wheel []float64 // sums of the weights so far

func newWheel(n int, weight func(i int) float64) wheel {
	w := make(wheel, n)
	sum := 0.0
	for i := range w {
		sum += weight(i)
		w[i] = sum
	}
	return w
}

// total is above 0 where there is something to draw.
func (w wheel) total() float64 {
	if len(w) == 0 {
		return 0
	}
	return w[len(w)-1]
}

func (w wheel) draw(r *rand.Rand) int {
	x := r.Float64() * w.total()
	return sort.Search(len(w)-1, func(i int) bool { return w[i] > x })
}

// Weigh says how much each operation matters from now on: how often it is
// sampled, be it at the end of a template or by chance. At first all matter as
// much. A path matters as much as its operations on average.
func (p *Problem) Weigh(weights model.Weights) {
	p.weights = weights
	p.calls = newWheel(len(p.chromosomes), func(i int) float64 { return weights.Of(p.chromosomes[i].op.ID) })
	p.seqs = newWheel(len(p.distilled), func(i int) float64 { return weights.Of(p.distilled[i].Target()) })
	p.paths = newWheel(len(p.endpoints), func(i int) float64 {
		e := &p.endpoints[i]
		e.wheel = newWheel(len(e.ops), func(j int) float64 { return weights.Of(e.ops[j][0].Target()) })
		return e.wheel.total() / float64(len(e.ops))
	})
}
