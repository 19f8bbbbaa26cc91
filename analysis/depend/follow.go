package depend

import (
	"net/textproto"
	"slices"
	"strings"

	"sonde/model"
)

// input is a place in an operation's request.
type input struct {
	op   model.OpID
	in   model.Location
	name string
}

// follow is a link that the document itself declares: what the answer to an
// operation, or its path, holds for an input of another.
type follow struct {
	from *model.Operation
	to   input
	link model.Link // but for the calls
}

// addFollows takes in the links of OpenAPI 3 that lead from an operation's
// success to a parameter. What a link gives for a whole body, or takes from the
// request's query or body, is not followed.
func (x *index) addFollows(ops []*model.Operation) {
	byID := map[model.OpID]*model.Operation{}
	for _, op := range ops {
		byID[op.ID] = op
	}
	for _, op := range ops {
		for _, r := range op.Responses {
			for _, f := range r.Links {
				if to := byID[f.Op]; to != nil && r.Success() {
					x.addTakes(op, to, f.Inputs)
				}
			}
		}
	}
}

func (x *index) addTakes(from, to *model.Operation, takes []model.LinkInput) {
	for _, t := range takes {
		p := slices.IndexFunc(to.Params, func(p model.Parameter) bool { return p.Name == t.Name && (t.In == "" || t.In == p.In) })
		link, ok := expression(t.From)
		if p < 0 || !ok || to.Params[p].In != model.InPath && to.Params[p].In != model.InQuery {
			continue
		}
		link.In, link.Name = to.Params[p].In, t.Name
		f := follow{from: from, to: input{op: to.ID, in: link.In, name: link.Name}, link: link}
		x.follows[from.ID] = append(x.follows[from.ID], f)
		if to.Params[p].Required {
			x.leads[to.ID] = append(x.leads[to.ID], f)
		}
	}
}

// expression reads a runtime expression of OpenAPI as the source of a link.
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

// declared returns the links that the document has for the operation that is
// called next, as the i-th, from the calls before it.
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

// follow remembers what the document says that the i-th call holds for others.
func (w *wiring) follow(op *model.Operation, i int) {
	for _, f := range w.follows[op.ID] {
		f.link.From = i
		w.followed[f.to] = f.link
	}
}

// lead calls the operations whose answers the document says to hold what an
// operation needs and nobody was found to create.
func (b *builder) lead(op *model.Operation) {
	for _, f := range b.leads[op.ID] {
		if _, told := b.followed[f.to]; !told && !b.used[f.from.ID] && !b.known(op, f.to) {
			b.add(f.from, 1, 1)
		}
	}
}

// known reports whether the id at a place in a path can be had, or is not to be.
func (b *builder) known(op *model.Operation, to input) bool {
	for _, p := range b.places[op.ID] {
		if to.in == model.InPath && slices.Contains(p.names, to.name) {
			_, ok := b.source(p.at)
			return ok || p.at == b.not
		}
	}
	return false
}
