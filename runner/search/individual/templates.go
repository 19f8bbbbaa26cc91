package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// templateSet holds the templates of all operations, and draws templates by the weights of their targets.
type templateSet struct {
	all       []model.Template
	usual     templatesByPath  // the templates in all
	plain     templatesByPath  // the paper's templates
	distilled []model.Template // the seqs of the analysis, as templates
	byTarget  map[model.OpID]choices
	// distilledShare is the probability of drawing a distilled template. If none is drawn, plainShare is the
	// probability of drawing one of plain.
	distilledShare, plainShare float64

	seqs wheel // draws from distilled
}

// newTemplateSet returns the templates of a plan whose operations are all in ops.
func newTemplateSet(plan model.Plan, ops *operationSet) *templateSet {
	s := &templateSet{distilledShare: plan.Sampling.Distilled, plainShare: plan.Sampling.PlainTemplates}
	s.fill(plan.Templates, plan.PlainTemplates, plan.Distilled, ops)
	return s
}

// retain removes the templates with an operation that ops does not have.
func (s *templateSet) retain(ops *operationSet) { s.fill(s.all, s.plain.all(), s.distilled, ops) }

// fill replaces the templates. It leaves out templates with an operation that ops does not have.
func (s *templateSet) fill(templates, plain, distilled []model.Template, ops *operationSet) {
	*s = templateSet{distilledShare: s.distilledShare, plainShare: s.plainShare, byTarget: map[model.OpID]choices{}}
	for _, t := range templates {
		if ops.has(t) {
			s.all = append(s.all, t)
			s.byTarget[t.Target()] = append(s.byTarget[t.Target()], t)
		}
	}
	s.usual, s.plain = groupTemplates(s.all, ops), groupTemplates(plain, ops)
	for _, t := range distilled {
		if ops.has(t) {
			s.distilled = append(s.distilled, t)
		}
	}
}

// setWeights sets the weights with which templates are drawn, by the operations of their targets.
func (s *templateSet) setWeights(weights model.Weights) {
	s.seqs = newWheel(len(s.distilled), func(i int) float64 { return weights.WeightOf(s.distilled[i].Target()) })
	s.usual.setWeights(weights)
	s.plain.setWeights(weights)
}

// drawable reports whether there is a template to draw.
func (s *templateSet) drawable() bool { return s.usual.wheel.total() > 0 }

// draw returns a distilled template, one of the paper's, or a usual one, with the probabilities of the set.
func (s *templateSet) draw(r *rand.Rand) model.Template {
	if s.seqs.total() > 0 && r.Float64() < s.distilledShare {
		return s.distilled[s.seqs.draw(r)]
	}
	if s.plain.wheel.total() > 0 && r.Float64() < s.plainShare {
		return s.plain.draw(r)
	}
	return s.usual.draw(r)
}

// mostLinked returns, of the templates of an operation, the one with the most links. It returns the zero template if
// the operation has no template.
func (s *templateSet) mostLinked(op model.OpID) (best model.Template) {
	for _, t := range s.byTarget[op] {
		if len(best.Steps) == 0 || len(t.Links) > len(best.Links) {
			best = t
		}
	}
	return best
}

// mostLinkedOrAlone is like mostLinked, but if the operation has no template, it returns a template with one call of
// the operation.
func (s *templateSet) mostLinkedOrAlone(op model.OpID) model.Template {
	if t := s.mostLinked(op); len(t.Steps) > 0 {
		return t
	}
	return model.Template{Steps: []model.TemplateStep{{Op: op, Min: 1, Max: 1}}}
}

// mostLinkedFirst returns the templates ordered by the number of their links, the most first.
func (c choices) mostLinkedFirst() []model.Template {
	return slices.SortedStableFunc(slices.Values(c), func(a, b model.Template) int { return len(b.Links) - len(a.Links) })
}

// templatesByPath are templates in groups, from which templates are drawn as in the EvoMaster paper (5.2): first a path, then
// one of its operations, then a template of the operation.
type templatesByPath struct {
	endpoints []endpoint
	wheel     wheel // draws from endpoints
}

// endpoint is a path with the templates of its operations.
type endpoint struct {
	path  string
	ops   []choices
	wheel wheel // draws from ops
}

// choices are the templates whose target is one operation.
type choices []model.Template

// groupTemplates groups templates by the path and the operation of their targets. It leaves out templates with an
// operation that ops does not have.
func groupTemplates(templates []model.Template, ops *operationSet) templatesByPath {
	var s templatesByPath
	paths, targets := map[string]int{}, map[model.OpID]int{}
	for _, t := range templates {
		if !ops.has(t) {
			continue
		}
		path := ops.byID[t.Target()].op.Path
		at, ok := paths[path]
		if !ok {
			at = len(s.endpoints)
			paths[path] = at
			s.endpoints = append(s.endpoints, endpoint{path: path})
		}
		e := &s.endpoints[at]
		op, ok := targets[t.Target()]
		if !ok {
			op = len(e.ops)
			targets[t.Target()] = op
			e.ops = append(e.ops, nil)
		}
		e.ops[op] = append(e.ops[op], t)
	}
	return s
}

// setWeights sets the weights with which templates are drawn, by the operations of their targets. The weight of a path is the
// mean weight of its operations.
func (s *templatesByPath) setWeights(weights model.Weights) {
	s.wheel = newWheel(len(s.endpoints), func(i int) float64 {
		e := &s.endpoints[i]
		e.wheel = newWheel(len(e.ops), func(j int) float64 { return weights.WeightOf(e.ops[j][0].Target()) })
		return e.wheel.total() / float64(len(e.ops))
	})
}

func (s *templatesByPath) all() (all []model.Template) {
	for _, e := range s.endpoints {
		for _, c := range e.ops {
			all = append(all, c...)
		}
	}
	return all
}

// draw returns a random template of a random operation on a random path.
func (s *templatesByPath) draw(r *rand.Rand) model.Template {
	e := s.endpoints[s.wheel.draw(r)]
	return e.ops[e.wheel.draw(r)].draw(r)
}

// draw returns a random template, by the weights of the templates.
func (c choices) draw(r *rand.Rand) model.Template {
	total := 0.0
	for _, t := range c {
		total += t.Weight
	}
	x := r.Float64() * total
	for _, t := range c {
		x -= t.Weight
		if x < 0 {
			return t
		}
	}
	return c[len(c)-1]
}
