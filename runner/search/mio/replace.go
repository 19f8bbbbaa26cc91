package mio

import "sonde/model"

// Replace archives an individual for each of the given targets that it covers and that was covered before. It returns
// the number of these targets. Unlike Tell and Offer, Replace also replaces a shorter individual, because the caller
// knows that the new individual is better in a way that Size does not show.
func (s *Search[T]) Replace(t T, scores []model.Score, targets ...string) int {
	covers := map[string]bool{}
	for _, sc := range scores {
		covers[sc.Target] = sc.H >= 1
	}
	e := s.entry(t, scores)
	e.h = 1
	n := 0
	for _, target := range targets {
		i, known := s.archive.index[target]
		if known && covers[target] && s.archive.populations[i].covered {
			s.archive.populations[i].entries[0] = e
			n++
		}
	}
	return n
}
