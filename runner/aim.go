package runner

import (
	"cmp"
	"slices"

	"sonde/model"
)

// aimed is how often a mutation of several calls that is to come nearer to a place
// in the source changes nothing but the call that came nearest.
const aimed = 0.8

// near is a target, by its number in the search, and the call of a test that came
// nearest to it.
type near struct{ target, call int32 }

func (n near) compare(target int32) int { return cmp.Compare(n.target, target) }

// nearest returns the call that came nearest to a target: the last, or one before
// it that is known to.
func (t *trial) nearest(target int) int {
	if i, earlier := slices.BinarySearchFunc(t.sooner, int32(target), near.compare); earlier {
		return int(t.sooner[i].call)
	}
	return len(t.test.Calls) - 1
}

// way is how near the calls of a test came to a target by now, and which of them was
// the first to come so near.
type way struct {
	h    float64
	call int
}

// follow notes how near a test came by one of its calls.
func (w *watch) follow(call int, now []model.Score) {
	for _, sc := range now {
		if sc.H > w.ways[sc.Target].h {
			w.ways[sc.Target] = way{sc.H, call}
		}
	}
}

// earlier are the targets to which a call before the last came as near as the whole
// test.
func (w *watch) earlier() []near {
	var all []near
	for _, sc := range w.seen {
		if on, known := w.ways[sc.Target]; known && on.h >= sc.H && !covering(sc) && sc.Number > 0 {
			all = append(all, near{int32(sc.Number), int32(on.call)})
		}
	}
	slices.SortFunc(all, func(a, b near) int { return a.compare(b.target) })
	return all
}
