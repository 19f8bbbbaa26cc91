package individual

import "math/rand/v2"

const (
	maxReached   = 200 // tests that are kept
	reachedDraws = 3   // tests that are drawn; the least extended of them is used
)

// reachedTests are tests that were the first to reach some statement or branch of the service's source. One more call
// after such a test may reach further statements or branches.
type reachedTests struct {
	all []*reachedTest
}

// reachedTest is a reached test.
type reachedTest struct {
	ind  *Individual
	used int // how often the test was extended
}

// add keeps a test. If there are maxReached tests, it drops the oldest.
func (t *reachedTests) add(ind *Individual) {
	if len(t.all) == maxReached {
		t.all = t.all[1:]
	}
	t.all = append(t.all, &reachedTest{ind: ind})
}

// draw returns a test, preferring tests that were rarely extended. It returns nil if there are no tests.
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
