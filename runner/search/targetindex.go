package search

import (
	"fmt"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/runner/target/client"
)

// targetIndex numbers the targets of a run outside the service's source, from 0. First come the (operation,
// status) pairs that the spec declares, then the next server error of each operation, then targets that appear
// during the run. Package mio numbers its targets differently, from 1.
type targetIndex struct {
	ids           []string       // target number → ID
	numbers       map[string]int // target ID → number
	ops           []model.OpID   // target number → operation, "" for none
	hosts, uses   int            // numbers of targets about hosts and about the environment
	covered       []bool
	coveredCount  int // number of covered targets
	declared      int // number of declared targets
	byOp          map[model.OpID]*opTargets
	listIndex     []int         // target number → 1 + index in scoreList; 0 if the target is not there
	scoredTargets []int         // the targets in scoreList
	scoreList     []model.Score // result of scores, whose memory is reused
}

// opTargets are the targets of one operation.
type opTargets struct {
	declared []statusTarget
	seen     []statusTarget // statuses that were answered, declared or not
	// nextError is a target that is never covered: the operation's next server error, which no spec declares. Without
	// this target, the search would ignore an operation after all its declared targets are covered. It would no
	// longer find faults that need a long chain of calls.
	nextError     int
	needsCreation bool // the operation's path needs a resource that other operations create
}

// statusTarget is a status, and the number of the target that an answer with this status covers.
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

// declare numbers the statuses from 200 on that an operation declares, without ranges such as 4XX. It returns
// the statuses with their targets.
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

// numberOf returns the number of a target, and adds the target if it is new. op is the operation of the target, ""
// for none.
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

// fixedCount returns the number of targets known from the start: the declared ones and, for each
// operation, the next server error.
func (t *targetIndex) fixedCount() int { return t.declared + len(t.byOp) }

// fixedIDs returns the IDs of the targets known from the start.
func (t *targetIndex) fixedIDs() []string { return slices.Clone(t.ids[:t.fixedCount()]) }

// maxStatuses bounds the statuses of an operation that are separate targets. Further undeclared statuses share one
// target for each class: all further 4xx statuses share the target of 400. RFC 9110, section 15, lets a client treat
// an unknown status in this way.
const maxStatuses = 32

// statusTarget returns the number of the target that an answer of an operation covers.
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

func (o *opTargets) declares(status int) bool {
	return slices.ContainsFunc(o.declared, func(p statusTarget) bool { return p.status == status })
}

// lastCalls returns, for each wanted target that a call of the test covers, the index of the last such call.
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

// coveredScores returns the scores of covered targets. It reuses the memory of its argument.
func coveredScores(all []model.Score) []model.Score {
	return slices.DeleteFunc(all, func(sc model.Score) bool { return !isCovered(sc) })
}

// operation returns the operation of a target, "" if it has none.
func (t *targetIndex) operation(id string) model.OpID {
	if n, known := t.numbers[id]; known {
		return t.ops[n]
	}
	return ""
}

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

// score returns a score of a target. The score has the target's number in the search if the target is known from the
// start (see fixedCount), otherwise 0.
func (t *targetIndex) score(target int, h float64) model.Score {
	s := model.Score{Target: t.ids[target], H: h}
	if target < t.fixedCount() {
		s.Number = target + 1
	}
	return s
}

// The parts of the score of a call for a declared status, if the call was answered with another status or not at all.
// In the EvoMaster paper the score of a status is 0 or 1, which would leave the populations of Algorithm 1 empty.
// Here, a call gets a part for each step that succeeded. The sum of all parts is less than 1.
const (
	partSent     = 0.1  // a test has a call of the operation, even if the call was not reached
	partWaiting  = 0.1  // the maximum for a call that was not reached; the part grows with the progress of the earlier calls
	partLinked   = 0.3  // the call was sent, its links were filled, and the test has created its resource if it needs one
	partAllowed  = 0.1  // the call was linked and answered, and the status is not 401 or 403
	partAccepted = 0.1  // the call was allowed, and the status does not say that the input is wrong
	partClass    = 0.2  // the call was linked, and the class of the status is right
	partByChance = 0.05 // the call was not linked, and the class of the status is right
)

// scores returns how near a played test came to each target. A target that was covered before has a score
// only if the test covers the target, too. The returned slice is valid until the next call of scores.
func (t *targetIndex) scores(test model.Test, results []client.CallResult) []model.Score {
	t.scoreList, t.scoredTargets = t.scoreList[:0], t.scoredTargets[:0]
	for i, c := range test.Calls {
		if i < len(results) {
			t.scoreSent(c.Op, results[i].Exchange.Reply.Status, t.linked(test, i, results[i]))
		} else {
			t.scoreWaiting(t.byOp[c.Op], chainProgress(i, results))
		}
	}
	for _, target := range t.scoredTargets {
		t.listIndex[target] = 0
	}
	return t.scoreList
}

// linked reports whether all links into a call were filled and, if the call needs a resource, the test most likely
// created the resource.
func (t *targetIndex) linked(test model.Test, i int, r client.CallResult) bool {
	return r.Linked && t.createdInTest(test, i)
}

// createdInTest reports whether the test most likely created the resource that a call needs: a link leads into the
// call. It is also true if the operation of the call needs no resource.
func (t *targetIndex) createdInTest(test model.Test, i int) bool {
	return !t.byOp[test.Calls[i].Op].needsCreation || slices.ContainsFunc(test.Links, func(l model.Link) bool { return l.To == i })
}

// foreignCalls returns the number of successful calls on resources that the test did not create but could have
// created. Without a reset such a resource belongs to another test, and may not exist the next time.
func (t *targetIndex) foreignCalls(test model.Test) int {
	n := 0
	for i, c := range test.Calls {
		if c.Status/100 == 2 && !t.createdInTest(test, i) {
			n++
		}
	}
	return n
}

// chainProgress returns how far a test came towards call i, which was not reached: the share of the calls 0 to i
// that succeeded. An answer to the last sent call counts as half a call more, unless it is 401 or 403.
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

// addScore adds a score of a target, or raises the score that the target has.
func (t *targetIndex) addScore(target int, h float64) {
	at := t.listIndex[target]
	if at == 0 {
		t.scoreList, t.scoredTargets = append(t.scoreList, t.score(target, h)), append(t.scoredTargets, target)
		t.listIndex[target] = len(t.scoreList)
		return
	}
	t.scoreList[at-1].H = max(t.scoreList[at-1].H, h)
}

// scoreWaiting adds the scores of a call that was not reached.
func (t *targetIndex) scoreWaiting(g *opTargets, progress float64) {
	h := partSent + partWaiting*(0.1+0.9*progress)
	t.addScore(g.nextError, h)
	for _, p := range g.declared {
		if !t.covered[p.target] {
			t.addScore(p.target, h)
		}
	}
}

// scoreSent adds the scores of a call that was sent and got a status, 0 for none.
func (t *targetIndex) scoreSent(op model.OpID, got int, linked bool) {
	if got > 0 {
		t.addScore(t.statusTarget(op, got), 1)
	}
	g := t.byOp[op]
	t.addScore(g.nextError, nextErrorScore(got, linked))
	for _, p := range g.declared {
		if p.status != got && !t.covered[p.target] {
			t.addScore(p.target, partialScore(p.status, got, linked))
		}
	}
}

func partialScore(want, got int, linked bool) float64 {
	rightClass := got/100 == want/100
	switch {
	case !linked && rightClass:
		return partSent + partByChance
	case !linked:
		return partSent
	}
	h := partSent + partLinked
	if got > 0 && !isForbidden(got) {
		h += partAllowed
		if !isRefused(got) {
			h += partAccepted
		}
	}
	if rightClass {
		h += partClass
	}
	return h
}

// nextErrorScore returns the score of a call for the next server error of its operation. A linked call that got a
// server error scores less than a call that was accepted: its error is already known, and mutations of the call most
// likely get the same error.
func nextErrorScore(got int, linked bool) float64 {
	if linked && got/100 == 5 {
		return partSent + partLinked
	}
	return partialScore(500, got, linked)
}

// isForbidden reports whether a status says that the user may not make the call.
func isForbidden(status int) bool { return status == 401 || status == 403 }

// isRefused reports whether a status says that the service refused the request before it carried the request
// out. It is false for 401 and 403.
func isRefused(status int) bool {
	switch status {
	case 400, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431:
		return true
	}
	return false
}

// Bounds of the numbers of targets for contacts with hosts and for uses of the environment. Without these bounds, a
// service that uses many names of hosts or files would have too many targets.
const (
	maxContactTargets = 500
	maxUseTargets     = 100
)

// contactScores returns the scores of a service's contacts during a test. There is a target for each combination of a
// kind of contact, a host and an outcome. Hosts for which namedByTest is true share their targets. Two kinds of
// contacts have no target:
//   - an established connection, because it depends on the connections that the service has kept open
//   - the use of a resource of the environment that works, or for which no stub answered
//
// A target about a resource has the name in the stub that answered, such as ./data/*, and not the name of the
// resource. A service may use any number of file names.
func (t *targetIndex) contactScores(stubs []model.Stub, contacts []model.Contact, namedByTest func(string) bool) (all []model.Score) {
	for _, c := range contacts {
		isUse := c.Kind == model.ContactUse
		bound, number := maxContactTargets, &t.hosts
		switch {
		case c.Outcome == connected, isUse && (c.Outcome == model.OutcomeWorks || c.Stub < 0 || c.Stub >= len(stubs)):
			continue
		case isUse:
			c.Host, bound, number = stubs[c.Stub].Host, maxUseTargets, &t.uses
		case namedByTest(c.Host):
			c.Host = "told"
		}
		id := contactTargetID(c)
		if _, known := t.numbers[id]; !known && *number >= bound {
			continue
		} else if !known {
			*number++
		}
		all = append(all, t.score(t.numberOf(id, ""), 1))
	}
	return all
}

func contactTargetID(c model.Contact) string { return string(c.Kind) + " " + c.Host + " " + c.Outcome }
