package mio

import "sonde/model"

// Replace keeps an individual for targets in place of those that are kept for
// them, as far as it covers them, and tells for how many it does. Line 12 would
// do so only where it is shorter: whoever calls this knows that it is better in a
// way that Size does not tell.
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
