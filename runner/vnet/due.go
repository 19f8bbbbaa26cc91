package vnet

import "sonde/model"

// due takes the answer of the first stub whose turn it is.
func (p *player) due() (due, bool) {
	for _, i := range p.c.stubs(model.TCP) {
		s := p.c.n.test.stubs[i]
		a, index, ok := Turn(s, p.given[i])
		if !ok || p.total >= mostAnswers || !p.meant(s) {
			continue
		}
		p.given[i]++
		p.total++
		p.c.owed++
		unasked := p.greets
		return due{Answer: a, test: p.test, contact: p.note(i, index, a), unasked: unasked}, true
	}
	return due{}, false
}

// due is an answer that is to be given, and the contact that tells of it.
type due struct {
	model.Answer
	test    *test
	contact int
	unasked bool
}

// meant reports whether a stub takes notice of what was said, or of the service's
// silence.
func (p *player) meant(s model.Stub) bool {
	switch {
	case !counts(s.Match, p.c.nth):
		return false
	case asksBytes(s.Match):
		return len(p.said) > 0 && FitsBytes(s.Match, p.said, p.c.nth)
	}
	return p.greets || p.c.still()
}

// note writes down that what was said gets an answer.
func (p *player) note(stub, index int, a model.Answer) int {
	if !asksBytes(p.test.stubs[stub].Match) {
		p.reveals()
	}
	m := p.c.contact(model.TCP)
	m.Said, m.Stub, m.Answer, m.Outcome = p.said, stub, index, a.Label(model.TCP)
	p.said, p.told, p.greets = nil, true, false
	return p.test.note(m)
}

// ended reports whether nothing comes any more: the service asked and nobody answers,
// it left, or it had all that one connection gives.
func (p *player) ended() bool {
	return p.leaves() || p.total >= mostAnswers || p.c.still() && len(p.said) > 0 && !p.hopes() && !p.c.lasts
}

// hopes reports whether some script goes on when the service says more.
func (p *player) hopes() bool { return p.goes(true) }

// needs reports whether something is done as soon as the service waits, which it does not
// yet.
func (p *player) needs() bool {
	return !p.c.still() && (p.goes(false) || len(p.said) > 0 && !p.hopes())
}

// goes reports whether some script goes on: by what the service says, or as it waits.
func (p *player) goes(said bool) bool {
	for _, i := range p.c.stubs(model.TCP) {
		s := p.c.n.test.stubs[i]
		if _, _, ok := Turn(s, p.given[i]); ok && asksBytes(s.Match) == said && counts(s.Match, p.c.nth) {
			return true
		}
	}
	return false
}
