package openapi

// shape is what a document may hold at a place.
type shape uint8

const (
	aText   shape = iota
	aFlag         // true or false
	aNumber       // any number
	aCount        // a whole number, 0 or more
	aValue        // anything: an example, a default
	texts         // a list of texts; a lone text is a list of one
	values        // a list of anything
	one           // an object that keeps a rule
	many          // a list of such objects
	named         // an object whose members are such objects
)

// field is a member of an object: its shape, and the rule where that is one,
// many or named.
type field struct {
	shape shape
	rule  *rule
	// or is the other shape that is fine here, such as false for a schema.
	or []shape
	// instead stands for a bad member, where leaving it out says too much: a
	// property is there even if its schema is not understood.
	instead bool
}

// rule says what members an object of the specification has. Members that are
// not listed are extensions, or unknown, and are passed over.
type rule struct {
	name   string // what messages call the object
	fields map[string]field
	// refs tells that {"$ref": …} may stand for the object.
	refs bool
	// check tells what is wrong with the object as a whole, if anything.
	check func(*node) string
}

var (
	text    = field{shape: aText}
	flag    = field{shape: aFlag}
	number  = field{shape: aNumber}
	count   = field{shape: aCount}
	value   = field{shape: aValue}
	names   = field{shape: texts}
	anyList = field{shape: values}
)

func object(r *rule) field  { return field{shape: one, rule: r} }
func listOf(r *rule) field  { return field{shape: many, rule: r} }
func namesOf(r *rule) field { return field{shape: named, rule: r} }

// with returns the fields of several tables as one; later ones win.
func with(tables ...map[string]field) map[string]field {
	all := map[string]field{}
	for _, t := range tables {
		for k, f := range t {
			all[k] = f
		}
	}
	return all
}

// constraints are the members that a schema shares with the parameters of 2.0.
var constraints = map[string]field{
	"format": text, "description": text, "default": value, "enum": anyList,
	"minimum": number, "maximum": number, "multipleOf": number,
	"minLength": count, "maxLength": count, "pattern": text,
	"minItems": count, "maxItems": count, "uniqueItems": flag,
}

// structure is the part of a schema that holds further schemas.
func structure(schema *rule) map[string]field {
	return map[string]field{
		"title": text, "readOnly": flag, "example": value, "required": names,
		"items":                object(schema),
		"properties":           {shape: named, rule: schema, instead: true},
		"additionalProperties": {shape: one, rule: schema, or: []shape{aFlag}},
		"allOf":                listOf(schema),
	}
}

var infoRule = &rule{name: "info", fields: map[string]field{"title": text, "version": text}}

// headRule is of the document itself, but for what is read piece by piece.
var headRule = &rule{name: "document", fields: map[string]field{
	"info": object(infoRule), "host": text, "basePath": text, "schemes": names,
	"consumes": names, "produces": names, "servers": listOf(server3),
}}

// Rules of OpenAPI 2.0.
var (
	schema2   = &rule{name: "schema", refs: true}
	header2   = &rule{name: "header"}
	response2 = &rule{name: "response", refs: true}
	param2    = &rule{name: "parameter", refs: true, check: checkParam("path", "query", "header", "formData", "body")}

	operation2 = &rule{name: "operation", fields: map[string]field{
		"operationId": text, "summary": text, "description": text, "tags": names,
		"deprecated": flag, "consumes": names, "produces": names,
	}}
)

// Rules of OpenAPI 3.0 and 3.1. They differ in few members, and a document of
// one that uses the other's is understood.
var (
	schema3   = &rule{name: "schema", refs: true}
	media3    = &rule{name: "media type"}
	header3   = &rule{name: "header", refs: true}
	response3 = &rule{name: "response", refs: true}
	body3     = &rule{name: "request body", refs: true}
	param3    = &rule{name: "parameter", refs: true, check: checkParam("path", "query", "header", "cookie")}
	server3   = &rule{name: "server", fields: map[string]field{"url": text}}

	operation3 = &rule{name: "operation", fields: map[string]field{
		"operationId": text, "summary": text, "description": text, "tags": names,
		"deprecated": flag, "requestBody": object(body3),
	}}
)

// The rules refer to each other, and a schema to itself.
func init() {
	schema2.fields = with(constraints, structure(schema2), map[string]field{
		"type": {shape: texts}, "x-nullable": flag, "exclusiveMinimum": flag, "exclusiveMaximum": flag,
	})
	simple := with(constraints, map[string]field{
		"type": {shape: texts}, "items": object(schema2), "collectionFormat": text,
		"exclusiveMinimum": flag, "exclusiveMaximum": flag,
	})
	header2.fields = simple
	param2.fields = with(simple, map[string]field{"name": text, "in": text, "required": flag, "schema": object(schema2)})
	response2.fields = map[string]field{"description": text, "schema": object(schema2), "headers": namesOf(header2)}

	bound := field{shape: aNumber, or: []shape{aFlag}}
	schema3.fields = with(constraints, structure(schema3), map[string]field{
		"type": {shape: texts}, "nullable": flag, "writeOnly": flag, "const": value, "examples": anyList,
		"exclusiveMinimum": bound, "exclusiveMaximum": bound,
		"oneOf": listOf(schema3), "anyOf": listOf(schema3),
	})
	media3.fields = map[string]field{"schema": object(schema3)}
	header3.fields = map[string]field{
		"description": text, "required": flag, "style": text, "explode": flag,
		"schema": object(schema3), "content": namesOf(media3),
	}
	param3.fields = with(header3.fields, map[string]field{"name": text, "in": text})
	response3.fields = map[string]field{"description": text, "headers": namesOf(header3), "content": namesOf(media3)}
	body3.fields = map[string]field{"description": text, "required": flag, "content": namesOf(media3)}
}
