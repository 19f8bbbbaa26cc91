package individual

import (
	"cmp"
	"slices"
	"strings"

	"sonde/model"
)

// Probabilities and limits of the calls around the chain of a sweep.
const (
	contextChance  = 0.5 // probability of creating further resources
	maxSiblings    = 2   // further resources like a resource of the chain
	maxBystanders  = 4   // further resources below the chain, and changes of them
	followUpChance = 0.5 // probability of calling an operation on the result of a variation
	maxDeletions   = 3   // deletions at the end of a sweep

	otherSourceChance = 0.2 // probability of linking to another call than the template does
)

// addContext adds, with probability contextChance, resources that the target does not need.
func (s *sweepBuilder) addContext() {
	if s.rand.Float64() < contextChance {
		s.addSiblings()
		s.addBystanders()
	}
}

// addSiblings adds resources like a resource of the chain, with other texts.
func (s *sweepBuilder) addSiblings() {
	chain := s.stepCalls[:len(s.stepCalls)-1]
	if len(chain) == 0 {
		return
	}
	like := chain[len(chain)-1-s.rand.IntN(min(2, len(chain)))]
	if s.sweeper.calls.operations.muted(s.ind.calls[like].op.ID) {
		return // muted operations are not repeated
	}
	for range s.rand.IntN(maxSiblings + 1) {
		twin := s.ind.calls[like].clone()
		twin.resampleTexts(s.rand)
		s.appendLike(like, twin)
	}
}

// addBystanders adds calls that create or change resources below those of the chain, such as notes of a thing, more
// often near the target. Some calls are added twice.
func (s *sweepBuilder) addBystanders() {
	below := s.branching("POST", "PUT", "PATCH")
	if len(below) == 0 {
		return
	}
	slices.SortStableFunc(below, func(a, b model.Template) int { return len(b.Steps) - len(a.Steps) })
	for range s.rand.IntN(maxBystanders + 1) {
		t := below[s.rand.IntN(1+s.rand.IntN(len(below)))]
		for range 1 + s.rand.IntN(2) {
			s.appendStep(t, s.stepCalls)
		}
	}
}

// branching returns the templates that branch off from the sweep's template, and whose target has one of the methods;
// see sharesSteps.
func (s *sweepBuilder) branching(methods ...string) []model.Template {
	var all []model.Template
	for _, t := range s.sweeper.templates.all {
		op := s.sweeper.calls.operations.byID[t.Target()].op
		wanted := op.ID != s.part.Target() && slices.Contains(methods, op.Method) && !s.sweeper.calls.operations.muted(op.ID)
		if wanted && s.sharesSteps(t) {
			all = append(all, t)
		}
	}
	return all
}

// sharesSteps reports whether the sweep's template begins with all steps of t but the last.
func (s *sweepBuilder) sharesSteps(t model.Template) bool {
	chain := len(t.Steps) - 1
	same := func(a, b model.TemplateStep) bool { return a.Op == b.Op }
	return chain > 0 && chain <= len(s.part.Steps) && slices.EqualFunc(t.Steps[:chain], s.part.Steps[:chain], same)
}

// appendStep appends a call of the last step of a template, linked to the given calls of the earlier steps. It
// returns the index of the call.
func (s *sweepBuilder) appendStep(t model.Template, stepCalls []int) int {
	to, last := len(s.ind.calls), len(t.Steps)-1
	user := cmp.Or(s.ind.calls[s.target()].user, s.user)
	c := s.sweeper.calls.sample(s.rand, s.sweeper.calls.operations.byID[t.Target()], user)
	if s.rand.Float64() < successChance {
		s.useSuccess(&c)
		c.resampleTexts(s.rand)
	}
	s.ind.calls = append(s.ind.calls, c)
	for _, l := range t.Links {
		if l.To == last {
			from := l.From
			if l.IsOpen() && s.rand.Float64() < otherSourceChance {
				// The answer of any step may contain the value: a new cart may answer with its first item.
				from, l.Hint = s.rand.IntN(last), ""
			}
			l.Optional = true
			s.ind.link(l, stepCalls[from], to)
		}
	}
	return to
}

// followUps returns the templates that continue from the target: they read, change or delete what the target
// created, or read what it changed.
func (s *sweepBuilder) followUps() []model.Template {
	n, path := len(s.part.Steps), s.sweeper.calls.operations.byID[s.part.Target()].op.Path
	all := s.branching("GET", "HEAD", "PATCH", "PUT", "DELETE", "POST")
	return slices.DeleteFunc(all, func(t model.Template) bool {
		op := s.sweeper.calls.operations.byID[t.Target()].op
		readsTarget := len(t.Steps) == n && op.Method == "GET" && op.Path == path
		return len(t.Steps) != n+1 && !readsTarget
	})
}

// addFollowUp appends a call of a follow-up to a variation. After a DELETE it also appends a GET of the resource.
func (s *sweepBuilder) addFollowUp(all []model.Template, stepCalls []int) {
	t := all[s.rand.IntN(len(all))]
	s.appendStep(t, stepCalls)
	if path, deletes := strings.CutPrefix(string(t.Target()), "DELETE "); deletes {
		reads := func(t model.Template) bool { return string(t.Target()) == "GET "+path }
		if i := slices.IndexFunc(all, reads); i >= 0 {
			s.appendStep(all[i], stepCalls)
		}
	}
}

// addDeletions adds calls that delete some of the created resources.
func (s *sweepBuilder) addDeletions() {
	all := s.branching("DELETE")
	s.rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, t := range all[:min(len(all), maxDeletions)] {
		s.appendStep(t, s.stepCalls)
	}
}
