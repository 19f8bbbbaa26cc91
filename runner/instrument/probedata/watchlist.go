package probedata

import "sonde/assets/probe/sondeprobe"

// watchlist has the wanted targets, and the predicates that the service must watch for them. A service computes the
// distances of a predicate only while the score of a wanted target depends on it, because distances cost time. For each
// predicate, the service reads an open word from shared memory: 0, sondeprobe.Open or sondeprobe.OpenWithOperands.
type watchlist struct {
	wanted  []bool
	users   [][]int32 // targets whose scores depend on a predicate, by the predicate
	seekers []int32   // number of terms of wanted targets that have a predicate, by the predicate
	open    []uint32  // open word, by predicate: mode if the predicate is watched, else 0
	mode    uint32    // the open word of all watched predicates
}

func newWatchlist(m *Manifest) watchlist {
	w := watchlist{
		wanted:  make([]bool, len(m.Targets)),
		users:   make([][]int32, m.Preds),
		seekers: make([]int32, m.Preds),
		open:    make([]uint32, m.Preds),
		mode:    sondeprobe.Open,
	}
	for i, t := range m.Targets {
		w.add(int32(i), t.Terms)
	}
	return w
}

// add records the predicates on which the score of a target depends.
func (w *watchlist) add(target int32, terms []ScoreTerm) {
	for _, t := range terms {
		users := w.users[t.Pred]
		if len(users) == 0 || users[len(users)-1] != target {
			w.users[t.Pred] = append(users, target)
		}
	}
}

// set makes a target wanted or not.
func (w *watchlist) set(target int, terms []ScoreTerm, wanted bool) {
	if w.wanted[target] == wanted {
		return
	}
	w.wanted[target] = wanted
	change := int32(1)
	if !wanted {
		change = -1
	}
	for _, t := range terms {
		w.seekers[t.Pred] += change
		w.open[t.Pred] = w.word(t.Pred)
	}
}

// setMode changes the open word of all predicates that are watched.
func (w *watchlist) setMode(mode uint32) {
	w.mode = mode
	for p := range w.open {
		w.open[p] = w.word(p)
	}
}

// word returns the open word of a predicate: the mode if the predicate is watched, else 0.
func (w *watchlist) word(pred int) uint32 {
	if w.seekers[pred] == 0 {
		return 0
	}
	return w.mode
}

// watches reports whether the score of a wanted target depends on a predicate.
func (w *watchlist) watches(pred int) bool { return pred < len(w.seekers) && w.seekers[pred] > 0 }
