package depend

import (
	"sync"

	"sonde/model"
	"sonde/model/match"
)

// Planner finds sources for the ids that the operations of an API need. It makes
// templates of tests, links the calls of seqs, and finds paths to an operation. It is read-only and may be used by
// several goroutines at once.
type Planner struct {
	index *index
	ops   []*model.Operation
	byID  map[model.OpID]*model.Operation
	// feeders returns what Feeders, Paths and Impact need, computed by the first call.
	feeders func() *feeders
}

// NewPlanner returns a planner for operations whose values m has. m must be of the default mode.
func NewPlanner(m *match.Matcher, ops []*model.Operation) *Planner {
	p := &Planner{index: newIndex(m, ops), ops: ops, byID: make(map[model.OpID]*model.Operation, len(ops))}
	for _, op := range ops {
		p.byID[op.ID] = op
	}
	p.feeders = sync.OnceValue(func() *feeders { return newFeeders(p.index, ops) })
	return p
}

// Feeders returns the operations from which a value of the given identity comes and that do not require it themselves:
// first those that create such an element, and then those that read or list elements. mentions are those that only mention it
// in the description of something else. In each part those that need the fewest values come first.
func (p *Planner) Feeders(value string) (own, mentions []model.OpID) {
	for _, f := range p.feeders().by[value] {
		if f.rank == rankOther {
			mentions = append(mentions, f.op.ID)
		} else {
			own = append(own, f.op.ID)
		}
	}
	return own, mentions
}

// ConnectSeq returns a seq with links like those of templates. Each path parameter, required query parameter
// and required field of the body takes the id from the latest earlier call that created the resource. If
// there is none, it takes the id from a call that listed the resources, or else from the path of the first
// call with the same resource. Operations that the planner does not know get no links.
func (p *Planner) ConnectSeq(seq model.Seq) model.Template {
	w := p.index.wiring(requiredFields, "")
	t := model.Template{Weight: 1}
	for i, id := range seq {
		if op := p.byID[id]; op != nil {
			t.Links = append(t.Links, w.call(op, i)...)
		}
		t.Steps = append(t.Steps, model.TemplateStep{Op: id, Min: 1, Max: 1})
	}
	return t
}
