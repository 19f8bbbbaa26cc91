package openapi

import (
	"cmp"
	"strings"

	"sonde/model"
)

// link is a link of OpenAPI 3: its place, its node in the file and its clean copy. The operation to which it leads is
// looked up after all operations are read.
type link struct {
	at     *place
	source *node
	clean  *node
}

// checkLink returns an error text for a link without an operation, "" for other links.
func checkLink(n *node) string {
	if n.str("operationId") == "" && n.str("operationRef") == "" {
		return "a link that names no operation"
	}
	return ""
}

// operationIndex finds operations by the three ways in which a link may name them: method and path, operationId, or a
// reference to a node.
type operationIndex struct {
	id     map[model.OpID]*operation
	name   map[string]*operation // the first operation with each operationId
	source map[*node]*operation
}

func newOperationIndex(ops []*operation) operationIndex {
	r := operationIndex{id: map[model.OpID]*operation{}, name: map[string]*operation{}, source: map[*node]*operation{}}
	for _, op := range ops {
		name := op.clean.str("operationId")
		r.id[op.id] = op
		r.name[name] = cmp.Or(r.name[name], op)
		r.source[op.source] = cmp.Or(r.source[op.source], op)
	}
	return r
}

// followLinks looks up the operations to which all links lead.
func (b *bundle) followLinks() {
	if len(b.links) == 0 {
		return
	}
	all := newOperationIndex(b.ops)
	b.linkTargets = make(map[*node]model.ResponseLink, len(b.links))
	for _, l := range b.links {
		if op := b.target(l, all); op != nil {
			b.linkTargets[l.clean] = model.ResponseLink{Op: op.id, Inputs: b.linkInputs(l, op)}
		}
	}
}

// target returns the operation that a link names. If there is none, it adds a problem and returns nil.
func (b *bundle) target(l link, all operationIndex) *operation {
	name, ref := l.clean.str("operationId"), l.clean.get("operationRef")
	if name == "" {
		return b.targetByRef(l, ref, all)
	}
	if ref != nil {
		b.add(l.at.at("operationRef"), ref, "operationRef beside an operationId; left out")
	}
	op := all.name[name]
	if op == nil {
		b.add(
			l.at.at("operationId"), l.clean.get("operationId"),
			"no operation has the operationId %q; the link is left out", short(name),
		)
	}
	return op
}

// targetByRef returns the operation that the operationRef of a link names. The operation is in the document itself or
// in a path item of another file. If there is no such operation, targetByRef adds a problem and returns nil.
func (b *bundle) targetByRef(l link, ref *node, all operationIndex) *operation {
	doc, tokens, err := b.docs.resolve(ref, l.at)
	if err == nil && doc.main && len(tokens) == 3 && tokens[0] == "paths" {
		if op := all.id[operationID(tokens[1], tokens[2])]; op != nil {
			return op
		}
	}
	var n *node
	if err == nil {
		n, _, err = descend(doc, tokens)
	}
	op := all.source[n]
	switch {
	case err != nil:
		b.add(l.at.at("operationRef"), ref, "operationRef %q: %v; the link is left out", short(ref.text), err)
	case op == nil:
		b.add(l.at.at("operationRef"), ref, "operationRef %q: no operation is there; the link is left out", short(ref.text))
	}
	return op
}

// linkInputs returns the inputs of op that a link sets by an expression. It ignores inputs that the link sets to a
// constant, because no value is passed to them.
func (b *bundle) linkInputs(l link, op *operation) []model.LinkInput {
	var all []model.LinkInput
	params, at := l.clean.get("parameters"), l.at.at("parameters")
	if params != nil && params.kind != isObject {
		b.add(at, params, "an object of parameters belongs here, not %s; left out", params.what())
	}
	for i, key := range params.names() {
		t, known := op.linkInput(key)
		t.From = params.kids[i].text
		if !known {
			b.add(at.at(key), params.kids[i], "%q is no parameter of %q; left out", short(key), op.id)
		} else if isExpression(t.From) {
			all = append(all, t)
		}
	}
	body := l.clean.get("requestBody")
	switch {
	case body == nil:
	case op.clean.get("requestBody") == nil:
		b.add(l.at.at("requestBody"), body, "%q takes no body; left out", op.id)
	case isExpression(body.text):
		all = append(all, model.LinkInput{In: model.InBody, From: body.text})
	}
	return all
}

// linkInput parses the name of a link's parameter, such as "path.id" or, without a location, "id". known reports
// whether op has such a parameter.
func (op *operation) linkInput(key string) (t model.LinkInput, known bool) {
	if op.has("", key) {
		return model.LinkInput{Name: key}, true
	}
	in, name, _ := strings.Cut(key, ".")
	return model.LinkInput{In: model.Location(in), Name: name}, op.has(in, name)
}

// has reports whether op has a parameter with this name and location. The location "" means any.
func (op *operation) has(in, name string) bool {
	for _, p := range op.clean.list("parameters") {
		if p.str("name") == name && (in == "" || p.str("in") == in) {
			return true
		}
	}
	return false
}

// isExpression reports whether a text is a runtime expression or contains one.
func isExpression(text string) bool {
	return strings.HasPrefix(text, "$") || strings.Contains(text, "{$")
}
