package openapi

import "github.com/getkin/kin-openapi/openapi3"

// operation3 converts a clean operation of OpenAPI 3 to the type of kin-openapi.
func operation3(n *node) *openapi3.Operation {
	op := &openapi3.Operation{
		Tags:        textsAt(n, "tags"),
		Summary:     n.str("summary"),
		Description: n.str("description"),
		OperationID: n.str("operationId"),
		Deprecated:  flagAt(n, "deprecated"),
		Parameters:  each(n.list("parameters"), param3),
		Callbacks:   mapped(n.get("callbacks"), callback3),
		Responses:   openapi3.NewResponsesWithCapacity(len(n.get("responses").names())),
	}
	if body := n.get("requestBody"); body != nil {
		op.RequestBody = &openapi3.RequestBodyRef{Value: body3(body)}
	}
	for i, status := range n.get("responses").names() {
		op.Responses.Set(status, &openapi3.ResponseRef{Value: response3(n.get("responses").kids[i])})
	}
	return op
}

func param3(n *node) *openapi3.ParameterRef {
	p := &openapi3.Parameter{
		Name:        n.str("name"),
		In:          n.str("in"),
		Description: n.str("description"),
		Style:       n.str("style"),
		Required:    flagAt(n, "required"),
		Schema:      schema3(n.get("schema")),
		Content:     mapped(n.get("content"), media3),
	}
	if n.get("explode") != nil {
		p.Explode = openapi3.Ptr(flagAt(n, "explode"))
	}
	return &openapi3.ParameterRef{Value: p}
}

func header3(n *node) *openapi3.HeaderRef {
	return &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: *param3(n).Value}}
}

func body3(n *node) *openapi3.RequestBody {
	return &openapi3.RequestBody{
		Description: n.str("description"),
		Required:    flagAt(n, "required"),
		Content:     mapped(n.get("content"), media3),
	}
}

func media3(n *node) *openapi3.MediaType {
	return &openapi3.MediaType{Schema: mediaSchema3(n)}
}

func response3(n *node) *openapi3.Response {
	r := &openapi3.Response{
		Headers: mapped(n.get("headers"), header3),
		Content: mapped(n.get("content"), media3),
	}
	if text := n.get("description"); text != nil {
		r.Description = openapi3.Ptr(text.text)
	}
	return r
}

// schema3 converts a clean schema of OpenAPI 3 to the type of kin-openapi. It returns nil for nil.
func schema3(n *node) *openapi3.SchemaRef {
	switch {
	case n == nil:
		return nil
	case n.kind == isFlag:
		return &openapi3.SchemaRef{Value: &openapi3.Schema{Always: openapi3.Ptr(n.is("true"))}}
	case n.get("$ref") != nil:
		return &openapi3.SchemaRef{Ref: n.str("$ref")}
	}
	s := &openapi3.Schema{
		Extensions: extensions(n, indexMark, siblingsMark),
		Type:       typesAt(n, "type"), Format: n.str("format"), Title: n.str("title"), Description: n.str("description"),
		Nullable: flagAt(n, "nullable"), ReadOnly: flagAt(n, "readOnly"), WriteOnly: flagAt(n, "writeOnly"),
		Enum: valuesAt(n, "enum"), Const: valueAt(n, "const"), Default: valueAt(n, "default"),
		Example: valueAt(n, "example"), Examples: valuesAt(n, "examples"),
		Min: floatAt(n, "minimum"), ExclusiveMin: bound3(n.get("exclusiveMinimum")),
		Max: floatAt(n, "maximum"), ExclusiveMax: bound3(n.get("exclusiveMaximum")),
		MultipleOf: floatAt(n, "multipleOf"),
		MinLength:  countAt(n, "minLength"), MaxLength: sizeAt(n, "maxLength"), Pattern: n.str("pattern"),
		MinItems: countAt(n, "minItems"), MaxItems: sizeAt(n, "maxItems"), UniqueItems: flagAt(n, "uniqueItems"),
		Items:    schema3(n.get("items")),
		Required: textsAt(n, "required"), Properties: mapped(n.get("properties"), schema3),
		AdditionalProperties: additional3(n),
		AllOf:                each(n.list("allOf"), schema3),
		OneOf:                each(n.list("oneOf"), schema3),
		AnyOf:                each(n.list("anyOf"), schema3),
		Not:                  schema3(n.get("not")),
		MinProps:             countAt(n, "minProperties"), MaxProps: sizeAt(n, "maxProperties"),
		Discriminator: discriminator3(n.get("discriminator")), XML: xmlAt(n, "xml"),
		ContentEncoding: n.str("contentEncoding"), ContentMediaType: n.str("contentMediaType"),
	}
	return &openapi3.SchemaRef{Value: s}
}

// additional3 converts the additionalProperties of a schema of OpenAPI 3. If the schema also has patternProperties,
// additional3 ignores additionalProperties: they do not apply to properties that match a pattern, and Sonde does not
// read the patterns.
func additional3(n *node) openapi3.AdditionalProperties {
	if n.get("patternProperties") != nil {
		return openapi3.AdditionalProperties{}
	}
	return additional(n.get("additionalProperties"), schema3)
}

// additional converts additionalProperties, which are true, false or a schema.
func additional(n *node, schema func(*node) *openapi3.SchemaRef) openapi3.AdditionalProperties {
	switch {
	case n == nil:
		return openapi3.AdditionalProperties{}
	case n.kind == isFlag:
		return openapi3.AdditionalProperties{Has: openapi3.Ptr(n.is("true"))}
	default:
		return openapi3.AdditionalProperties{Schema: schema(n)}
	}
}

// bound3 converts an exclusive limit: a flag in OpenAPI 3.0, and a number in 3.1.
func bound3(n *node) openapi3.ExclusiveBound {
	switch {
	case n == nil:
		return openapi3.ExclusiveBound{}
	case n.kind == isFlag:
		return openapi3.ExclusiveBound{Bool: openapi3.Ptr(n.is("true"))}
	default:
		return openapi3.ExclusiveBound{Value: openapi3.Ptr(floatOf(n))}
	}
}
