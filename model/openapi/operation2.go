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
// loss: the media types of the document become the operation's own, and its
// body is one parameter, or a form.
func (b *bundle) finish2(op *operation, params []*node) []*node {
	params = b.oneBody(op, params)
	consumes := b.media(op, "consumes")
	if hasIn(params, "formData") {
		consumes = formMedias(params, consumes)
	}
	op.clean.set("consumes", textList(consumes))
	op.clean.set("produces", textList(b.media(op, "produces")))
	for i, p := range params {
		params[i] = b.finishParam2(op, p)
	}
	return params
}

func hasIn(params []*node, in string) bool {
	return slices.ContainsFunc(params, func(p *node) bool { return p.str("in") == in })
}

// oneBody leaves the first body, as a message has but one; a form beside it
// cannot be sent.
func (b *bundle) oneBody(op *operation, params []*node) []*node {
	var kept []*node
	body := false
	for _, p := range params {
		switch in := p.str("in"); {
		case in == "body" && body:
			b.complain(op.at.at("parameters"), p, "a second body %q; left out", short(p.str("name")))
			continue
		case in == "formData" && hasIn(params, "body"):
			b.complain(op.at.at("parameters"), p, "the form field %q beside a body; left out", short(p.str("name")))
			continue
		case in == "body":
			body = true
		}
		kept = append(kept, p)
	}
	return kept
}

// media returns the operation's media types, or the document's, or JSON.
func (b *bundle) media(op *operation, key string) []string {
	list := op.clean.get(key)
	if list == nil {
		list = b.head.get(key)
	}
	var all []string
	if list != nil {
		for _, n := range list.kids {
			if m := strings.TrimSpace(n.text); m != "" && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	if len(all) == 0 {
		return []string{jsonMedia}
	}
	return all
}

// formMedias keeps the media types that a form can be sent as.
func formMedias(params []*node, consumes []string) []string {
	for _, p := range params {
		if p.str("in") == "formData" && p.get("type") != nil && slices.ContainsFunc(p.list("type"), isFile) {
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

func isFile(n *node) bool { return n.text == "file" }

func textList(all []string) *node {
	list := &node{kind: isList}
	for _, s := range all {
		list.kids = append(list.kids, textNode(s, 0))
	}
	return list
}

// finishParam2 writes out what the converter would take for something else: a
// list in the query is comma-separated unless the document says otherwise, and
// some documents hide a simple parameter's type in a schema.
func (b *bundle) finishParam2(op *operation, p *node) *node {
	if p.str("in") == "body" {
		return p
	}
	own := &node{kind: isObject, line: p.line, keys: slices.Clone(p.keys), kids: slices.Clone(p.kids)}
	if schema := p.get("schema"); schema != nil && schema.get("$ref") == nil {
		for i, key := range schema.keys {
			if _, ok := b.param.fields[key]; ok && own.get(key) == nil && key != "required" {
				own.set(key, schema.kids[i])
			}
		}
	}
	if p.str("in") == "query" {
		b.finishList2(op, own)
	}
	return own
}

func (b *bundle) finishList2(op *operation, p *node) {
	switch format := p.str("collectionFormat"); format {
	case "csv", "ssv", "pipes", "multi":
	case "":
		p.set("collectionFormat", textNode("csv", p.line))
	default:
		b.complain(op.at.at("parameters"), p, "the list %q is to be separated as %q; commas are used", short(p.str("name")), short(format))
		p.set("collectionFormat", textNode("csv", p.line))
	}
}
