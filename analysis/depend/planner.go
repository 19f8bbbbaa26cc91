package depend

import (
	"cmp"
	"slices"
	"sync"

	"sonde/model"
	"sonde/model/match"
)

// Planner finds the operations that provide the ids that other operations need. It makes templates of tests, links
// the calls of seqs, and finds paths to an operation. It is read-only and may be used by several goroutines at once.
type Planner struct {
	index *index
	ops   []*model.Operation
	byID  map[model.OpID]*model.Operation
	// feeders returns the feeders of all values. The first call computes them.
	feeders func() *feeders
}

// NewPlanner returns a planner for operations. m must have the values of these operations, matched in the default
// mode.
func NewPlanner(m *match.Matcher, ops []*model.Operation) *Planner {
	p := &Planner{index: newIndex(m, ops), ops: ops, byID: make(map[model.OpID]*model.Operation, len(ops))}
	for _, op := range ops {
		p.byID[op.ID] = op
	}
	p.feeders = sync.OnceValue(func() *feeders { return newFeeders(p.index, ops) })
	return p
}

// Feeders returns the operations that provide an input of op. They do not require the value of the input themselves.
// [Planner.Paths] uses the same operations.
//
// own has the operations that create the element, followed by those that read or list elements. mentions has the
// operations that have the value in a field of another element. Within each of these three parts, operations that
// need the fewest values come first.
func (p *Planner) Feeders(op model.OpID, taken match.ValueUse) (own, mentions []model.OpID) {
	known := p.byID[op]
	if known == nil {
		return nil, nil
	}
	for _, f := range p.feeders().sources(known, &taken) {
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

// RequiredValues returns the inputs of an operation whose values must come from other operations. Inputs in the path
// come first, in the order of the path, then the others in the order of the document.
func (p *Planner) RequiredValues(op model.OpID) []match.ValueUse {
	known := p.byID[op]
	if known == nil {
		return nil
	}
	var list []match.ValueUse
	for _, n := range p.feeders().required(known, 0) {
		list = append(list, n.use)
	}
	slices.SortStableFunc(list, func(a, b match.ValueUse) int { return cmp.Compare(placeInPath(known, &a), placeInPath(known, &b)) })
	return list
}

// Prepare computes the feeders in advance, which takes long for a large API. Without Prepare, the first method that
// needs the feeders computes them.
func (p *Planner) Prepare() { p.feeders() }

// ConnectSeq returns a seq as a template, with the same links as [Path.Template]. If an earlier call can provide their
// values, it links path parameters, other required inputs that refer to elements, and the inputs of declared links.
// Unknown operations have no links.
func (p *Planner) ConnectSeq(seq model.Seq) model.Template {
	return Path{Seq: seq, Passes: p.feeders().bind(p.operations(seq))}.Template()
}

// operations returns the operations of a seq. An operation that the planner does not have is nil.
func (p *Planner) operations(seq model.Seq) []*model.Operation {
	list := make([]*model.Operation, len(seq))
	for i, id := range seq {
		list[i] = p.byID[id]
	}
	return list
}
