package seqs

import (
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// faults are those of a run, by how the call that shows them was answered.
type faults map[answer][]*model.Fault

func newFaults(all []model.Fault) faults {
	at := faults{}
	for i := range all {
		f := &all[i]
		at[answer{f.Op, f.Status}] = append(at[answer{f.Op, f.Status}], f)
	}
	return at
}

// counted tells that what is listed, or in which order, depends on what weigh counts.
func (s *Screen) counted() bool {
	return s.order == byFaults || s.order == byOnly || s.find.Asks("faults")
}

// weigh counts what rows show and cover, and lists them anew where that makes a difference;
// while the screen is not on show nobody asks.
func (s *Screen) weigh() {
	if !s.onShow || s.rows.study == nil {
		return
	}
	if weighed := s.rows.weigh(s.found); s.stale || weighed && s.counted() {
		s.narrow()
	}
	s.stale = false
}

// weigh counts what the archive's rows, and those made here, show and alone cover. It reports
// whether some count is another than before.
func (s *store) weigh(found []model.Fault) (changed bool) {
	s.faults = newFaults(found)
	covering := newCovering(s.archive)
	for _, r := range s.archive {
		shown, only := s.faults.shown(r.Test), covering.only(r.Test)
		changed = changed || shown != r.faults || only != r.only
		r.faults, r.only, r.kept = shown, only, true
	}
	made := s.weighMade()
	return made || changed
}

// weighMade counts what the rows made here show. No target is kept for them.
func (s *store) weighMade() (changed bool) {
	for _, r := range s.made {
		n := s.faults.shown(r.Test)
		changed = changed || n != r.faults
		r.faults = n
	}
	return changed
}

// shown is how many faults a test shows: those whose own test it begins with, and of each
// server error that it was answered one at least, whichever of them it is.
func (f faults) shown(t *model.Test) (n int) {
	if t == nil || len(f) == 0 {
		return 0
	}
	for i, c := range t.Calls {
		at := answer{c.Op, c.Status}
		if len(f[at]) == 0 || slices.ContainsFunc(t.Calls[:i], func(b model.Call) bool { return b.Op == at.op && b.Status == at.status }) {
			continue
		}
		n += shownAt(f[at], t)
	}
	return n
}

// shownAt is how many of some faults, whose calls were answered alike, a test shows.
func shownAt(all []*model.Fault, t *model.Test) (n int) {
	least := 0
	for _, f := range all {
		if f.IsStatusFault() {
			least = 1
		}
		if f.Test != nil && begins(t.Calls, f.Test.Calls) {
			n++
		}
	}
	return max(n, least)
}

// begins reports whether calls begin with others, sent alike.
func begins(calls, with []model.Call) bool {
	return len(with) <= len(calls) && slices.EqualFunc(with, calls[:len(with)], func(a, b model.Call) bool {
		return a.Op == b.Op && a.User == b.User && slices.Equal(a.Args, b.Args) && equal(a.Body, b.Body)
	})
}

func equal(a, b *model.Payload) bool { return a == b || a != nil && b != nil && *a == *b }

// covering says by how many rows each target is covered. A test is kept for a target where
// it is the best, and may cover others besides: what its calls were answered tells.
type covering map[answer]sharers

// sharers are how many rows cover a target, and the last of them.
type sharers struct{ count, last int }

func newCovering(archive []*row) covering {
	by := make(covering, len(archive))
	for i, r := range archive {
		for _, c := range r.Test.Calls {
			by.add(i, answer{c.Op, c.Status})
		}
		for _, id := range r.Test.Covers {
			by.add(i, target(id))
		}
	}
	return by
}

func (by covering) add(row int, a answer) {
	if have := by[a]; have.count == 0 || have.last != row {
		by[a] = sharers{have.count + 1, row}
	}
}

// only is how many targets nobody but a row's test covers. What it is kept for in the
// source is left out, for what others reach there is not known.
func (by covering) only(t *model.Test) (n int) {
	for _, id := range t.Covers {
		if by[target(id)].count == 1 {
			n++
		}
	}
	return n
}

// target is the answer that a target asks for; one that asks for something else has no
// status.
func target(id string) answer {
	if i := strings.LastIndexByte(id, ' '); i >= 0 {
		if status, err := strconv.Atoi(id[i+1:]); err == nil {
			return answer{model.OpID(id[:i]), status}
		}
	}
	return answer{op: model.OpID(id)}
}
