package depend

import (
	"net/textproto"
	"slices"
	"strings"

	"sonde/model"
)

// input identifies a parameter or a field of an operation's request.
type input struct {
	op   model.OpID
	in   model.Location
	name string
}

// declaredLink is a link that the document declares. It passes a value from the answer or the path of one operation
// to an input of another operation.
type declaredLink struct {
	from *model.Operation
	to   input
	link model.Link // the link without From and To
}

// addDeclaredLinks adds the links that the document declares from successful responses to path and query parameters.
// It leaves out links that set a whole body. It also leaves out links that take their value from the query or the
// body of the request.
func (x *index) addDeclaredLinks(ops []*model.Operation) {
	byID := map[model.OpID]*model.Operation{}
	for _, op := range ops {
		byID[op.ID] = op
	}
	for _, op := range ops {
		for _, r := range op.Responses {
			for _, f := range r.Links {
				if to := byID[f.Op]; to != nil && r.Success() {
					x.addLinkInputs(op, to, f.Inputs)
				}
			}
		}
	}
}

// addLinkInputs adds the inputs of one declared link. It leaves out inputs that are not path or query parameters of
// the link's target, and inputs with an expression that Sonde does not support.
func (x *index) addLinkInputs(from, to *model.Operation, inputs []model.LinkInput) {
	for _, t := range inputs {
		p := slices.IndexFunc(to.Params, func(p model.Parameter) bool {
			return p.Name == t.Name && (t.In == "" || t.In == p.In)
		})
		link, ok := expression(t.From)
		if p < 0 || !ok || to.Params[p].In != model.InPath && to.Params[p].In != model.InQuery {
			continue
		}
		link.In, link.Name = to.Params[p].In, t.Name
		f := declaredLink{from: from, to: input{op: to.ID, in: link.In, name: link.Name}, link: link}
		x.linksFrom[from] = append(x.linksFrom[from], f)
		if to.Params[p].Required {
			x.linksTo[to] = append(x.linksTo[to], f)
		}
	}
}

// expression parses a runtime expression of OpenAPI as the source of a link: a value in the body or a
// header of the answer, or in the path of the request. It returns false for all other expressions.
func expression(text string) (model.Link, bool) {
	if at, ok := strings.CutPrefix(text, "$response.body"); ok {
		at, ok = strings.CutPrefix(at, "#")
		if at == "" {
			at = model.WholeBody
		}
		return model.Link{Pointer: at}, ok || text == "$response.body"
	}
	if name, ok := strings.CutPrefix(text, "$response.header."); ok {
		return model.Link{Header: textproto.CanonicalMIMEHeaderKey(name)}, name != ""
	}
	name, ok := strings.CutPrefix(text, "$request.path.")
	return model.Link{Param: name}, ok && name != ""
}

// noteDeclared stores the links that the document declares for the operation op. i is the index of a call of op.
func (o *origins) noteDeclared(op *model.Operation, i int) {
	for _, f := range o.linksFrom[op] {
		f.link.From = i
		o.followed[f.to] = f.link
	}
}

// addLinkSources adds steps for the required inputs of an operation whose only source is a declared link. The added
// steps call the operations from which these links lead.
func (b *builder) addLinkSources(op *model.Operation) {
	for _, f := range b.linksTo[op] {
		if _, linked := b.followed[f.to]; !linked && !b.used[f.from] && !b.known(op, f.to) {
			b.add(f.from, 1, 1)
		}
	}
}

// known reports whether the id in a path parameter already has a source, or belongs to a resource that must not be
// created.
func (b *builder) known(op *model.Operation, to input) bool {
	for _, p := range b.places[op] {
		if to.in == model.InPath && slices.Contains(p.names, to.name) {
			_, ok := b.source(p.at)
			return ok || p.at == b.not
		}
	}
	return false
}
