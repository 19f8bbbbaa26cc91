package mio_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sonde/model"
	"sonde/runner/search/mio"
)

// still is a problem without cost, so that only the cost of the search is measured.
type still struct{}

func (still) Sample(r *rand.Rand, _ float64) int           { return r.Int() }
func (still) Mutate(r *rand.Rand, _, _ int, _ float64) int { return r.Int() }
func (still) Size(x int) int                               { return x & 7 }

// BenchmarkAskTell measures one step of a search in which each test reaches all 100 targets.
func BenchmarkAskTell(b *testing.B) {
	s := mio.New(still{}, chance(1), model.DefaultTuning(), nil)
	scores := make([]model.Score, 100)
	for i := range scores {
		scores[i] = model.Score{Target: fmt.Sprint(i), H: 1 / float64(i+2)}
	}
	for b.Loop() {
		s.Tell(s.Ask(), scores)
	}
}

// BenchmarkManyTargets measures one step of a search for 100,000 reached targets: Ask, Tell and SetBudgetUsed. Each
// test comes near to a number of these targets. Scores have the names of targets only, or names and numbers.
func BenchmarkManyTargets(b *testing.B) {
	const targets = 100_000
	names := make([]string, targets)
	for i := range names {
		names[i] = fmt.Sprintf("branch shop/orders.go:%d:1 true", i)
	}
	for _, reached := range []int{100, 1000, 10_000} {
		for _, numbered := range []int{0, 1} {
			b.Run(fmt.Sprintf("reached=%d/numbered=%d", reached, numbered), func(b *testing.B) {
				s := mio.New(still{}, chance(1), model.DefaultTuning(), names)
				r := chance(2)
				for _, name := range names {
					s.Offer(0, []model.Score{{Target: name, H: 0.1}})
				}
				scores := make([]model.Score, reached)
				for i := 0; b.Loop(); i++ {
					from := r.IntN(targets - reached)
					for j := range scores {
						scores[j] = model.Score{Target: names[from+j], H: r.Float64(), Number: numbered * (from + j + 1)}
					}
					s.Tell(s.Ask(), scores)
					s.SetBudgetUsed(float64(i%1000) / 1000)
				}
			})
		}
	}
}
