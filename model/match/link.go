package match

import (
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// followLinks uses the links that the document declares. A link sets an input of one operation to an output of another
// one. If the output is in the body and the input is a parameter, followLinks gives the output the identity of the
// input.
func (q *qualifier) followLinks() {
	byID := map[model.OpID]*model.Operation{}
	for _, op := range q.ops {
		byID[op.ID] = op
	}
	for _, op := range q.ops {
		for _, resp := range answers(op.Responses) {
			for _, f := range resp.Links {
				for _, t := range f.Inputs {
					q.setLinked(op, t, f.Name, q.linkTarget(byID[f.Op], t))
				}
			}
		}
	}
}

// linkTarget returns the identity of the input of op that a link sets, nil if there is no such input. op may be nil.
func (q *qualifier) linkTarget(op *model.Operation, t model.LinkInput) *identity {
	if op == nil {
		return nil
	}
	for k, u := range q.uses[op] {
		if !u.Out && u.Pointer == "" && u.Name == t.Name && (t.In == "" || t.In == u.In) {
			return &q.identities[op][k]
		}
	}
	return nil
}

// setLinked records that a link passes an output of op to an input of an operation. It gives the output the identity of
// the input, which is in to. name is the name of the link.
func (q *qualifier) setLinked(op *model.Operation, t model.LinkInput, name string, to *identity) {
	at, ok := strings.CutPrefix(t.From, "$response.body#")
	if to == nil || to.entity == nil || !ok {
		return
	}
	for k, u := range q.uses[op] {
		if u.Out && u.In == model.InResponse && u.Pointer == at {
			why := "the link " + name + " passes " + pointer.LastToken(at) + " on"
			q.identities[op][k] = identity{entity: to.entity, attr: to.attr, why: why, evidence: EvidenceDeclared}
		}
	}
}
