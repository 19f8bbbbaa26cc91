package mio

import "sonde/model"

// Replace keeps an individual for a target in place of the one that is kept for
// it, if it covers the target, and tells whether it does. Line 12 would do so
// only where it is shorter: whoever calls this knows that it is better in a way
// that Size does not tell.
func (s *Search[T]) Replace(target string, t T, scores []model.Score) bool {
	i, known := s.archive.index[target]
	if !known || !s.archive.populations[i].covered {
		return false
	}
	for _, sc := range scores {
		if sc.Target == target && sc.H >= 1 {
			e := s.entry(t, scores)
			e.h = sc.H
			s.archive.populations[i].entries[0] = e
			return true
		}
	}
	return false
}
