package runner

import (
	"fmt"
	"strconv"

	"sonde/model"
	"sonde/runner/client"
)

// targets are the (operation, status) pairs of a run: those that the spec
// declares from the start, others when they are seen.
type targets struct {
	declared map[model.OpID][]model.Target
	ids      map[model.OpID]map[int]string
	order    []string // declared ones, in the order of the spec
}

func newTargets(spec *model.Spec) *targets {
	t := &targets{declared: map[model.OpID][]model.Target{}, ids: map[model.OpID]map[int]string{}}
	for _, op := range spec.Operations {
		for _, r := range op.Responses {
			status, err := strconv.Atoi(r.Status)
			if err != nil || status < 200 {
				continue
			}
			id := t.id(op.ID, status)
			t.declared[op.ID] = append(t.declared[op.ID], model.Target{ID: id, Op: op.ID, Status: status, Declared: true})
			t.order = append(t.order, id)
		}
	}
	return t
}

// id returns the ID of a target, made once.
func (t *targets) id(op model.OpID, status int) string {
	ids := t.ids[op]
	if ids == nil {
		ids = map[int]string{}
		t.ids[op] = ids
	}
	id, ok := ids[status]
	if !ok {
		id = fmt.Sprintf("%s %d", op, status)
		ids[status] = id
	}
	return id
}

// The rungs of a partial score. The paper knows only 0 and 1 for a status, by
// which Algorithm 1's populations would stay empty; so a call on the way to a
// declared status earns a rung for each thing that already went right. All
// four together stay below 1.
const (
	rungSent     = 0.2 // sent; before that, the share of its predecessors that went well
	rungLinked   = 0.2 // every value that it takes from earlier answers was there
	rungAccepted = 0.2 // the answer does not say that the input was refused
	rungClass    = 0.2 // the class of the status is right
)

// scores says how near a played test came to each target: covered ones among
// those in done are passed over unless they are covered again.
func (t *targets) scores(test model.Test, results []client.Result, done map[string]bool) []model.Score {
	s := scoring{targets: t, done: done, at: map[string]int{}}
	for i, c := range test.Calls {
		if i < len(results) {
			s.answered(c.Op, results[i])
		} else {
			s.waiting(c.Op, float64(succeeded(results))/float64(i))
		}
	}
	return s.list
}

func succeeded(results []client.Result) int {
	n := 0
	for _, r := range results {
		if r.Exchange.Reply.Status/100 == 2 {
			n++
		}
	}
	return n
}

// scoring collects the best score of each target, in the order of the calls.
type scoring struct {
	*targets
	done map[string]bool
	list []model.Score
	at   map[string]int
}

func (s *scoring) add(id string, h float64) {
	i, ok := s.at[id]
	if !ok {
		s.at[id] = len(s.list)
		s.list = append(s.list, model.Score{Target: id, H: h})
		return
	}
	s.list[i].H = max(s.list[i].H, h)
}

// waiting scores a call that was not reached.
func (s *scoring) waiting(op model.OpID, progress float64) {
	for _, t := range s.declared[op] {
		if !s.done[t.ID] {
			s.add(t.ID, rungSent*progress)
		}
	}
}

// answered scores a call that was made.
func (s *scoring) answered(op model.OpID, r client.Result) {
	got := r.Exchange.Reply.Status
	if got > 0 {
		s.add(s.id(op, got), 1)
	}
	for _, t := range s.declared[op] {
		if t.Status != got && !s.done[t.ID] {
			s.add(t.ID, partial(t.Status, got, r.Linked))
		}
	}
}

func partial(want, got int, linked bool) float64 {
	h := rungSent
	if linked {
		h += rungLinked
	}
	if got > 0 && !refused(got) {
		h += rungAccepted
	}
	if got/100 == want/100 {
		h += rungClass
	}
	return h
}

// refused tells whether a status says that the request did not get past the
// checks of its form and its sender.
func refused(status int) bool {
	switch status {
	case 400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431:
		return true
	}
	return false
}
