package individual

import (
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/network/hostmodel"
	"sonde/runner/search/gene"
)

// The probabilities of the kinds of mutation besides changing values.
const (
	restructureFree  = 0.5  // probability for a test of random calls
	restructureSmart = 0.25 // probability for a test of a template with repeatable steps
	changeUserChance = 0.25
)

// Mutate returns a copy of an individual with another structure, another user, or a few other values. The copy equals
// the individual if nothing can change. at is the progress of the search from exploring (0) to exploiting (1), and
// hints are the hints for the individual.
func (p *Problem) Mutate(r *rand.Rand, ind *Individual, at float64, hints []Hint) *Individual {
	c := p.copyToMutate(r, ind)
	c.change = changedStructure
	switch {
	case hintsDue(r, hints, p.sampling.Operands) && applyHint(r, c, hints):
		c.change = changedValues
	case c.free && r.Float64() < restructureFree:
		p.restructure(r, c)
	case !c.free && r.Float64() < restructureSmart && c.repeatStep(r):
	case r.Float64() < changeUserChance && p.users.change(r, c):
		c.change = changedUser
	case !c.free && len(c.calls) <= len(c.steps) && r.Float64() < p.sampling.Sequel && p.extensions.continueTest(r, c):
	case r.Float64() < p.sampling.Invalid && c.changeViolation(r),
		r.Float64() < p.sampling.Pool && p.pool.refill(r, c),
		r.Float64() < p.sampling.Edge/3 && setEdge(r, c.leaves()),
		r.Float64() < p.sampling.Echo/3 && p.relate(r, c),
		p.constants.due(r, p.sampling.Constants) && p.constants.assign(r, c.leaves()),
		gene.Mutate(r, c.trees(), gene.NewPace(at, p.sizes)):
		c.change = changedValues
	case c.free:
		p.restructure(r, c)
	}
	return c
}

// copyToMutate returns a copy of an individual for a mutation. If the service has already waited often for a silent
// host, the host mostly answers in the copy; see hostmodel.Hasten.
func (p *Problem) copyToMutate(r *rand.Rand, ind *Individual) *Individual {
	c := ind.clone()
	hostmodel.Hasten(r, c.stubs)
	return c
}

// The kinds of change that a mutation makes.
const (
	changedStructure = "structure"
	changedUser      = "user"
	changedValues    = "values"
	changedHosts     = "outside" // the answers of hosts
	changedRows      = "rows"
)

// restructure adds a random call or removes one.
func (p *Problem) restructure(r *rand.Rand, ind *Individual) {
	n := len(ind.calls)
	if n > 1 && (n >= p.sizes.Calls || r.IntN(2) == 0) {
		ind.remove(r.IntN(n))
		return
	}
	user := ind.calls[r.IntN(n)].user
	if user == "" {
		user = p.users.any(r)
	}
	ind.insert(r.IntN(n+1), p.calls.random(r, user))
}

// callsOfStep returns the index of the first call of a step, and the number of the step's calls.
func (ind *Individual) callsOfStep(step int) (first, n int) {
	for i, c := range ind.calls {
		if c.step == step {
			if n == 0 {
				first = i
			}
			n++
		}
	}
	return first, n
}

// repeatStep changes how often a step of the template is repeated, and reports whether it did. The EvoMaster
// paper, section 5.2.8, allows no other change of structure to a test that follows a template.
func (ind *Individual) repeatStep(r *rand.Rand) bool {
	var repeatable []int
	for i, s := range ind.steps {
		if s.Max > s.Min {
			repeatable = append(repeatable, i)
		}
	}
	if len(repeatable) == 0 {
		return false
	}
	step := repeatable[r.IntN(len(repeatable))]
	first, n := ind.callsOfStep(step)
	s := ind.steps[step]
	if n > s.Min && (n >= s.Max || r.IntN(2) == 0) {
		ind.remove(first) // links start from the last call of a step
		return true
	}
	if n == 0 {
		return false
	}
	ind.insertTwin(r, first)
	return true
}

// insertTwin inserts a call before the call at an index. The new call has the same operation, user and
// links as that call, and random values.
func (ind *Individual) insertTwin(r *rand.Rand, at int) {
	twin := ind.calls[at].chromosome.sample(r)
	twin.user, twin.step = ind.calls[at].user, ind.calls[at].step
	ind.insert(at, twin)
	if ind.steps[twin.step].FixedPath {
		twin.fixPath(ind.calls[at+1])
	}
	var same []model.Link
	for _, l := range ind.links {
		if l.To == at+1 {
			same = append(same, l)
		}
	}
	for _, l := range same {
		ind.link(l, l.From, at)
	}
}

// changeViolation gives a random call a violation, or removes its violation. It reports whether it did.
func (ind *Individual) changeViolation(r *rand.Rand) bool {
	c := &ind.calls[r.IntN(len(ind.calls))]
	if c.violation.in != "" && r.IntN(2) == 0 {
		c.violation = violation{}
		return true
	}
	return c.violate(r)
}
