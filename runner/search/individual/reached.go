package individual

import "math/rand/v2"

const (
	maxReached   = 200 // tests that are kept for extension
	reachedDraws = 3   // tests that are drawn; the least extended one is used
)

// reachedTests are tests that were the first to reach some place in the service's
// source. They may have left the service in a state in which another call gets further.
type reachedTests struct {
	all []*reachedTest
}

// reachedTest is a test with the number of times it was extended.
type reachedTest struct {
	ind  *Individual
	used int
}

// add keeps a test, in place of the oldest one where there are too many.
func (t *reachedTests) add(ind *Individual) {
	if len(t.all) == maxReached {
		t.all = t.all[1:]
	}
	t.all = append(t.all, &reachedTest{ind: ind})
}

// draw returns one of the tests that were extended least, or nil if there is none.
func (t *reachedTests) draw(r *rand.Rand) *Individual {
	if len(t.all) == 0 {
		return nil
	}
	from := t.all[r.IntN(len(t.all))]
	for range reachedDraws - 1 {
		if other := t.all[r.IntN(len(t.all))]; other.used < from.used {
			from = other
		}
	}
	from.used++
	return from.ind
}
