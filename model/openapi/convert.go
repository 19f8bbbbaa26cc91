package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"sonde/model"
)

// converter converts kin-openapi's operations and schemas to the model. It takes the order of the results from the
// clean tree, because the maps of kin-openapi have no order.
type converter struct {
	*bundle
	names    map[*openapi3.Schema]string // names of the components, by their schemas
	seen     map[*openapi3.Schema]*model.Schema
	queue    []pendingSchema
	inPart   bool // the current schema is a part, or is inside a part
	examples []example
}

// pendingSchema is a schema of the model that is still empty. It is filled later, from the schema of kin-openapi.
type pendingSchema struct {
	from   *openapi3.Schema
	to     *model.Schema
	inPart bool // the schema is a part, or is inside a part
}

func newConverter(b *bundle) *converter {
	c := &converter{bundle: b, names: map[*openapi3.Schema]string{}, seen: map[*openapi3.Schema]*model.Schema{}}
	for _, p := range b.all[:b.usedParts] {
		c.names[p.kin] = p.name
	}
	return c
}

// convert converts an operation and its schemas to the model. It returns nil if kin-openapi refuses the operation, or
// if the context is done.
func (c *converter) convert(op *operation) *model.Operation {
	if c.ctx.Err() != nil {
		return nil
	}
	from, err := c.kinOperation(op.clean)
	if err != nil {
		c.add(op.at, op.source, "the operation is not understood (%v); left out", err)
		return nil
	}
	to := c.operation(op, from)
	c.drain()
	return to
}

func (c *converter) operation(op *operation, from *openapi3.Operation) *model.Operation {
	return &model.Operation{
		ID:          op.id,
		Method:      op.method,
		Path:        op.path,
		Line:        op.line(),
		Name:        from.OperationID,
		Summary:     from.Summary,
		Description: from.Description,
		Tags:        from.Tags,
		Deprecated:  from.Deprecated,
		Params:      c.params(op, from.Parameters),
		Body:        c.body(op, from.RequestBody),
		Responses:   c.responses(op, from.Responses),
		Callbacks:   c.callbacks(op, from.Callbacks),
		Secured:     op.security.secured,
		Schemes:     op.security.schemes,

		Alternatives: op.security.alternatives,
	}
}

func (c *converter) params(op *operation, from openapi3.Parameters) []model.Parameter {
	params := make([]model.Parameter, len(from))
	i := 0
	for _, clean := range op.clean.list("parameters") {
		if in := clean.str("in"); in != "body" && in != "formData" {
			p := from[i].Value
			params[i] = c.param(clean, p, p.Name, model.Location(p.In))
			c.example(&params[i].Schema, clean)
			i++
		}
	}
	return params
}

// param converts a parameter or a header. If it has content instead of a schema, its style is the media type of the
// content.
func (c *converter) param(clean *node, p *openapi3.Parameter, name string, in model.Location) model.Parameter {
	style, explode := serialised(p, in)
	schema := p.Schema
	for _, media := range clean.get("content").names() {
		if schema == nil {
			schema, style, explode = p.Content[media].Schema, media, false
		}
	}
	return model.Parameter{
		Name:        name,
		In:          in,
		Required:    p.Required || in == model.InPath,
		Description: p.Description,
		Schema:      c.schemaOrAny(schema),
		Style:       style,
		Explode:     explode,
	}
}

// serialised returns the style and explode of a parameter. It fills in the defaults of OpenAPI.
func serialised(p *openapi3.Parameter, in model.Location) (style string, explode bool) {
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

func (c *converter) body(op *operation, ref *openapi3.RequestBodyRef) *model.RequestBody {
	if !c.isV2 {
		return c.body3(op.clean.get("requestBody"), ref)
	}
	if ref == nil || ref.Value == nil {
		return nil
	}
	body := newBody(ref.Value)
	c.body2(op, body, ref.Value)
	return body
}

func newBody(from *openapi3.RequestBody) *model.RequestBody {
	return &model.RequestBody{Name: "body", Required: from.Required, Description: from.Description}
}

// body3 converts the request body of an operation of OpenAPI 3. It returns nil if the operation has none.
func (c *converter) body3(clean *node, ref *openapi3.RequestBodyRef) *model.RequestBody {
	if ref == nil {
		return nil
	}
	body, content := newBody(ref.Value), clean.get("content")
	body.Contents = c.contents(ref.Value.Content, content.names())
	for i := range body.Contents {
		media := content.get(body.Contents[i].Media)
		c.example(&body.Contents[i].Schema, media)
		body.Contents[i].Parts = partsOf(media.get("encoding"))
	}
	return body
}

// partsOf returns the declared media types of the parts of a body.
func partsOf(encoding *node) []model.PartMedia {
	var all []model.PartMedia
	for i, name := range encoding.names() {
		if media := encoding.kids[i].str("contentType"); media != "" {
			all = append(all, model.PartMedia{Name: name, Media: media})
		}
	}
	return all
}

// body2 sets the name and the contents of a request body from an operation of OpenAPI 2.0. For a form, it also sets the
// order of the fields, which is that of the parameters. A form is required if one of its fields is required.
func (c *converter) body2(op *operation, body *model.RequestBody, from *openapi3.RequestBody) {
	if name, ok := from.Extensions["x-originalParamName"].(string); ok {
		body.Name = name
	}
	body.Contents = c.contents(from.Content, textsOf(op.clean.list("consumes")))
	var fields []string
	for _, p := range op.clean.list("parameters") {
		if p.str("in") == "formData" {
			fields = append(fields, p.str("name"))
		}
	}
	if fields == nil {
		return
	}
	for _, content := range body.Contents {
		schema := from.Content[content.Media].Schema.Value
		content.Schema.Properties = c.properties(schema, fields)
		body.Required = body.Required || len(schema.Required) > 0
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
		if ref := from.Value(status); ref != nil && ref.Value != nil {
			all = append(all, c.response(op, status, clean.kids[i], ref.Value))
		}
	}
	return all
}

func (c *converter) response(op *operation, status string, clean *node, from *openapi3.Response) model.Response {
	r := model.Response{Status: status}
	if from.Description != nil {
		r.Description = *from.Description
	}
	order := clean.get("content").names()
	if c.isV2 {
		order = textsOf(op.clean.list("produces"))
	}
	r.Contents = c.contents(from.Content, order)
	headers := clean.get("headers")
	for i, name := range headers.names() {
		if h := from.Headers[name]; h != nil && h.Value != nil {
			r.Headers = append(r.Headers, c.param(headers.kids[i], &h.Value.Parameter, name, model.InHeader))
		}
	}
	r.Links = c.responseLinks(clean.get("links"))
	return r
}

// responseLinks returns those links of a response that lead to an operation in the document.
func (c *converter) responseLinks(links *node) []model.ResponseLink {
	var all []model.ResponseLink
	for i, name := range links.names() {
		if f, ok := c.linkTargets[links.kids[i]]; ok {
			f.Name = name
			all = append(all, f)
		}
	}
	return all
}

func textsOf(list []*node) []string {
	var all []string
	for _, n := range list {
		all = append(all, n.text)
	}
	return all
}
