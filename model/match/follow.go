package match

import (
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// follow gives what the document's own links carry the identity of the input
// that they lead to.
func (q *qualifier) follow() {
	byID := map[model.OpID]*model.Operation{}
	for _, op := range q.ops {
		byID[op.ID] = op
	}
	for _, op := range q.ops {
		for _, resp := range answers(op.Responses) {
			for _, f := range resp.Links {
				for _, t := range f.Inputs {
					q.link(op, t, f.Name, q.input(byID[f.Op], t))
				}
			}
		}
	}
}

// input returns the identity of the input that a link leads to, or nil.
func (q *qualifier) input(op *model.Operation, t model.LinkInput) *identity {
	if op == nil {
		return nil
	}
	for k, u := range q.uses[op] {
		if !u.Out && u.Pointer == "" && u.Name == t.Name && (t.In == "" || t.In == u.In) {
			return &q.of[op][k]
		}
	}
	return nil
}

// link gives an output that identity.
func (q *qualifier) link(op *model.Operation, t model.LinkInput, name string, to *identity) {
	at, ok := strings.CutPrefix(t.From, "$response.body#")
	if to == nil || to.entity == nil || !ok {
		return
	}
	for k, u := range q.uses[op] {
		if u.Out && u.In == model.InResponse && u.Pointer == at {
			q.of[op][k] = identity{entity: to.entity, attr: to.attr, why: "the link " + name + " passes " + pointer.LastToken(at) + " on"}
		}
	}
}
