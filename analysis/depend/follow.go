package depend

import (
	"net/textproto"
	"slices"
	"strings"

	"sonde/model"
)

// input is a parameter or field of an operation's request.
type input struct {
	op   model.OpID
	in   model.Location
	name string
}

// declaredLink is a link that the document declares: a value in the answer or the path
// of an operation for an input of another.
type declaredLink struct {
	from *model.Operation
	to   input
	link model.Link // without the numbers of its calls
}

// addDeclaredLinks adds the links of OpenAPI 3 from an operation's success to a parameter.
// Links to a whole body, or from the request's query or body, are left out.
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

// addLinkInputs adds the inputs of one declared link.
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
		x.linksFrom[from.ID] = append(x.linksFrom[from.ID], f)
		if to.Params[p].Required {
			x.linksTo[to.ID] = append(x.linksTo[to.ID], f)
		}
	}
}

// expression parses a runtime expression of OpenAPI as the source of a link.
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

// declared returns the links that the document declares from earlier calls to the i-th
// call, of an operation.
func (w *wiring) declared(op *model.Operation, i int) []model.Link {
	var links []model.Link
	for _, p := range op.Params {
		if l, ok := w.followed[input{op: op.ID, in: p.In, name: p.Name}]; ok {
			l.To = i
			links = append(links, l)
		}
	}
	return links
}

// noteDeclared stores the links that the document declares from the i-th call.
func (w *wiring) noteDeclared(op *model.Operation, i int) {
	for _, f := range w.linksFrom[op.ID] {
		f.link.From = i
		w.followed[f.to] = f.link
	}
}

// addLinkSources adds steps for the sources of declared links to required inputs of an
// operation for which no other source is known.
func (b *builder) addLinkSources(op *model.Operation) {
	for _, f := range b.linksTo[op.ID] {
		if _, linked := b.followed[f.to]; !linked && !b.used[f.from.ID] && !b.known(op, f.to) {
			b.add(f.from, 1, 1)
		}
	}
}

// known reports whether a source of the id at a place in a path is known, or the id must
// stay without one.
func (b *builder) known(op *model.Operation, to input) bool {
	for _, p := range b.places[op.ID] {
		if to.in == model.InPath && slices.Contains(p.names, to.name) {
			_, ok := b.source(p.at)
			return ok || p.at == b.not
		}
	}
	return false
}
