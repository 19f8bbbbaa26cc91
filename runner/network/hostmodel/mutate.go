package hostmodel

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
)

// The probabilities of mutations of a stub. A probability applies only if none of the mutations before it was drawn.
const (
	resampleChance = 0.15 // the stub is replaced
	scriptChance   = 0.2  // mutateScript adds or removes an answer, or changes Stub.continues
	formatChance   = 0.15 // the separators of an answer's words change
	wordChance     = 0.25 // a line or a word is added
	answerChance   = 0.5  // an answer is replaced; otherwise the values of the stub change
)

// MutateStubs adds, removes, replaces or changes one stub of a test. It returns false if the test
// has no stubs and its operations use no endpoint for which it could add one.
func (h *Hosts) MutateStubs(r *rand.Rand, stubs []*Stub, ops []model.OpID, pace gene.Pace) ([]*Stub, bool) {
	missing := slices.DeleteFunc(h.endpoints.usedBy(ops), func(e *endpoint) bool {
		return e.hasEnough(stubs) || h.Faultless && e.isReachability() || h.endpoints.staysReachable(e)
	})
	missing, uses := splitUses(missing)
	if len(uses) > 0 {
		missing = append(missing, uses[r.IntN(len(uses))])
	}
	if len(missing)+len(stubs) == 0 {
		return stubs, false
	}
	if i := r.IntN(len(missing) + len(stubs)); i < len(missing) {
		stubs = append(stubs, h.sampler(r).sample(missing[i]))
	} else {
		stubs = h.sampler(r).mutateStub(stubs, i-len(missing), pace)
	}
	for _, s := range stubs {
		s.limitSilence(ops)
	}
	return inOrder(stubs), true
}

// staysSilent is the probability that Hasten keeps a fault with which the host is silent.
const staysSilent = 0.1

// Hasten changes the stubs of a test that is about to be mutated. If the service has already waited maxWaits times
// for a silent host, Hasten mostly replaces the fault: the host then breaks the connection instead of being silent.
// Otherwise each test that descends from this test would take seconds.
func Hasten(r *rand.Rand, stubs []*Stub) {
	for _, s := range stubs {
		for _, a := range s.answers {
			if s.isTiring(a) && r.Float64() >= staysSilent {
				a.fault, a.after = faults[s.protocol][0], 0
			}
		}
	}
}

// The probabilities of extensions of a stub.
const (
	callerChance = 0.25 // another caller connects, if the stub is inward
	lineChance   = 0.5  // the last answer gets another line, word, row or message; otherwise the stub gets another answer
)

// ExtendStub draws one stub of a test and makes it send more at its end. If the stub is inward,
// ExtendStub may add a stub of another caller instead, which connects to the same port of the
// service. It returns false if nothing has changed.
func (h *Hosts) ExtendStub(r *rand.Rand, stubs []*Stub, ops []model.OpID) ([]*Stub, bool) {
	if len(stubs) == 0 {
		return stubs, false
	}
	s := stubs[r.IntN(len(stubs))]
	if r.Float64() < callerChance && s.inward && !s.endpoint.hasEnough(stubs) {
		return inOrder(append(stubs, h.sampler(r).sample(s.endpoint).limitSilence(ops))), true
	}
	return stubs, h.sampler(r).extendStub(s, ops)
}

// extendStub makes a stub send more at its end. It returns false if the stub is unchanged.
func (sa sampler) extendStub(s *Stub, ops []model.OpID) bool {
	switch last := s.answers[len(s.answers)-1]; {
	case s.isConnection():
		return false
	case last.hasLines() && sa.Float64() < lineChance && sa.addLine(s, last):
	case last.hasItems() && sa.Float64() < lineChance && gene.AppendElement(sa.Rand, last.body):
	case len(s.answers) < maxAnswers:
		s.answers = append(s.answers, sa.answer(s))
		s.limitSilence(ops)
	default:
		return false
	}
	return true
}

// addLine adds a line to an answer, or a word to one of its lines. It returns false if there is
// no room.
func (sa sampler) addLine(s *Stub, a *answer) bool {
	all := gene.Elements(a.body)
	if len(all) > 0 && sa.IntN(2) == 0 {
		return sa.addWord(s, all[sa.IntN(len(all))])
	}
	if !gene.AppendElement(sa.Rand, a.body) {
		return false
	}
	all = gene.Elements(a.body)
	for _, word := range wordsOf(all[len(all)-1]) {
		sa.suggest(s.endpoint, word)
	}
	return true
}

// addWord adds a word to a line. It returns false if there is no room.
func (sa sampler) addWord(s *Stub, line gene.Gene) bool {
	n := len(wordsOf(line))
	if !gene.AppendElement(sa.Rand, line) {
		return false
	}
	for _, word := range wordsOf(line)[n:] {
		sa.suggest(s.endpoint, word)
	}
	return true
}

// mutateStub removes, replaces or changes stubs[i], and returns the resulting stubs.
func (sa sampler) mutateStub(stubs []*Stub, i int, pace gene.Pace) []*Stub {
	s := stubs[i]
	switch one := s.answers[sa.IntN(len(s.answers))]; {
	case sa.Float64() < absentChance && !s.makesExist():
		return slices.Delete(stubs, i, i+1)
	case s.isConnection() || sa.Float64() < resampleChance:
		stubs[i] = sa.sample(s.endpoint)
	case sa.Float64() < scriptChance:
		sa.mutateScript(s)
	case one.hasLines() && sa.Float64() < formatChance:
		one.format = sa.vocabulary.lineFormat(sa.Rand)
	case one.hasLines() && sa.Float64() < wordChance && sa.addLine(s, one):
	case sa.Float64() < answerChance || !gene.Mutate(sa.Rand, s.Genes(), pace):
		at := sa.IntN(len(s.answers))
		s.answers[at] = sa.neighbour(s, s.answers[at])
	}
	return stubs
}

// mutateScript adds an answer to a stub or removes an answer. If the service connects to the host several times in a
// test, mutateScript sometimes does something else: it changes whether the answers continue on the next connection or
// start again.
func (sa sampler) mutateScript(s *Stub) {
	if s.reconnects && sa.IntN(3) == 0 {
		s.continues = !s.continues
		return
	}
	n := len(s.answers)
	if n > 1 && (n >= maxAnswers || sa.IntN(2) == 0) {
		at := sa.IntN(n)
		s.answers = slices.Delete(s.answers, at, at+1)
		return
	}
	s.answers = slices.Insert(s.answers, sa.IntN(n+1), sa.answer(s))
}
