package rest

import (
	"math/rand/v2"

	"sonde/model"
)

// endpoint is a path with its operations that have templates.
type endpoint struct {
	path  string
	ops   []choices
	wheel wheel // of the operations
}

// choices are the templates whose target is one operation.
type choices []model.Template

// addTemplates sorts the templates by path and target; one that names an
// operation that is not there is left out.
func (p *Problem) addTemplates(templates []model.Template) {
	paths, targets := map[string]int{}, map[model.OpID]int{}
	for _, t := range templates {
		if !p.knows(t) {
			continue
		}
		p.templates = append(p.templates, t)
		path := p.byOp[t.Target()].op.Path
		at, ok := paths[path]
		if !ok {
			at = len(p.endpoints)
			paths[path] = at
			p.endpoints = append(p.endpoints, endpoint{path: path})
		}
		e := &p.endpoints[at]
		op, ok := targets[t.Target()]
		if !ok {
			op = len(e.ops)
			targets[t.Target()] = op
			e.ops = append(e.ops, nil)
		}
		e.ops[op] = append(e.ops[op], t)
	}
}

func (p *Problem) knows(t model.Template) bool {
	for _, s := range t.Steps {
		if p.byOp[s.Op] == nil {
			return false
		}
	}
	return len(t.Steps) > 0
}

// template draws a template: a distilled one now and then, else one of a random
// operation on a random path.
func (p *Problem) template(r *rand.Rand) model.Template {
	if p.seqs.total() > 0 && r.Float64() < p.sampling.Distilled {
		return p.distilled[p.seqs.draw(r)]
	}
	e := p.endpoints[p.paths.draw(r)]
	return e.ops[e.wheel.draw(r)].draw(r)
}

// draw returns one of the templates, the weightier the likelier.
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
