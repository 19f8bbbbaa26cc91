package depend

import (
	"cmp"
	"slices"
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
	// feeders returns what all methods but Templates need, computed by the first call.
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

// Feeders returns the operations from which an input of an operation comes and that do not require its value themselves, as
// [Planner.Paths] uses them: first those that create the element, and then those that read or list elements. mentions
// are those that only mention the value in the description of something else. In each part those that need the fewest
// values come first.
func (p *Planner) Feeders(op model.OpID, taken match.ValueUse) (own, mentions []model.OpID) {
	known := p.byID[op]
	if known == nil {
		return nil, nil
	}
	for _, f := range p.feeders().sources(known, taken) {
		switch {
		case f.op.ID == op:
		case f.rank == rankOther:
			mentions = append(mentions, f.op.ID)
		default:
			own = append(own, f.op.ID)
		}
	}
	return own, mentions
}

// RequiredValues returns the inputs of an operation that its client must get elsewhere, in the order of the path and then
// of the document.
func (p *Planner) RequiredValues(op model.OpID) []match.ValueUse {
	known := p.byID[op]
	if known == nil {
		return nil
	}
	var list []match.ValueUse
	for _, n := range p.feeders().required(known, 0) {
		list = append(list, n.use)
	}
	slices.SortStableFunc(list, func(a, b match.ValueUse) int { return cmp.Compare(placeInPath(known, a), placeInPath(known, b)) })
	return list
}

// Prepare computes what the methods need, which takes long for a large API. Without it, the first call of a method does.
func (p *Planner) Prepare() { p.feeders() }

// ConnectSeq returns a seq with the links of its calls, as [Path.Template] has them: each path parameter, required query
// parameter and required field of the body that an earlier call can give. Operations that the planner does not know get
// no links.
func (p *Planner) ConnectSeq(seq model.Seq) model.Template {
	return Path{Seq: seq, Passes: p.feeders().bind(p.operations(seq))}.Template()
}

// operations returns the operations of a seq, nil for those that the planner does not have.
func (p *Planner) operations(seq model.Seq) []*model.Operation {
	list := make([]*model.Operation, len(seq))
	for i, id := range seq {
		list[i] = p.byID[id]
	}
	return list
}
