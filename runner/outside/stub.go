package outside

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
)

// Stub is what one place answers in a test. It is never changed once the test was
// handed out.
type Stub struct {
	*place
	protocol model.Protocol // also where the place does not know
	answers  []*answer
}

// mostAnswers is the longest script that is sampled.
const mostAnswers = 5

// moreChance is how often a script goes on, of a dialogue and else.
const (
	moreTalk = 0.6
	moreElse = 0.15
)

// provenChance is how often a new stub says what led somewhere before, and asIsChance
// that it says nothing else.
const (
	provenChance = 0.4
	asIsChance   = 0.6
)

// mostProven is how many such stubs of a place are kept.
const mostProven = 8

// Prove lets later tests begin with what hosts said in one that led somewhere.
func (w *World) Prove(stubs []*Stub) {
	for _, s := range stubs {
		all := s.place.proven
		s.place.proven = append(all[max(0, len(all)-mostProven+1):len(all):len(all)], s)
	}
}

// sample returns a stub for a place: a new one, or one that is proven, or next to it.
func (w *World) sample(r *rand.Rand, p *place) *Stub {
	if len(p.proven) == 0 || r.Float64() >= provenChance {
		return w.fresh(r, p)
	}
	s := p.proven[r.IntN(len(p.proven))].Clone()
	switch {
	case s.isDoor() || r.Float64() < asIsChance:
	case s.protocol != model.HTTP || r.IntN(2) == 0:
		w.extend(r, s, nil)
	default:
		w.touch(r, s)
	}
	return s
}

// touch changes a little of what a stub says. Of what is no dialogue, no later answer
// needs that the ones before stay as they are.
func (w *World) touch(r *rand.Rand, s *Stub) {
	if said := s.Values(); len(said) > 0 && r.IntN(2) == 0 {
		one := &said[r.IntN(len(said))]
		w.season(r, s.place, one.Field)
		return
	}
	gene.Mutate(r, s.Trees(), 0)
}

// fresh returns a new stub for a place.
func (w *World) fresh(r *rand.Rand, p *place) *Stub {
	s := &Stub{place: p, protocol: cmp.Or(p.protocol, p.spoken)}
	if p.isDoor() {
		s.answers = []*answer{{fault: doorFaults[r.IntN(len(doorFaults))]}}
		return s
	}
	if s.protocol == "" {
		s.protocol = []model.Protocol{model.HTTP, model.TCP}[r.IntN(2)]
	}
	for {
		s.answers = append(s.answers, w.answer(r, s))
		if len(s.answers) == mostAnswers || r.Float64() >= s.more() {
			return s
		}
	}
}

func (s *Stub) more() float64 {
	if s.protocol == model.TCP || s.inward {
		return moreTalk
	}
	return moreElse
}

// Adopt returns the stub of a test that was read. Its answers are as they are, until
// a mutation replaces one.
func (w *World) Adopt(s model.Stub) *Stub {
	p := w.known(place{host: s.Host, protocol: s.Protocol, inward: s.Inward, method: s.Match.Method, path: s.Match.Path})
	own := &Stub{place: p, protocol: s.Protocol}
	for _, a := range s.Answers {
		own.answers = append(own.answers, &answer{literal: &a})
	}
	return own
}

// Clone is a stub to be changed.
func (s *Stub) Clone() *Stub {
	c := *s
	c.answers = make([]*answer, len(s.answers))
	for i, a := range s.answers {
		c.answers[i] = a.clone()
	}
	return &c
}

// Trees are the genes of a stub.
func (s *Stub) Trees() (all []gene.Gene) {
	for _, a := range s.answers {
		if a.body != nil && a.speaks() {
			all = append(all, a.body)
		}
		for _, h := range a.headers {
			all = append(all, h.value)
		}
	}
	return all
}

// Host is the host that the stub stands for, "" of the service's own ports.
func (s *Stub) Host() string { return s.host }

// Model prints the stub.
func (s *Stub) Model() model.Stub {
	out := model.Stub{Host: s.host, Protocol: s.protocol, Inward: s.inward, Match: model.Match{Method: s.method, Path: s.path}}
	for _, a := range s.answers {
		out.Answers = append(out.Answers, a.model(s.place))
	}
	out.Repeat = len(out.Answers) > 1 && !s.inward && s.protocol != model.TCP
	return out
}

// Populated reports whether the service was seen to turn to anybody.
func (w *World) Populated() bool { return len(w.places) > 0 }

// Knows reports whether a test's operations turn to any host.
func (w *World) Knows(ops []model.OpID) bool { return len(w.places) > 0 && len(w.of(ops)) > 0 }

// inOrder puts stubs into the order in which they are to be asked.
func inOrder(stubs []*Stub) []*Stub {
	slices.SortStableFunc(stubs, func(a, b *Stub) int { return cmp.Compare(a.rank(), b.rank()) })
	return stubs
}

// rank is the order in which stubs answer, as the first that matches does: a door that
// does not open holds for all that is behind it.
func (s *Stub) rank() int {
	switch {
	case s.isDoor() && s.answers[0].fault != "":
		return 0
	case s.wide():
		return 2
	}
	return 1
}

// Plainer are stubs that do a little less: without one of the answers.
func (s *Stub) Plainer() []*Stub {
	if len(s.answers) < 2 {
		return nil
	}
	var all []*Stub
	for i := range s.answers {
		c := s.Clone()
		c.answers = slices.Delete(c.answers, i, i+1)
		all = append(all, c)
	}
	return all
}
