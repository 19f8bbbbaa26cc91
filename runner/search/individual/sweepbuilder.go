package individual

import (
	"maps"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Probabilities and limits of a sweep.
const (
	sweepCalls      = 20   // variations of the target
	maxSweepLength  = 45   // maximum number of calls before a variation is added
	targetChance    = 0.85 // probability of varying the target, not an operation that the target needs
	extremesChance  = 0.1  // probability of setting all numbers of recreated resources to extreme values
	largestChance   = 0.7  // probability that the extreme values are the largest, not the smallest
	lastExtremes    = 0.7  // probability of repeating the chain with extreme numbers at the end
	recreateChance  = 0.8  // probability of recreating, for each call, resources that can be used only once
	varyNeedsChance = 0.3  // probability of varying recreated resources, too
)

// sweepBuilder builds one sweep.
type sweepBuilder struct {
	sweeper   *sweeper
	rand      *rand.Rand
	whole     model.Template
	part      model.Template // the part of whole that ends with the step of the varied operation
	ind       *Individual
	stepCalls []int // the call of each step of the template
	user      string
	// proven maps an operation to a call from which the last successful call of a target took values. There are two
	// targets: that of the template whole, and that of the template part.
	proven map[model.OpID]call
}

func newSweepBuilder(w *sweeper, r *rand.Rand, t model.Template) *sweepBuilder {
	steps := w.calls.operations.variableSteps(t)
	if steps[0] == len(t.Steps)-1 && r.Float64() < targetChance {
		steps = steps[:1]
	}
	part := upTo(t, steps[r.IntN(len(steps))])
	s := &sweepBuilder{sweeper: w, rand: r, whole: t, part: part, stepCalls: make([]int, len(part.Steps))}
	s.user = w.user(r, part.Target())
	s.proven = w.lessons.callsBefore(part.Target(), s.user)
	maps.Copy(s.proven, w.lessons.callsBefore(t.Target(), s.user))
	s.ind = s.chain()
	s.ind.sweep = &sweepPlan{op: t.Target(), ofNeeded: part.Target() != t.Target(), steps: len(t.Steps)}
	for i, c := range s.ind.calls {
		s.stepCalls[c.step] = i
	}
	return s
}

// upTo returns the part of a template that ends with a step.
func upTo(t model.Template, step int) model.Template {
	t.Steps = t.Steps[:step+1]
	t.Links = slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To > step })
	return t
}

// target returns the index of the call of the varied operation.
func (s *sweepBuilder) target() int { return s.stepCalls[len(s.stepCalls)-1] }

// appendLike appends a call with the same links as the call at an index. It returns the index of the new call.
func (s *sweepBuilder) appendLike(at int, c call) int {
	end := len(s.ind.calls)
	s.ind.calls = append(s.ind.calls, c)
	for _, l := range slices.Clone(s.ind.links) {
		if l.To == at {
			s.ind.link(l, l.From, end)
		}
	}
	return end
}

// addVariations adds calls of the target with some of its variations, each perhaps with a follow-up. At the
// end it may repeat the chain with extreme numbers.
func (s *sweepBuilder) addVariations() {
	all, followUps, firstNew := s.variations(), s.followUps(), s.firstNewStep()
	s.ind.sweep.variations = len(all)
	for _, v := range all[:min(sweepCalls, len(all))] {
		if len(s.ind.calls) >= maxSweepLength {
			break
		}
		if s.rand.Float64() < sampledChance {
			v = s.sampled()
		}
		if v.changed && v.op.Method == "POST" && s.rand.Float64() < newTextsChance {
			v.resampleTexts(s.rand)
		}
		stepCalls := slices.Clone(s.stepCalls[:firstNew])
		if s.rand.Float64() < extremesChance {
			stepCalls = s.addWithExtremes(v, stepCalls)
		} else {
			stepCalls = s.addVariation(v, stepCalls)
		}
		if len(followUps) > 0 && s.rand.Float64() < followUpChance {
			s.addFollowUp(followUps, stepCalls)
		}
	}
	if len(all) > 0 && !s.hasMuted() && s.rand.Float64() < lastExtremes {
		s.addWithExtremes(all[s.rand.IntN(len(all))], nil)
	}
}

// hasMuted reports whether the operation of any step of the template part is muted. If so, addVariations does not
// repeat the chain.
func (s *sweepBuilder) hasMuted() bool {
	muted := func(step model.TemplateStep) bool { return s.sweeper.calls.operations.muted(step.Op) }
	return slices.ContainsFunc(s.part.Steps, muted)
}

// addWithExtremes adds a call of the target with a variation. It sets all numbers of the resources that are
// created for the call to their largest, or to their smallest, values. Values that are valid one by one may
// be invalid together. addWithExtremes returns the indexes of the calls of all steps.
func (s *sweepBuilder) addWithExtremes(v variation, stepCalls []int) []int {
	from, largest := len(s.ind.calls), s.rand.Float64() < largestChance
	stepCalls = s.addVariation(v, stepCalls)
	for _, l := range s.ind.leaves() {
		if l.call >= from && l.call != stepCalls[len(s.part.Steps)-1] {
			gene.SetExtreme(l.gene, largest)
		}
	}
	return stepCalls
}

// addVariation adds calls for the steps that are not in stepCalls, then a variation of the target, and
// then calls for the remaining steps of the whole template. It returns the indexes of the calls of all
// steps.
func (s *sweepBuilder) addVariation(v variation, stepCalls []int) []int {
	last := len(s.part.Steps) - 1
	for step := len(stepCalls); step < last; step++ {
		stepCalls = append(stepCalls, s.recreate(upTo(s.part, step), stepCalls))
	}
	at := s.appendLike(s.target(), v.call)
	s.relink(at, stepCalls)
	if v.idField != "" {
		link := model.Link{In: model.InBody, Name: v.idField, Header: "Location", Optional: true}
		s.ind.link(link, s.earlierTarget(at), at)
	}
	stepCalls = append(stepCalls, at)
	for step := last + 1; step < len(s.whole.Steps); step++ {
		if step < len(s.whole.Steps)-1 && s.rand.Float64() < otherSourceChance {
			// The call of the previous step may also serve as this step: for example, a new cart may
			// already contain an item.
			stepCalls = append(stepCalls, stepCalls[step-1])
			continue
		}
		stepCalls = append(stepCalls, s.recreate(upTo(s.whole, step), stepCalls))
	}
	return stepCalls
}

// recreate appends a call of the last step of a template, and varies it with probability varyNeedsChance. It
// returns the index of the call.
func (s *sweepBuilder) recreate(t model.Template, stepCalls []int) int {
	at := s.appendStep(t, stepCalls)
	if s.rand.Float64() < varyNeedsChance {
		if all := s.ind.calls[at].variants(s.rand); len(all) > 0 {
			s.ind.calls[at] = all[s.rand.IntN(len(all))]
		}
	}
	return at
}

// firstNewStep returns the index of the first step that is repeated for each variation. This is the
// varied step or, if the target succeeds only once on the same resource, often an earlier step.
func (s *sweepBuilder) firstNewStep() int {
	last := len(s.stepCalls) - 1
	if last > 1 && s.rand.Float64() < recreateChance && s.sweeper.lessons.consuming[s.part.Target()] {
		return 1 + s.rand.IntN(last-1)
	}
	return last
}

// relink lets the links into a call of the target start at the given calls of the earlier steps.
func (s *sweepBuilder) relink(at int, stepCalls []int) {
	for i := range s.ind.links {
		l := &s.ind.links[i]
		if step := slices.Index(s.stepCalls, l.From); l.To == at && step >= 0 && step < len(stepCalls) {
			l.From, l.Optional = stepCalls[step], true
		}
	}
}

// earlierTarget returns the index of a random call of the target that precedes a given call.
func (s *sweepBuilder) earlierTarget(at int) int {
	var all []int
	for i, c := range s.ind.calls[:at] {
		if c.op.ID == s.part.Target() {
			all = append(all, i)
		}
	}
	return all[s.rand.IntN(len(all))]
}
