package openapi

import (
	"slices"
	"strings"
)

const (
	jsonMedia      = "application/json"
	formMedia      = "application/x-www-form-urlencoded"
	multipartMedia = "multipart/form-data"
)

// normalize2 prepares an operation of OpenAPI 2.0 for the conversion to 3.0 without loss. It sets the media types
// that the operation inherits from the document. It returns the parameters, with at most one body or one form.
func (b *bundle) normalize2(op *operation, params []param) []param {
	params = b.keepOneBody(params)
	consumes := b.media(op, "consumes")
	if hasIn(params, "formData") {
		consumes = formMedias(params, consumes)
	} else {
		consumes = bodyMedias(consumes)
	}
	op.clean.set("consumes", textList(consumes))
	op.clean.set("produces", textList(b.media(op, "produces")))
	for i, p := range params {
		if p.in() != "body" {
			params[i].node = b.normalizeParam2(p)
		}
	}
	return params
}

func hasIn(params []param, in string) bool {
	return slices.ContainsFunc(params, func(p param) bool { return p.in() == in })
}

// keepOneBody removes parameters so that at most one body or one form is left. It keeps the first body whose schema
// can be read. If there is none, it keeps the form fields. If there are none, it keeps the first body.
//
// An operation may have several bodies because some generators list objects that a framework injects into a handler
// as bodies, with schemas that do not exist.
func (b *bundle) keepOneBody(params []param) []param {
	form := hasIn(params, "formData")
	body := slices.IndexFunc(params, func(p param) bool { return p.in() == "body" && p.get("schema") != nil })
	if body < 0 && !form {
		body = slices.IndexFunc(params, func(p param) bool { return p.in() == "body" })
	}
	var kept []param
	for i, p := range params {
		switch {
		case p.in() == "body" && i != body:
			b.add(p.at, p.node, "a second body %q; left out", short(p.str("name")))
		case p.in() == "formData" && body >= 0:
			b.add(p.at, p.node, "the form field %q beside a body; left out", short(p.str("name")))
		default:
			kept = append(kept, p)
		}
	}
	return kept
}

// maxMedia is the maximum number of media types that are read from one list.
const maxMedia = 100

// media returns the media types of the operation. If it declares none, media returns those of the document or, if
// there are none, JSON.
func (b *bundle) media(op *operation, key string) []string {
	list := op.clean.get(key)
	if list == nil {
		list = b.head.get(key)
	}
	var all []string
	for _, n := range list.elements(maxMedia) {
		if m := strings.TrimSpace(n.text); m != "" && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return []string{jsonMedia}
	}
	return all
}

// formMedias returns the media types in which a form can be sent. A form with a file must be multipart.
func formMedias(params []param, consumes []string) []string {
	isFile := func(n *node) bool { return n.text == "file" }
	for _, p := range params {
		if p.in() == "formData" && slices.ContainsFunc(p.list("type"), isFile) {
			return []string{multipartMedia}
		}
	}
	var forms []string
	for _, m := range consumes {
		if m == formMedia || m == multipartMedia {
			forms = append(forms, m)
		}
	}
	if len(forms) == 0 {
		return []string{formMedia}
	}
	return forms
}

// bodyMedias returns the media types for a body: all except the types of forms, or JSON if no other is left. In OpenAPI
// 2.0, a form is not a body.
func bodyMedias(consumes []string) []string {
	var bodies []string
	for _, m := range consumes {
		if m != formMedia && m != multipartMedia {
			bodies = append(bodies, m)
		}
	}
	if len(bodies) == 0 {
		return []string{jsonMedia}
	}
	return bodies
}

func textList(all []string) *node {
	list := &node{kind: isList}
	for _, s := range all {
		list.kids = append(list.kids, textNode(s, 0))
	}
	return list
}

// normalizeParam2 returns a copy of a parameter outside the body, with two details added that kin-openapi would read
// differently:
//   - the type and its constraints, if the document gives them in a schema, as for a body
//   - commas as the separator of a list in the query, unless the document states another
func (b *bundle) normalizeParam2(p param) *node {
	own := p.clone()
	if schema := p.get("schema"); schema != nil && schema.get("$ref") == nil {
		for i, key := range schema.keys {
			if _, ok := constraints[key]; (ok || key == "items") && own.get(key) == nil {
				own.set(key, schema.kids[i])
			}
		}
	}
	if p.in() == "query" {
		b.normalizeList2(own, p.at)
	}
	return own
}

func (b *bundle) normalizeList2(p *node, at *place) {
	switch format := p.str("collectionFormat"); format {
	case "csv", "ssv", "pipes", "multi":
		return
	case "":
	default:
		b.add(at, p, "a list cannot be separated as %q; commas are used", short(format))
	}
	p.set("collectionFormat", textNode("csv", p.line))
}
