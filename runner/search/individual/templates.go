package individual

import (
	"math/rand/v2"
	"slices"

	"sonde/model"
)

// templateSet holds the templates of all operations, and draws templates by the weights of their targets.
type templateSet struct {
	all       []model.Template
	endpoints []endpoint
	distilled []model.Template // the seqs of the analysis, as templates
	share     float64          // probability of drawing a distilled template
	byTarget  map[model.OpID]choices

	paths wheel // draws from endpoints
	seqs  wheel // draws from distilled
}

// endpoint is a path with the templates of its operations.
type endpoint struct {
	path  string
	ops   []choices
	wheel wheel // draws from ops
}

// choices are the templates whose target is one operation.
type choices []model.Template

// newTemplateSet returns the templates of a plan whose operations are all in ops.
func newTemplateSet(plan model.Plan, ops *operationSet) *templateSet {
	s := &templateSet{share: plan.Sampling.Distilled}
	s.fill(plan.Templates, plan.Distilled, ops)
	return s
}

// fill replaces the templates. It groups them by the path and the operation of their targets, and leaves out
// templates with an operation that ops does not have.
func (s *templateSet) fill(templates, distilled []model.Template, ops *operationSet) {
	*s = templateSet{share: s.share, byTarget: map[model.OpID]choices{}}
	paths, targets := map[string]int{}, map[model.OpID]int{}
	for _, t := range templates {
		if ops.has(t) {
			s.all = append(s.all, t)
			s.byTarget[t.Target()] = append(s.byTarget[t.Target()], t)
			s.add(t, ops.byID[t.Target()].op.Path, paths, targets)
		}
	}
	for _, t := range distilled {
		if ops.has(t) {
			s.distilled = append(s.distilled, t)
		}
	}
}

// add adds a template to the endpoint and the operation of its target. paths has the indexes of endpoints,
// and targets the indexes of operations in their endpoints.
func (s *templateSet) add(t model.Template, path string, paths map[string]int, targets map[model.OpID]int) {
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

// setWeights sets the weights with which templates are drawn, by the operations of their targets. The weight
// of a path is the mean weight of its operations.
func (s *templateSet) setWeights(weights model.Weights) {
	s.seqs = newWheel(len(s.distilled), func(i int) float64 { return weights.WeightOf(s.distilled[i].Target()) })
	s.paths = newWheel(len(s.endpoints), func(i int) float64 {
		e := &s.endpoints[i]
		e.wheel = newWheel(len(e.ops), func(j int) float64 { return weights.WeightOf(e.ops[j][0].Target()) })
		return e.wheel.total() / float64(len(e.ops))
	})
}

// drawable reports whether there is a template to draw.
func (s *templateSet) drawable() bool { return s.paths.total() > 0 }

// draw returns, with probability share, a random distilled template, and otherwise a random template of a random
// operation on a random path.
func (s *templateSet) draw(r *rand.Rand) model.Template {
	if s.seqs.total() > 0 && r.Float64() < s.share {
		return s.distilled[s.seqs.draw(r)]
	}
	e := s.endpoints[s.paths.draw(r)]
	return e.ops[e.wheel.draw(r)].draw(r)
}

// mostLinked returns that template of an operation which has the most links. It returns the zero template if the
// operation has no template.
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
