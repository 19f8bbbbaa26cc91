package rest

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
)

// What there is around the calls of a sweep.
const (
	crowdChance    = 0.5 // that there is more than the chain makes
	mostSiblings   = 2   // things like one of the chain
	mostBystanders = 4   // other things, and changes to them
	lookChance     = 0.5 // that a call is followed by one on what it did
	mostClosing    = 3   // deletions at the end

	otherwiseChance = 0.2 // that a link starts from another call than its template has it
)

// crowd lets there be more than the chain makes: things like one of it, which
// have texts of their own, others below it, and changes to them.
func (s *sweeping) crowd() {
	if s.rand.Float64() < crowdChance {
		s.siblings()
		s.bystanders()
	}
}

func (s *sweeping) siblings() {
	chain := s.place[:len(s.place)-1]
	if len(chain) == 0 {
		return
	}
	like := chain[len(chain)-1-s.rand.IntN(min(2, len(chain)))]
	if s.weights.Of(s.ind.calls[like].op.ID) <= 0 {
		return // it is needed once, but to make more of it is not wanted
	}
	for range s.rand.IntN(mostSiblings + 1) {
		twin := s.ind.calls[like].clone()
		twin.refresh(s.rand)
		s.again(like, twin)
	}
}

// bystanders are rather next to the target, and may come in pairs.
func (s *sweeping) bystanders() {
	below := s.among("POST", "PUT", "PATCH")
	if len(below) == 0 {
		return
	}
	slices.SortStableFunc(below, func(a, b model.Template) int { return len(b.Steps) - len(a.Steps) })
	for range s.rand.IntN(mostBystanders + 1) {
		t := below[s.rand.IntN(1+s.rand.IntN(len(below)))]
		for range 1 + s.rand.IntN(2) {
			s.attach(t, s.place)
		}
	}
}

// among are the templates for an operation of some methods whose steps before it
// are the first of the sweep's, and not only a few of these.
func (s *sweeping) among(methods ...string) []model.Template {
	var all []model.Template
	for _, t := range s.templates {
		op := s.byOp[t.Target()].op
		if op.ID != s.of.Target() && slices.Contains(methods, op.Method) && s.weights.Of(op.ID) > 0 && s.shares(t) {
			all = append(all, t)
		}
	}
	return all
}

// shares reports whether all steps of a template but its last are the first of the
// sweep's.
func (s *sweeping) shares(t model.Template) bool {
	chain := len(t.Steps) - 1
	same := func(a, b model.Step) bool { return a.Op == b.Op }
	return chain > 0 && chain <= len(s.of.Steps) && slices.EqualFunc(t.Steps[:chain], s.of.Steps[:chain], same)
}

// attach appends the last step of a template, linked to the calls that stand for
// the steps before, and returns the call.
func (s *sweeping) attach(t model.Template, place []int) int {
	to, last := len(s.ind.calls), len(t.Steps)-1
	c := s.sampleCall(s.rand, s.byOp[t.Target()], cmp.Or(s.ind.calls[s.target()].user, s.user))
	if s.rand.Float64() < provenChance {
		s.prove(&c)
		c.refresh(s.rand)
	}
	s.ind.calls = append(s.ind.calls, c)
	for _, l := range t.Links {
		if l.To == last {
			from := l.From
			if l.Open() && s.rand.Float64() < otherwiseChance {
				from = s.rand.IntN(last) // whose answer may tell it, too: the first item of a new cart
			}
			l.Loose = true
			s.ind.link(l, place[from], to)
		}
	}
	return to
}

// looks are the templates that go on from the target: what it made is read,
// changed or deleted, what it changed is read.
func (s *sweeping) looks() []model.Template {
	n, path := len(s.of.Steps), s.byOp[s.of.Target()].op.Path
	return slices.DeleteFunc(s.among("GET", "HEAD", "PATCH", "PUT", "DELETE", "POST"), func(t model.Template) bool {
		op := s.byOp[t.Target()].op
		return len(t.Steps) != n+1 && !(len(t.Steps) == n && op.Method == "GET" && op.Path == path)
	})
}

// look lets a call follow on what a variation did. What was deleted is read once
// more.
func (s *sweeping) look(looks []model.Template, place []int) {
	t := looks[s.rand.IntN(len(looks))]
	s.attach(t, place)
	if path, deletes := strings.CutPrefix(string(t.Target()), "DELETE "); deletes {
		if i := slices.IndexFunc(looks, func(t model.Template) bool { return string(t.Target()) == "GET "+path }); i >= 0 {
			s.attach(looks[i], place)
		}
	}
}

// close deletes some of what the chain made.
func (s *sweeping) close() {
	all := s.among("DELETE")
	s.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, t := range all[:min(len(all), mostClosing)] {
		s.attach(t, s.place)
	}
}
