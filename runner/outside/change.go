package outside

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/gene"
)

// mutations of a stub that change more than its values.
const (
	resampleChance = 0.15
	scriptChance   = 0.2
	textureChance  = 0.15
	wordChance     = 0.25
	answerChance   = 0.5
)

// Mutate changes a test's stubs and reports whether it did: one is added, taken away or
// another one, or one of its answers is.
func (w *World) Mutate(r *rand.Rand, stubs []*Stub, ops []model.OpID, pace gene.Pace) ([]*Stub, bool) {
	missing := slices.DeleteFunc(w.of(ops), func(p *place) bool { return p.taken(stubs) })
	if len(missing)+len(stubs) == 0 {
		return stubs, false
	}
	if i := r.IntN(len(missing) + len(stubs)); i < len(missing) {
		stubs = append(stubs, w.sample(r, missing[i]))
	} else {
		stubs = w.change(r, stubs, i-len(missing), pace)
	}
	for _, s := range stubs {
		s.brief(ops)
	}
	return inOrder(stubs), true
}

// mostCallers is how many call one port of the service in a test.
const mostCallers = 3

// taken reports whether there are enough stubs for a place: of a port of the service each
// is another caller.
func (p *place) taken(stubs []*Stub) bool {
	n := 0
	for _, s := range stubs {
		if s.place == p {
			n++
		}
	}
	return n >= mostCallers || n > 0 && !(p.inward && p.protocol == model.TCP)
}

// Continue lets one of a test's stubs say something more at its end, or somebody else
// call the same port, and reports whether it did.
func (w *World) Continue(r *rand.Rand, stubs []*Stub, ops []model.OpID) ([]*Stub, bool) {
	if len(stubs) == 0 {
		return stubs, false
	}
	s := stubs[r.IntN(len(stubs))]
	if r.Float64() < callerChance && s.inward && !s.place.taken(stubs) {
		return inOrder(append(stubs, w.sample(r, s.place).brief(ops))), true
	}
	return stubs, w.extend(r, s, ops)
}

// extend lets a stub say something more at its end, and reports whether there was room.
func (w *World) extend(r *rand.Rand, s *Stub, ops []model.OpID) bool {
	switch last := s.answers[len(s.answers)-1]; {
	case s.isDoor():
		return false
	case last.talks() && r.Float64() < lineChance && w.line(r, s, last):
	case len(s.answers) < mostAnswers:
		s.answers = append(s.answers, w.answer(r, s))
		s.brief(ops)
	default:
		return false
	}
	return true
}

// The chances of how a stub goes on.
const (
	callerChance = 0.25
	lineChance   = 0.5
)

// line adds a line to an answer, or a word to one of its lines, and reports whether there
// was room.
func (w *World) line(r *rand.Rand, s *Stub, a *answer) bool {
	all := gene.Items(a.body)
	if len(all) > 0 && r.IntN(2) == 0 {
		return w.word(r, s, all[r.IntN(len(all))])
	}
	if !gene.Append(r, a.body) {
		return false
	}
	all = gene.Items(a.body)
	for _, word := range wordsOf(all[len(all)-1]) {
		w.season(r, s.place, word)
	}
	return true
}

// word adds a word to a line.
func (w *World) word(r *rand.Rand, s *Stub, line gene.Gene) bool {
	n := len(wordsOf(line))
	if !gene.Append(r, line) {
		return false
	}
	for _, word := range wordsOf(line)[n:] {
		w.season(r, s.place, word)
	}
	return true
}

// mostMute is how many calls a test may have in which a host is mute: each may wait for
// it as long as the service does.
const mostMute = 3

// brief lets no host be mute in a long test.
func (s *Stub) brief(ops []model.OpID) *Stub {
	for _, a := range s.answers {
		if a.fault == model.NetMute && len(ops) > mostMute {
			a.fault = faults[s.protocol][0]
		}
	}
	return s
}

// change changes one of the stubs.
func (w *World) change(r *rand.Rand, stubs []*Stub, i int, pace gene.Pace) []*Stub {
	s := stubs[i]
	switch one := s.answers[r.IntN(len(s.answers))]; {
	case r.Float64() < absentChance:
		return slices.Delete(stubs, i, i+1)
	case s.isDoor() || r.Float64() < resampleChance:
		stubs[i] = w.sample(r, s.place)
	case r.Float64() < scriptChance:
		w.rescript(r, s)
	case one.talks() && r.Float64() < textureChance:
		one.text = w.texture(r)
	case one.talks() && r.Float64() < wordChance && w.line(r, s, one):
	case r.Float64() < answerChance || !gene.Mutate(r, s.Trees(), pace):
		at := r.IntN(len(s.answers))
		s.answers[at] = w.other(r, s, s.answers[at])
	}
	return stubs
}

// rescript adds an answer, or takes one away.
func (w *World) rescript(r *rand.Rand, s *Stub) {
	n := len(s.answers)
	if n > 1 && (n >= mostAnswers || r.IntN(2) == 0) {
		at := r.IntN(n)
		s.answers = slices.Delete(s.answers, at, at+1)
		return
	}
	s.answers = slices.Insert(s.answers, r.IntN(n+1), w.answer(r, s))
}
