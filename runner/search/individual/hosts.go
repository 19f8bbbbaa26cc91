package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/network/hostmodel"
	"sonde/runner/search/gene"
)

const (
	// hostMutationChance is how often a mutation of a test that uses other hosts changes
	// what they answer, and nothing else.
	hostMutationChance = 0.55
	// hostExtensionChance is how often a reached test that uses other hosts is extended
	// by what they send.
	hostExtensionChance = 0.6
)

// hostStubs makes and changes what the hosts around the service answer in a test.
type hostStubs struct {
	model     hostmodel.Hosts
	constants constants
	sampling  *model.Sampling
}

// constant returns a value that the service compares with, for a value that a host sends, or "" if
// none is known.
func (h *hostStubs) constant(r *rand.Rand, name string, g gene.Gene) string {
	if !h.constants.due(r, 1) {
		return ""
	}
	return h.constants.draw(r, leaf{call: hostCall, name: name, gene: g})
}

// sample adds stubs for the hosts that the operations of a new test use. It uses no random number if
// there are none.
func (h *hostStubs) sample(r *rand.Rand, ind *Individual) *Individual {
	ind.stubs = h.model.SampleStubs(r, ind.ops())
	h.relate(r, ind)
	return ind
}

// mutateValue changes one of the values that hosts send to one that the service may look
// for, and reports whether it did.
func (h *hostStubs) mutateValue(r *rand.Rand, all []leaf) bool {
	for range min(len(all), maxTries) {
		l := all[r.IntN(len(all))]
		if h.model.MutateValue(r, l.stub, gene.Field{Name: l.name, Gene: l.gene}) {
			return true
		}
	}
	return false
}

// relate copies a value that a host sends to a call, or the other way round, so that the answer
// matches the request. It reports whether it did.
func (h *hostStubs) relate(r *rand.Rand, ind *Individual) bool {
	hosted := ind.hostLeaves()
	if len(hosted) == 0 || r.Float64() >= h.sampling.Echo {
		return false
	}
	if all := ind.leaves(); r.IntN(2) == 0 {
		return copyOne(r, hosted, all)
	}
	return copyOne(r, ind.callLeaves(), hosted)
}

// withAll returns a test in which all hosts that its operations use are reachable.
func (h *hostStubs) withAll(r *rand.Rand, ind *Individual) *Individual {
	c := ind.clone()
	c.stubs, c.change = h.model.SampleReachable(r, c.ops()), changedHosts
	h.relate(r, c)
	return c
}

// mutate changes what the hosts around a test answer, and reports whether it did.
func (h *hostStubs) mutate(r *rand.Rand, ind *Individual, at float64, hints []Hint) (changed bool) {
	if hintsDue(r, hints, h.sampling.Operands) && applyHint(r, ind, hints) {
		return true
	}
	if h.relate(r, ind) {
		return true
	}
	if h.constants.due(r, h.sampling.Constants) && h.mutateValue(r, ind.hostLeaves()) {
		return true
	}
	ind.stubs, changed = h.model.MutateStubs(r, ind.stubs, ind.ops(), pace(at))
	return changed
}

// due reports whether to change what the hosts of a test answer now.
func (h *hostStubs) due(r *rand.Rand, ind *Individual) bool {
	return h.model.UsedBy(ind.ops()) && r.Float64() < hostMutationChance
}

// extend lets a host of a test send more, and reports whether it did.
func (h *hostStubs) extend(r *rand.Rand, ind *Individual) (done bool) {
	if len(ind.stubs) == 0 || r.Float64() >= hostExtensionChance {
		return false
	}
	ind.stubs, done = h.model.ExtendStub(r, ind.stubs, ind.ops())
	return done
}

// Hosts returns what is known of the hosts around the service.
func (p *Problem) Hosts() *hostmodel.Hosts { return &p.hosts.model }

// WithAllHosts returns the test with all hosts reachable that its operations use.
func (p *Problem) WithAllHosts(r *rand.Rand, ind *Individual) *Individual {
	return p.hosts.withAll(r, ind)
}

// MutateHosts returns a neighbour with the same calls and other answers of hosts, with a fixed
// probability; otherwise, or if nothing can change, it returns nil.
func (p *Problem) MutateHosts(r *rand.Rand, ind *Individual, at float64, hints []Hint) *Individual {
	if !p.hosts.due(r, ind) {
		return nil
	}
	c := ind.clone()
	if !p.hosts.mutate(r, c, at, hints) {
		return nil
	}
	c.change = changedHosts
	return c
}

func (ind *Individual) ops() []model.OpID {
	all := make([]model.OpID, len(ind.calls))
	for i, c := range ind.calls {
		all[i] = c.op.ID
	}
	return all
}

// hostCall is the call of a leaf that a host sends.
const hostCall = -1

// hostLeaves returns the scalars that hosts send.
func (ind *Individual) hostLeaves() (all []leaf) {
	for _, s := range ind.stubs {
		for _, v := range s.StubValues() {
			all = appendLeaves(all, leaf{call: hostCall, name: v.Name, gene: v.Gene, stub: &v})
		}
	}
	return all
}

// callLeaves returns the scalars of calls.
func (ind *Individual) callLeaves() []leaf {
	return slices.DeleteFunc(ind.leaves(), func(l leaf) bool { return l.stub != nil })
}

// cloneStubs returns copies of stubs that may be changed.
func cloneStubs(all []*hostmodel.Stub) []*hostmodel.Stub {
	c := slices.Clone(all)
	for i, s := range c {
		c[i] = s.Clone()
	}
	return c
}

// simplerStubs yields individuals with one stub less, or with a stub that does less, and reports
// whether to continue.
func (ind *Individual) simplerStubs(yield func(*Individual) bool) bool {
	for i := range ind.stubs {
		c := ind.clone()
		c.stubs = slices.Delete(c.stubs, i, i+1)
		if !yield(c) {
			return false
		}
	}
	for i, s := range ind.stubs {
		for _, shorter := range s.ShorterStubs() {
			c := ind.clone()
			c.stubs[i] = shorter
			if !yield(c) {
				return false
			}
		}
	}
	return true
}

// hostGenes returns the roots of the values that hosts send.
func hostGenes(stubs []*hostmodel.Stub) (all []gene.Gene) {
	for _, s := range stubs {
		all = append(all, s.Genes()...)
	}
	return all
}
