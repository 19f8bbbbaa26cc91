package probedata

import "sonde/assets/probe/sondeprobe"

// watchlist is the set of wanted targets, and what the service must look at for
// them: distances cost time, so it computes those of a predicate only while a wanted
// target follows from it.
type watchlist struct {
	wanted  []bool
	users   [][]int32 // the targets that follow from each predicate
	seekers []int32   // how many of them are wanted
	open    []uint32  // the word that the service reads for each predicate, 0 to look at nothing
	mode    uint32    // the word of a predicate to look at
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

// add records from which predicates a target follows.
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

// setMode changes the word of all predicates that are looked at.
func (w *watchlist) setMode(mode uint32) {
	w.mode = mode
	for p := range w.open {
		w.open[p] = w.word(p)
	}
}

// word returns the word of a predicate.
func (w *watchlist) word(pred int) uint32 {
	if w.seekers[pred] == 0 {
		return 0
	}
	return w.mode
}

// watches reports whether a wanted target follows from a predicate.
func (w *watchlist) watches(pred int) bool { return pred < len(w.seekers) && w.seekers[pred] > 0 }
