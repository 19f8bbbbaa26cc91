package individual

import (
	"maps"
	"math/rand/v2"
	"slices"

	"sonde/model"
	"sonde/runner/search/gene"
)

// Probabilities and bounds of a sweep.
const (
	sweepCalls      = 20   // calls of the target, each with a different value changed
	maxSweepLength  = 45   // calls after which no further variation is added
	targetChance    = 0.85 // of varying the target, not what it needs
	extremesChance  = 0.1  // of setting all numbers of recreated resources to their extremes
	largestChance   = 0.7  // of the largest values instead of the smallest
	lastExtremes    = 0.7  // of repeating the chain with extreme numbers at the end
	recreateChance  = 0.8  // of recreating what can be used only once for each call
	varyNeedsChance = 0.3  // of varying recreated resources, too
)

// sweepBuilder makes a sweep.
type sweepBuilder struct {
	sweeper *sweeper
	rand    *rand.Rand
	whole   model.Template
	of      model.Template // whole up to the operation that is varied
	ind     *Individual
	place   []int // the call of each step of the template
	user    string
	led     map[model.OpID]call // calls before a success of the target or of the varied operation
}

func newSweepBuilder(w *sweeper, r *rand.Rand, t model.Template) *sweepBuilder {
	steps := w.calls.operations.variableSteps(t)
	if steps[0] == len(t.Steps)-1 && r.Float64() < targetChance {
		steps = steps[:1]
	}
	of := upTo(t, steps[r.IntN(len(steps))])
	s := &sweepBuilder{sweeper: w, rand: r, whole: t, of: of, place: make([]int, len(of.Steps))}
	s.user = w.user(r, of.Target())
	s.led = w.lessons.leadingTo(of.Target(), s.user)
	maps.Copy(s.led, w.lessons.leadingTo(t.Target(), s.user))
	s.ind = s.chain()
	s.ind.sweep = &sweepPlan{op: t.Target(), ofNeeded: of.Target() != t.Target(), steps: len(t.Steps)}
	for i, c := range s.ind.calls {
		s.place[c.step] = i
	}
	return s
}

// upTo returns a template that ends with one of its steps.
func upTo(t model.Template, step int) model.Template {
	t.Steps = t.Steps[:step+1]
	t.Links = slices.DeleteFunc(slices.Clone(t.Links), func(l model.Link) bool { return l.To > step })
	return t
}

// target returns the call that is varied.
func (s *sweepBuilder) target() int { return s.place[len(s.place)-1] }

// appendLike appends a call with the links of the call at an index, and returns its own
// index.
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

// addVariations calls the target with some of its variations.
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
		place := slices.Clone(s.place[:firstNew])
		if s.rand.Float64() < extremesChance {
			place = s.addWithExtremes(v, place)
		} else {
			place = s.addVariation(v, place)
		}
		if len(followUps) > 0 && s.rand.Float64() < followUpChance {
			s.addFollowUp(followUps, place)
		}
	}
	if len(all) > 0 && !s.hasMuted() && s.rand.Float64() < lastExtremes {
		s.addWithExtremes(all[s.rand.IntN(len(all))], nil)
	}
}

// hasMuted reports whether the chain contains a muted call: it is needed once, but not repeated.
func (s *sweepBuilder) hasMuted() bool {
	muted := func(step model.TemplateStep) bool { return s.sweeper.calls.operations.muted(step.Op) }
	return slices.ContainsFunc(s.of.Steps, muted)
}

// addWithExtremes calls the target with a variation, and sets all numbers of the resources created for
// it to their largest or smallest values: values that are valid individually can be invalid together.
func (s *sweepBuilder) addWithExtremes(v variation, place []int) []int {
	from, largest := len(s.ind.calls), s.rand.Float64() < largestChance
	place = s.addVariation(v, place)
	for _, l := range s.ind.leaves() {
		if l.call >= from && l.call != place[len(s.of.Steps)-1] {
			gene.SetExtreme(l.gene, largest)
		}
	}
	return place
}

// addVariation calls the steps that have no call yet, then the target with a variation, and then the
// remaining steps of the whole template. It returns the indexes of the calls of all steps.
func (s *sweepBuilder) addVariation(v variation, place []int) []int {
	last := len(s.of.Steps) - 1
	for step := len(place); step < last; step++ {
		place = append(place, s.recreate(upTo(s.of, step), place))
	}
	at := s.appendLike(s.target(), v.call)
	s.relink(at, place)
	if v.idField != "" {
		link := model.Link{In: model.InBody, Name: v.idField, Header: "Location", Optional: true}
		s.ind.link(link, s.earlierTarget(at), at)
	}
	place = append(place, at)
	for step := last + 1; step < len(s.whole.Steps); step++ {
		if step < len(s.whole.Steps)-1 && s.rand.Float64() < otherSourceChance {
			place = append(place, place[step-1]) // may also serve as this step: a new cart may have an item already
			continue
		}
		place = append(place, s.recreate(upTo(s.whole, step), place))
	}
	return place
}

// recreate appends the last step of a template, and sometimes varies it.
func (s *sweepBuilder) recreate(t model.Template, place []int) int {
	at := s.appendStep(t, place)
	if s.rand.Float64() < varyNeedsChance {
		if all := s.ind.calls[at].variants(s.rand); len(all) > 0 {
			s.ind.calls[at] = all[s.rand.IntN(len(all))]
		}
	}
	return at
}

// firstNewStep returns the first step that is repeated for each variation. It is usually the varied
// one, but some resources can be used only once.
func (s *sweepBuilder) firstNewStep() int {
	last := len(s.place) - 1
	if last > 1 && s.rand.Float64() < recreateChance && s.sweeper.lessons.consuming[s.of.Target()] {
		return 1 + s.rand.IntN(last-1)
	}
	return last
}

// relink links a call of the target to the given calls of the steps before it.
func (s *sweepBuilder) relink(at int, place []int) {
	for i := range s.ind.links {
		l := &s.ind.links[i]
		if step := slices.Index(s.place, l.From); l.To == at && step >= 0 && step < len(place) {
			l.From, l.Optional = place[step], true
		}
	}
}

// earlierTarget returns a call of the target before another one.
func (s *sweepBuilder) earlierTarget(at int) int {
	var all []int
	for i, c := range s.ind.calls[:at] {
		if c.op.ID == s.of.Target() {
			all = append(all, i)
		}
	}
	return all[s.rand.IntN(len(all))]
}
