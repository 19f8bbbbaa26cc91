package openapi

import (
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"sonde/model"
)

// spec feeds the bundle to kin-openapi and turns what it makes of it into the
// model.
func (b *bundle) spec() (*model.Spec, error) {
	doc, err := b.feedAll()
	if err != nil {
		return nil, err
	}
	spec := &model.Spec{
		Title:   b.head.get("info").str("title"),
		Version: b.head.get("info").str("version"),
		Format:  b.format,
		Servers: b.servers(doc),
	}
	c := &converter{bundle: b, seen: map[*openapi3.Schema]*model.Schema{}}
	c.nameParts(doc)
	for _, op := range b.ops {
		if !op.skipped {
			spec.Operations = append(spec.Operations, c.operation(op, doc))
		}
	}
	c.drain()
	spec.Problems = b.listed()
	return spec, b.ctx.Err()
}

// feedAll feeds everything, or everything but the few pieces that kin-openapi
// refuses, which it lists.
func (b *bundle) feedAll() (*openapi3.T, error) {
	doc, err := b.feed(pieces{b.used, len(b.ops)})
	if err == nil || b.ctx.Err() != nil {
		return doc, err
	}
	err = isolate(b.used, func(first int) error {
		_, err := b.feed(pieces{first, 0})
		return err
	}, func(i int, why error) {
		b.all[i].skipped = true
		b.complain(b.all[i].at, b.all[i].node, "the schema is not understood (%s); left out", oneLine(why))
	})
	if err != nil {
		return nil, err
	}
	err = isolate(len(b.ops), func(first int) error {
		_, err := b.feed(pieces{b.used, first})
		return err
	}, func(i int, why error) {
		b.ops[i].skipped = true
		b.complain(b.ops[i].at, b.ops[i].source, "the operation is not understood (%s); left out", oneLine(why))
	})
	if err != nil {
		return nil, err
	}
	return b.feed(pieces{b.used, len(b.ops)})
}

func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// servers returns the servers' URLs without a slash at the end.
func (b *bundle) servers(doc *openapi3.T) []string {
	var all []string
	for _, s := range doc.Servers {
		u := strings.TrimRight(s.URL, "/")
		if u != "" && !slices.Contains(all, u) {
			all = append(all, b.absolute(u))
		}
	}
	return all
}

// absolute gives a server without a host the one that the spec was fetched
// from.
func (b *bundle) absolute(server string) string {
	base, err := url.Parse(b.source)
	if err != nil || !isURL(b.source) {
		return server
	}
	u, err := base.Parse(server)
	if err != nil {
		return server
	}
	return u.String()
}

// listed returns the problems in the order of the document.
func (b *bundle) listed() []model.Problem {
	slices.SortStableFunc(b.problems, func(p, q problem) int {
		if p.at.doc.main != q.at.doc.main {
			return map[bool]int{true: -1, false: 1}[p.at.doc.main]
		}
		if p.at.doc != q.at.doc {
			return strings.Compare(p.at.doc.name, q.at.doc.name)
		}
		return p.line - q.line
	})
	var all []model.Problem
	for _, p := range b.problems {
		all = append(all, model.Problem{Pointer: p.at.pointer(), Line: p.line, Text: p.text})
	}
	return slices.Compact(all)
}

// converter turns kin-openapi's document into the model. Its maps have no
// order; that of the clean tree is used.
type converter struct {
	*bundle
	seen  map[*openapi3.Schema]*model.Schema
	names map[*openapi3.Schema]string
	queue []pair
}

// pair is a schema that is still to be filled.
type pair struct {
	from *openapi3.Schema
	to   *model.Schema
}

func (c *converter) nameParts(doc *openapi3.T) {
	c.names = map[*openapi3.Schema]string{}
	for _, p := range c.all[:c.used] {
		if ref := doc.Components.Schemas[p.key()]; ref != nil && ref.Value != nil {
			c.names[ref.Value] = p.name
		}
	}
}

func (c *converter) operation(op *operation, doc *openapi3.T) *model.Operation {
	from := doc.Paths.Value(op.path).GetOperation(op.verb())
	return &model.Operation{
		ID:          op.id,
		Method:      op.verb(),
		Path:        op.path,
		Name:        from.OperationID,
		Summary:     from.Summary,
		Description: from.Description,
		Tags:        from.Tags,
		Deprecated:  from.Deprecated,
		Params:      c.params(from.Parameters),
		Body:        c.body(op, from.RequestBody),
		Responses:   c.responses(op, from.Responses),
		Secured:     op.secured,
	}
}

func (c *converter) params(from openapi3.Parameters) []model.Param {
	var params []model.Param
	for _, ref := range from {
		params = append(params, c.param(ref.Value, ref.Value.Name, model.Place(ref.Value.In)))
	}
	return params
}

func (c *converter) param(p *openapi3.Parameter, name string, in model.Place) model.Param {
	style, explode := serialised(p, in)
	schema := p.Schema
	for _, media := range p.Content {
		schema = media.Schema
	}
	return model.Param{
		Name:        name,
		In:          in,
		Required:    p.Required || in == model.InPath,
		Description: p.Description,
		Schema:      c.schemaOrAny(schema),
		Style:       style,
		Explode:     explode,
	}
}

// serialised fills in OpenAPI's defaults.
func serialised(p *openapi3.Parameter, in model.Place) (style string, explode bool) {
	style = p.Style
	if style == "" {
		style = openapi3.SerializationSimple
		if in == model.InQuery || in == model.InCookie {
			style = openapi3.SerializationForm
		}
	}
	if p.Explode != nil {
		return style, *p.Explode
	}
	return style, style == openapi3.SerializationForm
}

// body converts the body; a form of OpenAPI 2.0 has its fields in the order of
// the parameters.
func (c *converter) body(op *operation, ref *openapi3.RequestBodyRef) *model.Body {
	if ref == nil || ref.Value == nil {
		return nil
	}
	body := &model.Body{Name: "body", Required: ref.Value.Required, Description: ref.Value.Description}
	if !c.two {
		body.Contents = c.contents(ref.Value.Content, op.clean.get("requestBody").get("content").names())
		return body
	}
	if name, ok := ref.Value.Extensions["x-originalParamName"].(string); ok {
		body.Name = name
	}
	body.Contents = c.contents(ref.Value.Content, texted(op.clean.list("consumes")))
	if fields := formFields(op); fields != nil {
		c.form(body, ref.Value.Content, fields)
	}
	return body
}

// formFields names the fields of a form in OpenAPI 2.0.
func formFields(op *operation) []string {
	var fields []string
	for _, p := range op.clean.list("parameters") {
		if p.str("in") == "formData" {
			fields = append(fields, p.str("name"))
		}
	}
	return fields
}

// form puts a form's fields into order. The form is required if a field is.
func (c *converter) form(body *model.Body, from openapi3.Content, fields []string) {
	for _, content := range body.Contents {
		media := from[content.Media].Schema.Value
		content.Schema.Properties = c.properties(media, fields)
		body.Required = body.Required || len(media.Required) > 0
	}
}

func (c *converter) contents(from openapi3.Content, order []string) []model.Content {
	var all []model.Content
	for _, media := range order {
		if m := from[media]; m != nil {
			all = append(all, model.Content{Media: media, Schema: c.schema(m.Schema)})
		}
	}
	return all
}

func (c *converter) responses(op *operation, from *openapi3.Responses) []model.Response {
	clean := op.clean.get("responses")
	var all []model.Response
	for i, status := range clean.keys {
		ref := from.Value(status)
		if ref == nil || ref.Value == nil {
			continue
		}
		r := model.Response{Status: status}
		if ref.Value.Description != nil {
			r.Description = *ref.Value.Description
		}
		order := clean.kids[i].get("content").names()
		if c.two {
			order = texted(op.clean.list("produces"))
		}
		r.Contents = c.contents(ref.Value.Content, order)
		for _, name := range clean.kids[i].get("headers").names() {
			if h := ref.Value.Headers[name]; h != nil && h.Value != nil {
				r.Headers = append(r.Headers, c.param(&h.Value.Parameter, name, model.InHeader))
			}
		}
		all = append(all, r)
	}
	return all
}

// names returns an object's keys.
func (n *node) names() []string {
	if n == nil {
		return nil
	}
	return n.keys
}

func texted(list []*node) []string {
	var all []string
	for _, n := range list {
		all = append(all, n.text)
	}
	return all
}

func (op *operation) verb() string { return strings.ToUpper(op.method) }
