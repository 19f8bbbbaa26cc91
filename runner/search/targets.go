package search

import (
	"fmt"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/runner/target/client"
)

// targetIndex are what a run searches for, by number: the (operation, status) pairs
// that the spec declares, in its order; behind them the hopes; and behind those
// what is seen besides.
type targetIndex struct {
	ids          []string       // by number
	numbers      map[string]int // by ID
	ops          []model.OpID   // that they are about, "" for none
	hosts        int            // how many are of what hosts did
	covered      []bool
	coveredCount int // how many are covered
	declared     int // how many are declared
	byOp         map[model.OpID]*opTargets
	listIndex    []int // of scores: 1 + where a target stands in the list, 0 for not at all
	listed       []int // of scores: the targets in the list
	list         []model.Score
}

// opTargets are the targets of one operation.
type opTargets struct {
	declared []statusTarget
	seen     []statusTarget // what was answered, be it declared or not
	// nextError is a goal that is never covered: to find the operation's next server
	// error, which no document promises. Without it the search would leave an
	// operation alone once all that it declares is covered, and with it what it
	// takes a long chain to come to.
	nextError     int
	needsCreation bool // it works on a resource that others can create
}

// statusTarget is a status, and the number of the target to be answered with it.
type statusTarget struct{ status, target int }

func newTargetIndex(spec *model.Spec, templates []model.Template) *targetIndex {
	t := &targetIndex{numbers: map[string]int{}, byOp: map[model.OpID]*opTargets{}}
	for _, op := range spec.Operations {
		t.byOp[op.ID] = &opTargets{declared: t.declare(op)}
	}
	t.declared = len(t.ids)
	for _, op := range spec.Operations {
		t.byOp[op.ID].nextError = t.numberOf(string(op.ID)+" 5xx", op.ID)
	}
	for _, tpl := range templates {
		for _, l := range tpl.Links {
			if l.To == len(tpl.Steps)-1 && l.In == model.InPath {
				t.byOp[tpl.Target()].needsCreation = true
			}
		}
	}
	return t
}

// declare numbers what the spec declares of an operation.
func (t *targetIndex) declare(op *model.Operation) []statusTarget {
	var all []statusTarget
	for _, r := range op.Responses {
		if status, err := strconv.Atoi(r.Status); err == nil && status >= 200 {
			all = append(all, statusTarget{status, t.numberOf(statusTargetID(op.ID, status), op.ID)})
		}
	}
	return all
}

func statusTargetID(op model.OpID, status int) string { return fmt.Sprintf("%s %d", op, status) }

// numberOf returns the number of a target, which is given once.
func (t *targetIndex) numberOf(id string, op model.OpID) int {
	n, known := t.numbers[id]
	if !known {
		n = len(t.ids)
		t.numbers[id] = n
		t.ids, t.ops = append(t.ids, id), append(t.ops, op)
		t.covered, t.listIndex = append(t.covered, false), append(t.listIndex, 0)
	}
	return n
}

// fixedCount is how many targets there are from the start: those that are declared,
// and the hopes.
func (t *targetIndex) fixedCount() int { return t.declared + len(t.byOp) }

// fixedIDs returns the IDs of what to search for.
func (t *targetIndex) fixedIDs() []string { return slices.Clone(t.ids[:t.fixedCount()]) }

// maxStatuses is how many statuses of an operation are targets of their own, and
// so keep a test each. A service that makes up more has them count as the first
// of their class, which is what RFC 9110, 15 lets a client make of a status that
// it does not know.
const maxStatuses = 32

// statusTarget returns the number of the target to be answered so.
func (t *targetIndex) statusTarget(op model.OpID, status int) int {
	g := t.byOp[op]
	for _, p := range g.seen {
		if p.status == status {
			return p.target
		}
	}
	if len(g.seen) >= maxStatuses && !g.declares(status) {
		return t.numberOf(statusTargetID(op, status/100*100), op)
	}
	n := t.numberOf(statusTargetID(op, status), op)
	g.seen = append(g.seen, statusTarget{status, n})
	return n
}

func (g *opTargets) declares(status int) bool {
	return slices.ContainsFunc(g.declared, func(p statusTarget) bool { return p.status == status })
}

// lastCalls returns for each target the last call that covers it.
func (t *targetIndex) lastCalls(test model.Test, wanted []string) []int {
	var calls []int
	for _, id := range wanted {
		for i, c := range slices.Backward(test.Calls) {
			if c.Status > 0 && t.ids[t.statusTarget(c.Op, c.Status)] == id {
				calls = append(calls, i)
				break
			}
		}
	}
	return calls
}

// coveredScores are the scores of the targets that are covered.
func coveredScores(all []model.Score) []model.Score {
	return slices.DeleteFunc(all, func(sc model.Score) bool { return !isCovered(sc) })
}

// operation returns the operation that a target is about, "" where it is none of
// a status.
func (t *targetIndex) operation(id string) model.OpID {
	if n, known := t.numbers[id]; known {
		return t.ops[n]
	}
	return ""
}

// cover notes that a target is covered.
func (t *targetIndex) cover(id string) {
	if n := t.numberOf(id, ""); !t.covered[n] {
		t.covered[n] = true
		t.coveredCount++
	}
}

// open reports whether a target is not covered.
func (t *targetIndex) open(id string) bool {
	n, known := t.numbers[id]
	return !known || !t.covered[n]
}

// score is one with the target's ID, and its number where the search knows it.
func (t *targetIndex) score(target int, h float64) model.Score {
	s := model.Score{Target: t.ids[target], H: h}
	if target < t.fixedCount() {
		s.Number = target + 1
	}
	return s
}

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

// scores says how near a played test came to each target: those that are covered
// already are passed over unless they are covered again. The list is the targets'
// own: the next call makes it anew.
func (t *targetIndex) scores(test model.Test, results []client.CallResult) []model.Score {
	t.list, t.listed = t.list[:0], t.listed[:0]
	for i, c := range test.Calls {
		if i < len(results) {
			t.answered(c.Op, results[i].Exchange.Reply.Status, t.linked(test, i, results[i]))
		} else {
			t.waiting(t.byOp[c.Op], chainProgress(i, results))
		}
	}
	for _, target := range t.listed {
		t.listIndex[target] = 0
	}
	return t.list
}

// linked reports whether a call's chain is complete: it names nothing that could
// have been created before, or what it names was.
func (t *targetIndex) linked(test model.Test, i int, r client.CallResult) bool {
	return r.Linked && t.named(test, i)
}

// named reports whether what a call names was created before it, as far as it
// could have been.
func (t *targetIndex) named(test model.Test, i int) bool {
	return !t.byOp[test.Calls[i].Op].needsCreation || slices.ContainsFunc(test.Links, func(l model.Link) bool { return l.To == i })
}

// foreignCalls counts the calls that went well on a resource that could have been
// created before and was not: without a reset it is somebody else's, and not
// there the next time.
func (t *targetIndex) foreignCalls(test model.Test) int {
	n := 0
	for i, c := range test.Calls {
		if c.Status/100 == 2 && !t.named(test, i) {
			n++
		}
	}
	return n
}

// chainProgress tells how far a chain came before the call i that it did not reach:
// the calls that went well, and half a call where the one that failed was at
// least allowed to its sender.
func chainProgress(i int, results []client.CallResult) float64 {
	done := float64(countSucceeded(results))
	if n := len(results); n > 0 {
		if last := results[n-1].Exchange.Reply.Status; last > 0 && !isForbidden(last) {
			done += 0.5
		}
	}
	return done / float64(i+1)
}

func countSucceeded(results []client.CallResult) int {
	n := 0
	for _, r := range results {
		if r.Exchange.Reply.Status/100 == 2 {
			n++
		}
	}
	return n
}

// add keeps the best score of each target, in the order of the calls.
func (t *targetIndex) add(target int, h float64) {
	at := t.listIndex[target]
	if at == 0 {
		t.list, t.listed = append(t.list, t.score(target, h)), append(t.listed, target)
		t.listIndex[target] = len(t.list)
		return
	}
	t.list[at-1].H = max(t.list[at-1].H, h)
}

// waiting scores a call that was not reached.
func (t *targetIndex) waiting(g *opTargets, progress float64) {
	h := rungSent + rungWaiting*(0.1+0.9*progress)
	t.add(g.nextError, h)
	for _, p := range g.declared {
		if !t.covered[p.target] {
			t.add(p.target, h)
		}
	}
}

// answered scores a call that was made.
func (t *targetIndex) answered(op model.OpID, got int, linked bool) {
	if got > 0 {
		t.add(t.statusTarget(op, got), 1)
	}
	g := t.byOp[op]
	t.add(g.nextError, nextErrorScore(got, linked))
	for _, p := range g.declared {
		if p.status != got && !t.covered[p.target] {
			t.add(p.target, partialScore(p.status, got, linked))
		}
	}
}

func partialScore(want, got int, linked bool) float64 {
	rightClass := got/100 == want/100
	switch {
	case !linked && rightClass:
		return rungSent + rungByChance
	case !linked:
		return rungSent
	}
	h := rungSent + rungLinked
	if got > 0 && !isForbidden(got) {
		h += rungAllowed
		if !isRefused(got) {
			h += rungAccepted
		}
	}
	if rightClass {
		h += rungClass
	}
	return h
}

// nextErrorScore is how good a call is to start from to the next server error: one that
// failed so is known, and its neighbours fail likewise.
func nextErrorScore(got int, linked bool) float64 {
	if linked && got/100 == 5 {
		return rungSent + rungLinked
	}
	return partialScore(500, got, linked)
}

// isForbidden reports whether a status is about who sent the request.
func isForbidden(status int) bool { return status == 401 || status == 403 }

// isRefused reports whether a status says that the request did not get past the
// checks of its form.
func isRefused(status int) bool {
	switch status {
	case 400, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431:
		return true
	}
	return false
}

// maxOutcomes bounds the targets outside the service: a service may make up hosts.
const maxOutcomes = 500

// outcomes are the targets of what became of the service's contacts: what a host did,
// each once, and of all hosts that it was told of, once. That a connection came about is
// none, for it depends on those that the service kept of earlier tests.
func (t *targetIndex) outcomes(contacts []model.Contact, told func(host string) bool) (all []model.Score) {
	for _, c := range contacts {
		if c.Outcome == "connected" {
			continue
		}
		if told(c.Host) {
			c.Host = "told"
		}
		id := outcomeOf(c)
		if _, known := t.numbers[id]; !known && t.hosts >= maxOutcomes {
			continue
		} else if !known {
			t.hosts++
		}
		all = append(all, t.score(t.numberOf(id, ""), 1))
	}
	return all
}

// outcomeOf is the target of a contact.
func outcomeOf(c model.Contact) string { return string(c.Kind) + " " + c.Host + " " + c.Outcome }
