package individual

import (
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/runner/search/producer"
)

// An attempt is a test that calls an operation which has not succeeded yet. If the search sees the service's source,
// attempts also call other operations, because calls that look the same to a client may run different source.
//
// The attempts of an operation differ in two ways: in the producers from which its inputs take their values, and in
// which optional inputs are present. Attempts also follow what refusals said about the inputs. Attempts are made
// besides tests of templates: a template has only one producer for each input, chosen from the spec alone.

// Limits of attempts.
const (
	maxAttempts  = 60 // attempts of one operation, before another operation succeeds for the first time
	moreAttempts = 20 // further attempts after such a first success
	maxCreations = 4  // calls that create something, before a read
)

// attempter makes attempts. A nil *attempter makes none.
type attempter struct {
	calls     *callSampler
	maxCalls  int // see model.Sizes
	templates *templateSet
	producers *producer.Index
	// witnesses maps a place to the shortest test in which the answer to the last call had a value at this place.
	witnesses map[producer.Place]*Individual
	progress  map[model.OpID]*attemptProgress
	repeats   bool // operations that have succeeded are attempted, too
}

// attemptProgress counts the attempts of an operation, and how often they used each producer.
type attemptProgress struct {
	succeeded bool
	attempts  int
	limit     int            // maximum of attempts
	used      map[string]int // usedKey of an input and a producer → how often the input used the producer
}

// newAttempter returns nil if the plan makes no attempts.
func newAttempter(plan model.Plan, m *match.Matcher, calls *callSampler, templates *templateSet) *attempter {
	if plan.Sampling.Attempts <= 0 {
		return nil
	}
	return &attempter{
		calls: calls, templates: templates, maxCalls: plan.Sizes.OrDefault().Calls,
		producers: producer.New(plan.Spec, m),
		witnesses: map[producer.Place]*Individual{},
		progress:  map[model.OpID]*attemptProgress{},
		repeats:   plan.SeesSource(),
	}
}

// progressOf returns the progress of an operation, and adds an empty progress if there is none.
func (a *attempter) progressOf(op model.OpID) *attemptProgress {
	p := a.progress[op]
	if p == nil {
		p = &attemptProgress{used: map[string]int{}, limit: maxAttempts}
		a.progress[op] = p
	}
	return p
}

// observe reads the answer to a call of a test. It ignores answers other than 2xx and 3xx, and calls with a violation.
// statuses has the statuses of the test's calls up to this one.
func (a *attempter) observe(ind *Individual, call int, statuses []int, reply model.Reply) {
	if a == nil || reply.Status/100 != 2 && reply.Status/100 != 3 {
		return
	}
	c := ind.calls[call]
	if c.violation.in != "" {
		return
	}
	if reply.Status/100 == 2 || !declaresSuccess(c.op) {
		a.succeed(c.op.ID)
	}
	places := a.producers.Observe(c.op.ID, reply)
	if len(places) == 0 {
		return
	}
	keep := append(ind.leadingTo(call, statuses), call)
	if len(keep) >= a.maxCalls {
		return
	}
	var test *Individual
	for _, place := range places {
		if old := a.witnesses[place]; old != nil && old.Len() <= len(keep) {
			continue
		}
		if test == nil {
			test = ind.KeepCalls(keep)
		}
		a.witnesses[place] = test
	}
}

// succeed records that an operation has succeeded. If this is its first success, other operations get further
// attempts, because they may need what the operation created.
func (a *attempter) succeed(op model.OpID) {
	p := a.progressOf(op)
	if p.succeeded {
		return
	}
	p.succeeded = true
	for _, other := range a.progress {
		other.limit = max(other.limit, other.attempts+moreAttempts)
	}
}

// declaresSuccess reports whether the spec declares a 2xx answer of an operation.
func declaresSuccess(op *model.Operation) bool {
	return slices.ContainsFunc(op.Responses, func(r model.Response) bool { return strings.HasPrefix(r.Status, "2") })
}

// leadingTo returns the indexes of the earlier calls on which the answer to a call may depend: the calls from which
// the call takes values, directly or through other calls. If the call only reads, leadingTo also returns the last
// calls that created something.
func (ind *Individual) leadingTo(call int, statuses []int) []int {
	all := ind.sources(call)
	if isRead(ind.calls[call].op) {
		created := 0
		for i := call - 1; i >= 0 && created < maxCreations; i-- {
			if m := ind.calls[i].op.Method; statuses[i]/100 == 2 && (m == "POST" || m == "PUT") && !slices.Contains(all, i) {
				all = append(append(all, i), without(ind.sources(i), all)...)
				created++
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// without returns the numbers that are in list and not in other.
func without(list, other []int) []int {
	return slices.DeleteFunc(list, func(i int) bool { return slices.Contains(other, i) })
}

func isRead(op *model.Operation) bool { return op.Method == "GET" || op.Method == "HEAD" }

func isWrite(op *model.Operation) bool {
	return slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, op.Method)
}

// next returns an attempt of the operation with the smallest rank; see turnOf. It returns nil if no operation is
// left.
func (a *attempter) next(r *rand.Rand) *Individual {
	if a == nil {
		return nil
	}
	var least *chromosome
	for _, c := range a.calls.operations.all {
		p := a.progressOf(c.op.ID)
		if p.succeeded && !a.repeats || p.attempts >= p.limit || a.calls.operations.muted(c.op.ID) {
			continue
		}
		if least == nil || a.turnOf(c.op) < a.turnOf(least.op) {
			least = c
		}
	}
	if least == nil {
		return nil
	}
	p := a.progressOf(least.op.ID)
	p.attempts++
	b := attemptBuilder{attempter: a, rand: r, progress: p, op: least.op}
	return b.build(least)
}

// deletionDelay is added to the rank of a deletion. Other operations are attempted before it, because they may need
// the resource that it deletes.
const deletionDelay = 12

// successDelay is added to the rank of an operation that has succeeded. Operations that have not succeeded are
// attempted before it.
const successDelay = 10

// turnOf returns the rank of an operation among the operations to attempt. Operations with smaller ranks are attempted
// sooner.
func (a *attempter) turnOf(op *model.Operation) int {
	p := a.progressOf(op.ID)
	n := p.attempts
	if op.Method == "DELETE" {
		n += deletionDelay
	}
	if p.succeeded {
		n += successDelay
	}
	return n
}
