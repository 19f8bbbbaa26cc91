package individual

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// An interaction test calls one operation, the target, after another operation has changed a resource on which the
// target depends. For example, it removes an article before it reads an order that contains the article, or adds an
// order to a customer before it deletes the customer. Each pair of operations is tried once. Templates do not bring a
// service into such states, because they have only the calls that the target needs.

// InteractionTest returns an interaction test of the operation that has had the fewest interaction tests so far. It
// uses only operations that have succeeded. It returns nil if each pair of these operations was tried.
func (p *Problem) InteractionTest(r *rand.Rand) *Individual {
	ind := p.interactions.next(r)
	if ind == nil {
		return nil
	}
	return p.hosts.sample(r, ind)
}

// interactor makes interaction tests.
type interactor struct {
	sweeps   *sweeper
	maxCalls int                          // see model.Sizes
	changes  map[model.OpID][]stateChange // target → changes that were not tried yet; see changesBefore
	played   map[model.OpID]int           // target → number of tests

	exhausted int // the number of operations that had succeeded when no change was left
}

func newInteractor(sweeps *sweeper, maxCalls int) *interactor {
	return &interactor{
		sweeps: sweeps, maxCalls: maxCalls, changes: map[model.OpID][]stateChange{}, played: map[model.OpID]int{},
	}
}

// stateChange is a template that creates, changes or removes a resource. The lower its order, the more likely the
// target of an interaction test meets a state that the service does not expect.
type stateChange struct {
	template model.Template
	order    int
}

// The orders of changes.
const (
	removesOther = iota // removes a resource that the target's path does not name, but to which another resource refers
	addsOther           // adds a resource, or has an effect that the spec does not describe
	changesValue        // changes values of a resource
	removesNamed        // removes a resource that the target names in its path: most services answer 404
)

// maxChanges is the maximum number of changes that are tried before one target.
const maxChanges = 40

// next returns the next interaction test, nil if there is none.
func (a *interactor) next(r *rand.Rand) *Individual {
	ops, succeeded := a.sweeps.calls.operations, len(a.sweeps.lessons.succeeded)
	if succeeded == a.exhausted {
		return nil
	}
	var least *chromosome
	var next int // index of the change for least
	turn := func(c *chromosome) int { return a.played[c.op.ID] + ops.handicap(c.op.ID, maxChanges) }
	for _, k := range r.Perm(len(ops.all)) {
		c := ops.all[k]
		if least != nil && turn(c) >= turn(least) || !a.playable(c.op.ID) {
			continue
		}
		playable := func(c stateChange) bool { return a.playable(c.template.Target()) }
		if i := slices.IndexFunc(a.changesBefore(r, c.op), playable); i >= 0 {
			least, next = c, i
		}
	}
	if least == nil {
		a.exhausted = succeeded
		return nil
	}
	id := least.op.ID
	ch := a.changes[id][next]
	a.changes[id] = slices.Delete(a.changes[id], next, next+1)
	a.played[id]++
	return a.build(r, id, ch.template)
}

// playable reports whether an operation has succeeded and is not muted.
func (a *interactor) playable(op model.OpID) bool {
	return a.sweeps.lessons.hasSucceeded(op) && !a.sweeps.calls.operations.muted(op)
}

// changesBefore returns at most maxChanges changes of resources on which an operation depends. They are sorted by their
// order; changes of the same order are shuffled. Later calls return those changes of the same list that were not tried
// yet. An operation that reads without needing a resource, such as a list or a total, may depend on all resources.
func (a *interactor) changesBefore(r *rand.Rand, op *model.Operation) []stateChange {
	all, known := a.changes[op.ID]
	if known {
		return all
	}
	t := a.sweeps.templates.mostLinkedOrAlone(op.ID)
	readsAll := isRead(op) && len(t.Steps) == 1
	test := Individual{links: t.Links}
	for _, s := range t.Steps {
		test.calls = append(test.calls, call{chromosome: a.sweeps.calls.operations.byID[s.Op]})
	}
	for _, c := range a.sweeps.calls.operations.all {
		if c.op.ID == op.ID || !isWrite(c.op) {
			continue
		}
		other := a.sweeps.templates.mostLinkedOrAlone(c.op.ID)
		at, lacks := test.findSteps(other)
		if (readsAll || lacks < len(other.Steps)) && len(t.Steps)+lacks < a.maxCalls {
			all = append(all, stateChange{other, orderOf(&test, c.op, other, at)})
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(x, y stateChange) int { return cmp.Compare(x.order, y.order) })
	a.changes[op.ID] = all[:min(len(all), maxChanges)]
	return a.changes[op.ID]
}

// orderOf returns the order of a change before the last call of a test. at has, for each step of the change's template, the index
// of the test's call that serves as the step; see findSteps.
func orderOf(ind *Individual, op *model.Operation, t model.Template, at []int) int {
	switch op.Method {
	case "PUT", "PATCH":
		return changesValue
	case "DELETE":
		named := namedBy(ind, len(ind.calls)-1)
		for _, l := range t.Links {
			if l.To == len(t.Steps)-1 && l.In == model.InPath && slices.Contains(named, at[l.From]) {
				return removesNamed
			}
		}
		return removesOther
	}
	return addsOther
}

// namedBy returns the indexes of the calls from which the path of a call takes values.
func namedBy(ind *Individual, at int) []int {
	var all []int
	for _, l := range ind.links {
		if l.To == at && l.In == model.InPath {
			all = append(all, l.From)
		}
	}
	return all
}

// build returns a test of the target in which a change precedes the target's last call.
func (a *interactor) build(r *rand.Rand, target model.OpID, changed model.Template) *Individual {
	s := a.sweeps.chainTo(r, target)
	last := len(s.ind.calls) - 1
	at, _ := s.ind.findSteps(changed)
	s.ind.appendMissing(changed, at, func(op model.OpID) call {
		c := a.sweeps.calls.sample(r, a.sweeps.calls.operations.byID[op], s.user)
		s.useSuccess(&c)
		if c.op.Method == "POST" && r.Float64() < newTextsChance {
			c.resampleTexts(r)
		}
		return c
	})
	if s.ind.repeatAtEnd(last, a.maxCalls) && !isSource(s.ind.links, last) {
		s.ind.remove(last)
	}
	return s.ind
}
