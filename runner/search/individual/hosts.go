package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/network/hostmodel"
	"sonde/runner/search/gene"
)

const (
	// hostMutationChance is the probability that a mutation changes only the answers of the hosts. It applies to
	// tests that call hosts.
	hostMutationChance = 0.55
	// useMutationChance is the same probability for a test that contacts no hosts, but uses resources of its
	// environment, such as ports.
	useMutationChance = 0.1
	// hostExtensionChance is the probability that a reached test with stubs is extended by messages of a
	// host, not by a call.
	hostExtensionChance = 0.6
)

// hostStubs makes and changes the stubs of tests: the answers of the hosts around the service.
type hostStubs struct {
	model     hostmodel.Hosts
	constants constants
	sampling  *model.Sampling
	sizes     model.Sizes
}

// constant returns a constant of the service for a value that a host sends, "" if no constant is known.
func (h *hostStubs) constant(r *rand.Rand, name string, g gene.Gene) string {
	if !h.constants.due(r, 1) {
		return ""
	}
	return h.constants.draw(r, leaf{call: hostCall, name: name, gene: g})
}

// sample adds stubs to a new test for the hosts that its operations call. It uses r only if the operations call a
// host.
func (h *hostStubs) sample(r *rand.Rand, ind *Individual) *Individual {
	ind.stubs = h.model.SampleStubs(r, ind.Operations())
	h.relate(r, ind)
	return ind
}

// mutateValue replaces one of the values that hosts send by a value for which the service may search. It
// reports whether it did.
func (h *hostStubs) mutateValue(r *rand.Rand, all []leaf) bool {
	for range min(len(all), maxTries) {
		l := all[r.IntN(len(all))]
		if h.model.MutateValue(r, l.stub, gene.Field{Name: l.name, Gene: l.gene}) {
			return true
		}
	}
	return false
}

// relate sometimes copies a value so that an answer matches a request: a value of a call or a host into a host's answer, or
// a value of a host's answer into a call. It reports whether it did.
func (h *hostStubs) relate(r *rand.Rand, ind *Individual) bool {
	hosted := ind.stubs.leaves()
	if len(hosted) == 0 || r.Float64() >= h.sampling.Echo {
		return false
	}
	if all := ind.leaves(); r.IntN(2) == 0 {
		return copyOne(r, hosted, all)
	}
	return copyOne(r, ind.callLeaves(), hosted)
}

// withAll returns a copy of a test in which all hosts of its operations are reachable.
func (h *hostStubs) withAll(r *rand.Rand, ind *Individual) *Individual {
	c := ind.clone()
	c.stubs, c.change = h.model.SampleReachable(r, c.Operations()), changedHosts
	h.relate(r, c)
	return c
}

// mutate changes the answers of hosts in a test, and reports whether it did.
func (h *hostStubs) mutate(r *rand.Rand, ind *Individual, at float64, hints []Hint) (changed bool) {
	if hintsDue(r, hints, h.sampling.Operands) && applyHint(r, ind, hints) {
		return true
	}
	if h.relate(r, ind) {
		return true
	}
	if h.constants.due(r, h.sampling.Constants) && h.mutateValue(r, ind.stubs.leaves()) {
		return true
	}
	ind.stubs, changed = h.model.MutateStubs(r, ind.stubs, ind.Operations(), gene.NewPace(at, h.sizes))
	return changed
}

// due decides by chance whether this mutation changes the answers of the hosts. It returns false if the test's
// operations call no host.
func (h *hostStubs) due(r *rand.Rand, ind *Individual) bool {
	ops, chance := ind.Operations(), hostMutationChance
	if !h.model.HasValues(ops) {
		chance = useMutationChance
	}
	return h.model.UsedBy(ops) && r.Float64() < chance
}

// withFault returns a copy of a test in which all hosts are reachable, and a resource of the environment fails after
// the given number of uses.
func (h *hostStubs) withFault(r *rand.Rand, ind *Individual, resource string, f model.NetFault, after int) *Individual {
	c := h.withAll(r, ind)
	if s := h.model.FailingStub(resource, f, after); s != nil {
		c.stubs = append(c.stubs, s)
	}
	return c
}

// extend decides by chance whether to add messages of a host to a test, and reports whether it did.
func (h *hostStubs) extend(r *rand.Rand, ind *Individual) (done bool) {
	if len(ind.stubs) == 0 || r.Float64() >= hostExtensionChance {
		return false
	}
	ind.stubs, done = h.model.ExtendStub(r, ind.stubs, ind.Operations())
	return done
}

// Hosts returns the model of the hosts around the service.
func (p *Problem) Hosts() *hostmodel.Hosts { return &p.hosts.model }

// WithAllHosts returns a copy of a test in which all hosts of its operations are reachable.
func (p *Problem) WithAllHosts(r *rand.Rand, ind *Individual) *Individual {
	return p.hosts.withAll(r, ind)
}

// WithFault returns a copy of a test in which all hosts of its operations are reachable. A resource of the
// environment, such as a file, works there for the given number of uses, and then fails with f.
func (p *Problem) WithFault(r *rand.Rand, ind *Individual, resource string, f model.NetFault, after int) *Individual {
	return p.hosts.withFault(r, ind, resource, f, after)
}

// KeepStubs returns a copy of the individual with only the stubs at the given indexes, in order.
func (ind *Individual) KeepStubs(keep []int) *Individual {
	c := ind.clone()
	kept := stubSet{}
	for _, i := range keep {
		kept = append(kept, c.stubs[i])
	}
	c.stubs = kept
	return c
}

// Guesses reports whether the protocol of a stub is a guess; see hostmodel.Stub.Guesses.
func (ind *Individual) Guesses() bool {
	return slices.ContainsFunc(ind.stubs, (*hostmodel.Stub).Guesses)
}

// WithAnsweringHosts returns a copy of a test with a stub for each endpoint of a host that its operations use. The
// hosts answer without a fault. It returns nil if the test already has all these stubs.
func (p *Problem) WithAnsweringHosts(r *rand.Rand, ind *Individual) *Individual {
	c := ind.clone()
	var added bool
	c.stubs, added = p.hosts.model.AddAnswering(r, c.stubs, c.Operations())
	if !added {
		return nil
	}
	p.hosts.relate(r, c)
	c.change = changedHosts
	return c
}

// MutateHosts decides by chance whether to change the answers of hosts, and returns a copy of the individual
// with other answers. It returns nil if no answer changes.
func (p *Problem) MutateHosts(r *rand.Rand, ind *Individual, at float64, hints []Hint) *Individual {
	if !p.hosts.due(r, ind) {
		return nil
	}
	c := p.copyToMutate(r, ind)
	if !p.hosts.mutate(r, c, at, hints) {
		return nil
	}
	c.change = changedHosts
	return c
}

// Operations returns the operation of each call.
func (ind *Individual) Operations() []model.OpID {
	all := make([]model.OpID, len(ind.calls))
	for i, c := range ind.calls {
		all[i] = c.op.ID
	}
	return all
}

// hostCall is the call index of a leaf that is not part of a call, but of what a host sends.
const hostCall = -1

// callLeaves returns the scalars of calls.
func (ind *Individual) callLeaves() []leaf {
	return slices.DeleteFunc(ind.leaves(), func(l leaf) bool { return l.call < 0 })
}

// simplerStubs yields copies of the individual that lack one stub, or in which one stub sends less. It returns false
// once yield has returned false.
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

// stubSet has the answers of the hosts around the service in one test.
type stubSet []*hostmodel.Stub

// clone returns copies of the stubs, which may be changed.
func (s stubSet) clone() stubSet {
	c := slices.Clone(s)
	for i, stub := range c {
		c[i] = stub.Clone()
	}
	return c
}

// leaves returns the scalars that hosts send.
func (s stubSet) leaves() (all []leaf) {
	for _, stub := range s {
		for _, v := range stub.StubValues() {
			all = appendLeaves(all, leaf{call: hostCall, name: v.Name, gene: v.Gene, stub: &v})
		}
	}
	return all
}

// genes returns the genes of the values that hosts send.
func (s stubSet) genes() (all []gene.Gene) {
	for _, stub := range s {
		all = append(all, stub.Genes()...)
	}
	return all
}
