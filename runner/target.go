package runner

import (
	"fmt"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/runner/client"
)

// targets are the (operation, status) pairs of a run: those that the spec
// declares from the start, others when they are seen.
type targets struct {
	declared map[model.OpID][]model.Target
	ids      map[model.OpID]map[int]string
	ops      map[string]model.OpID // of the targets
	order    []string              // declared ones, in the order of the spec
	chained  map[model.OpID]bool   // operations on a resource that others can create
	// hopes are the goals that are never covered: to find an operation's next
	// server error, which no document promises. Without them the search would
	// leave an operation alone once all that it declares is covered, and with it
	// what it takes a long chain to come to.
	hopes map[model.OpID]string
	at    map[string]int // of scores: where a target stands in the list; kept for its memory
}

func newTargets(spec *model.Spec, templates []model.Template) *targets {
	t := &targets{
		declared: map[model.OpID][]model.Target{}, ids: map[model.OpID]map[int]string{}, ops: map[string]model.OpID{},
		chained: map[model.OpID]bool{}, hopes: map[model.OpID]string{}, at: map[string]int{},
	}
	for _, tpl := range templates {
		for _, l := range tpl.Links {
			if l.To == len(tpl.Steps)-1 && l.In == model.InPath {
				t.chained[tpl.Target()] = true
			}
		}
	}
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
		hope := string(op.ID) + " 5xx"
		t.hopes[op.ID], t.ops[hope] = hope, op.ID
	}
	return t
}

// all returns the IDs of what to search for: the declared targets, and behind
// them the hopes.
func (t *targets) all(spec *model.Spec) []string {
	all := slices.Clone(t.order)
	for _, op := range spec.Operations {
		all = append(all, t.hopes[op.ID])
	}
	return all
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
		ids[status], t.ops[id] = id, op
	}
	return id
}

// operation returns the operation that a target is about, "" where it is none of
// a status.
func (t *targets) operation(id string) model.OpID { return t.ops[id] }

// The rungs of a partial score. The paper knows only 0 and 1 for a status, by
// which Algorithm 1's populations would stay empty; so a call on the way to a
// declared status earns a rung for each thing that already went right. All
// together they stay below 1.
const (
	rungSent     = 0.1  // sent, or waiting for the creation that it is linked to
	rungWaiting  = 0.1  // waiting: up to so much more, the further the chain came
	rungLinked   = 0.3  // sent, and its resource was created before
	rungAllowed  = 0.1  // linked, and the answer does not forbid it to the sender
	rungAccepted = 0.1  // nor does it refuse the input
	rungClass    = 0.2  // linked, and the class of the status is right
	rungByChance = 0.05 // the class is right, on a resource that nobody created
)

// scores says how near a played test came to each target: covered ones among
// those in done are passed over unless they are covered again.
func (t *targets) scores(test model.Test, results []client.Result, done map[string]bool) []model.Score {
	clear(t.at)
	s := scoring{targets: t, done: done, list: make([]model.Score, 0, 4*len(test.Calls))}
	for i, c := range test.Calls {
		if i < len(results) {
			s.answered(c.Op, results[i].Exchange.Reply.Status, t.linked(test, i, results[i]))
		} else {
			s.waiting(c.Op, progress(i, results))
		}
	}
	return s.list
}

// linked tells whether a call's chain is complete: it names nothing that could
// have been created before, or what it names was.
func (t *targets) linked(test model.Test, i int, r client.Result) bool {
	return r.Linked && t.named(test, i)
}

// named tells whether what a call names was created before it, as far as it
// could have been.
func (t *targets) named(test model.Test, i int) bool {
	return !t.chained[test.Calls[i].Op] || slices.ContainsFunc(test.Links, func(l model.Link) bool { return l.To == i })
}

// lucky counts the calls that went well on a resource that could have been
// created before and was not: without a reset it is somebody else's, and not
// there the next time.
func (t *targets) lucky(test model.Test) int {
	n := 0
	for i, c := range test.Calls {
		if c.Status/100 == 2 && !t.named(test, i) {
			n++
		}
	}
	return n
}

// progress tells how far a chain came before the call i that it did not reach:
// the calls that went well, and half a call where the one that failed was at
// least allowed to its sender.
func progress(i int, results []client.Result) float64 {
	done := float64(succeeded(results))
	if n := len(results); n > 0 {
		if last := results[n-1].Exchange.Reply.Status; last > 0 && !forbidden(last) {
			done += 0.5
		}
	}
	return done / float64(i+1)
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
	h := rungSent + rungWaiting*(0.1+0.9*progress)
	s.add(s.hopes[op], h)
	for _, t := range s.declared[op] {
		if !s.done[t.ID] {
			s.add(t.ID, h)
		}
	}
}

// answered scores a call that was made.
func (s *scoring) answered(op model.OpID, got int, linked bool) {
	if got > 0 {
		s.add(s.id(op, got), 1)
	}
	s.add(s.hopes[op], hope(got, linked))
	for _, t := range s.declared[op] {
		if t.Status != got && !s.done[t.ID] {
			s.add(t.ID, partial(t.Status, got, linked))
		}
	}
}

func partial(want, got int, linked bool) float64 {
	rightClass := got/100 == want/100
	switch {
	case !linked && rightClass:
		return rungSent + rungByChance
	case !linked:
		return rungSent
	}
	h := rungSent + rungLinked
	if got > 0 && !forbidden(got) {
		h += rungAllowed
		if !refused(got) {
			h += rungAccepted
		}
	}
	if rightClass {
		h += rungClass
	}
	return h
}

// hope is how good a call is to start from to the next server error: one that
// failed so is known, and its neighbours fail likewise.
func hope(got int, linked bool) float64 {
	if linked && got/100 == 5 {
		return rungSent + rungLinked
	}
	return partial(500, got, linked)
}

// forbidden tells whether a status is about who sent the request.
func forbidden(status int) bool { return status == 401 || status == 403 }

// refused tells whether a status says that the request did not get past the
// checks of its form.
func refused(status int) bool {
	switch status {
	case 400, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431:
		return true
	}
	return false
}
