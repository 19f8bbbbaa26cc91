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

// finish2 makes an operation of OpenAPI 2.0 one that converts into 3.0 without
// loss: the media types of the document become the operation's own, and what
// it takes in its message is one body or one form.
func (b *bundle) finish2(op *operation, params []param) []param {
	params = b.oneMessage(params)
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
			params[i].node = b.finishParam2(p)
		}
	}
	return params
}

func hasIn(params []param, in string) bool {
	return slices.ContainsFunc(params, func(p param) bool { return p.in() == in })
}

// oneMessage leaves one body, the first whose schema is understood, or the
// form if there is none such. Generators list what a framework injects into a
// handler as a body, too, with a schema that is nowhere.
func (b *bundle) oneMessage(params []param) []param {
	form := hasIn(params, "formData")
	body := slices.IndexFunc(params, func(p param) bool { return p.in() == "body" && p.get("schema") != nil })
	if body < 0 && !form {
		body = slices.IndexFunc(params, func(p param) bool { return p.in() == "body" })
	}
	var kept []param
	for i, p := range params {
		switch {
		case p.in() == "body" && i != body:
			b.complain(p.at, p.node, "a second body %q; left out", short(p.str("name")))
		case p.in() == "formData" && body >= 0:
			b.complain(p.at, p.node, "the form field %q beside a body; left out", short(p.str("name")))
		default:
			kept = append(kept, p)
		}
	}
	return kept
}

// maxMedia bounds the media types that are read of one list.
const maxMedia = 100

// media returns the operation's media types, or the document's, or JSON.
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

// formMedias keeps the media types that a form can be sent as; a file needs
// the one with parts.
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

// bodyMedias keeps the media types that are no form, as in OpenAPI 2.0 a body
// is none.
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

// finishParam2 writes out what the converter would take for something else:
// some documents hide a simple parameter's type in a schema, and a list in the
// query is comma-separated unless the document says otherwise.
func (b *bundle) finishParam2(p param) *node {
	own := p.clone()
	if schema := p.get("schema"); schema != nil && schema.get("$ref") == nil {
		for i, key := range schema.keys {
			if _, ok := constraints[key]; (ok || key == "items") && own.get(key) == nil {
				own.set(key, schema.kids[i])
			}
		}
	}
	if p.in() == "query" {
		b.finishList2(own, p.at)
	}
	return own
}

func (b *bundle) finishList2(p *node, at *place) {
	switch format := p.str("collectionFormat"); format {
	case "csv", "ssv", "pipes", "multi":
		return
	case "":
	default:
		b.complain(at, p, "a list cannot be separated as %q; commas are used", short(format))
	}
	p.set("collectionFormat", textNode("csv", p.line))
}
