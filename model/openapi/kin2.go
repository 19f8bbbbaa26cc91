package openapi

import (
	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
)

// operation2 converts a clean operation of OpenAPI 2.0 to the type of kin-openapi.
func operation2(n *node) *openapi2.Operation {
	op := &openapi2.Operation{
		Tags:        textsAt(n, "tags"),
		Summary:     n.str("summary"),
		Description: n.str("description"),
		OperationID: n.str("operationId"),
		Deprecated:  flagAt(n, "deprecated"),
		Consumes:    textsAt(n, "consumes"),
		Produces:    textsAt(n, "produces"),
		Parameters:  each(n.list("parameters"), param2),
		Responses:   openapi2.NewResponsesWithCapacity(len(n.get("responses").names())),
	}
	for i, status := range n.get("responses").names() {
		op.Responses.Set(status, response2(n.get("responses").kids[i]))
	}
	return op
}

func param2(n *node) *openapi2.Parameter {
	return &openapi2.Parameter{
		In: n.str("in"), Name: n.str("name"), Description: n.str("description"), Required: flagAt(n, "required"),
		Schema: schema2(n.get("schema")), CollectionFormat: n.str("collectionFormat"),
		Type: typesAt(n, "type"), Format: n.str("format"), Enum: valuesAt(n, "enum"), Default: valueAt(n, "default"),
		Minimum: floatAt(n, "minimum"), ExclusiveMin: flagAt(n, "exclusiveMinimum"),
		Maximum: floatAt(n, "maximum"), ExclusiveMax: flagAt(n, "exclusiveMaximum"),
		MultipleOf: floatAt(n, "multipleOf"),
		MinLength:  countAt(n, "minLength"), MaxLength: sizeAt(n, "maxLength"), Pattern: n.str("pattern"),
		MinItems: countAt(n, "minItems"), MaxItems: sizeAt(n, "maxItems"), UniqueItems: flagAt(n, "uniqueItems"),
		Items: schema2(n.get("items")),
	}
}

func response2(n *node) *openapi2.Response {
	return &openapi2.Response{
		Description: n.str("description"),
		Schema:      schema2(n.get("schema")),
		Headers:     mapped(n.get("headers"), header2),
	}
}

func header2(n *node) *openapi2.Header { return &openapi2.Header{Parameter: *param2(n)} }

// schema2 converts a clean schema of OpenAPI 2.0 to the type of kin-openapi. It returns nil for nil.
func schema2(n *node) *openapi2.SchemaRef {
	switch {
	case n == nil:
		return nil
	case n.get("$ref") != nil:
		return &openapi2.SchemaRef{Ref: n.str("$ref")}
	}
	s := &openapi2.Schema{
		Extensions: extensions(n, indexMark, "x-nullable"),
		Type:       typesAt(n, "type"), Format: n.str("format"), Title: n.str("title"), Description: n.str("description"),
		Enum: valuesAt(n, "enum"), Default: valueAt(n, "default"), Example: valueAt(n, "example"),
		ReadOnly: flagAt(n, "readOnly"),
		Min:      floatAt(n, "minimum"), ExclusiveMin: flagAt(n, "exclusiveMinimum"),
		Max: floatAt(n, "maximum"), ExclusiveMax: flagAt(n, "exclusiveMaximum"),
		MultipleOf: floatAt(n, "multipleOf"),
		MinLength:  countAt(n, "minLength"), MaxLength: sizeAt(n, "maxLength"), Pattern: n.str("pattern"),
		MinItems: countAt(n, "minItems"), MaxItems: sizeAt(n, "maxItems"), UniqueItems: flagAt(n, "uniqueItems"),
		Items:    schema2(n.get("items")),
		Required: textsAt(n, "required"), Properties: mapped(n.get("properties"), schema2),
		AdditionalProperties: additional(n.get("additionalProperties"), additional2),
		AllOf:                each(n.list("allOf"), schema2),
		MinProps:             countAt(n, "minProperties"), MaxProps: sizeAt(n, "maxProperties"),
		Discriminator: n.str("discriminator"), XML: xmlAt(n, "xml"),
	}
	return &openapi2.SchemaRef{Value: s}
}

// additional2 converts a clean schema of OpenAPI 2.0 to a schema of OpenAPI 3. It is for additionalProperties, which
// have a type of OpenAPI 3 even in kin-openapi's types for 2.0.
func additional2(n *node) *openapi3.SchemaRef { return openapi2conv.ToV3SchemaRef(schema2(n)) }
