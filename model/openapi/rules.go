package openapi

// rules are the rules for the objects of one version of OpenAPI.
type rules struct {
	document, operation, param, response, schema *rule
	link                                         *rule // nil in 2.0
	// shared are the sections of a document with shared objects, each with the rule for its objects.
	shared map[string]*rule
}

var (
	rules2 = newRules2()
	rules3 = newRules3()
)

// constraints are the members that schemas of all versions have, and also parameters of 2.0.
var constraints = map[string]field{
	"type": typed, "format": text, "description": text, "default": value, "enum": anyList,
	"minimum": number, "maximum": number, "multipleOf": number,
	"minLength": count, "maxLength": count, "pattern": text,
	"minItems": count, "maxItems": count, "uniqueItems": flag,
}

// schemaMembers returns the members that schemas of all versions have in addition to constraints. schema is the rule
// for the schemas inside of a schema.
func schemaMembers(schema *rule) map[string]field {
	return map[string]field{
		"title": text, "readOnly": flag, "example": value, "required": names,
		"minProperties": count, "maxProperties": count, "xml": object(xmlRule),
		"items":                object(schema),
		"properties":           {shape: objectMap, rule: schema, orEmpty: true},
		"additionalProperties": {shape: oneObject, rule: schema, allowsFlag: true},
		"allOf":                listOf(schema),
	}
}

var (
	infoRule = &rule{name: "info section", fields: map[string]field{"title": text, "version": text}}

	xmlRule = &rule{name: "xml section", fields: map[string]field{
		"name": text, "namespace": text, "prefix": text, "attribute": flag, "wrapped": flag,
	}}

	// discriminatorRule is the rule for discriminators of OpenAPI 3. It leaves the mapping as it is; mender.mapping
	// mends it.
	discriminatorRule = &rule{name: "discriminator", fields: map[string]field{"propertyName": text, "mapping": value}}

	operationText = map[string]field{
		"operationId": text, "summary": text, "description": text, "tags": names, "deprecated": flag,
	}
)

// newRules2 returns the rules of OpenAPI 2.0.
func newRules2() *rules {
	schema := &rule{name: "schema", refs: true}
	simple := with(constraints, map[string]field{
		"exclusiveMinimum": flag, "exclusiveMaximum": flag, "items": object(schema), "collectionFormat": text,
	})
	schema.fields = with(constraints, schemaMembers(schema), map[string]field{
		"exclusiveMinimum": flag, "exclusiveMaximum": flag, "x-nullable": flag, "discriminator": text,
	})
	header := &rule{name: "header", refs: true, fields: simple}
	response := &rule{name: "response", refs: true, fields: map[string]field{
		"description": text, "schema": object(schema), "headers": namesOf(header),
	}}
	param := &rule{
		name: "parameter", refs: true, check: checkParam("path", "query", "header", "formData", "body"),
		fields: with(simple, map[string]field{
			"name": text, "in": text, "required": flag, "schema": object(schema), "x-example": value,
		}),
	}
	return &rules{
		schema: schema, param: param, response: response,
		operation: &rule{name: "operation", fields: with(operationText, map[string]field{"consumes": names, "produces": names})},
		document: &rule{name: "document", fields: map[string]field{
			"info": object(infoRule), "host": text, "basePath": text, "schemes": names, "consumes": names, "produces": names,
		}},
		shared: map[string]*rule{"definitions": schema, "parameters": param, "responses": response},
	}
}

// newRules3 returns the rules of OpenAPI 3.0, 3.1 and 3.2. The versions differ in few members. A document of one
// version may also use the members of the others.
func newRules3() *rules {
	schema := &rule{name: "schema", refs: true}
	bound := field{shape: aNumber, allowsFlag: true}
	schema.fields = with(constraints, schemaMembers(schema), map[string]field{
		"exclusiveMinimum": bound, "exclusiveMaximum": bound,
		"nullable": flag, "writeOnly": flag, "const": value, "examples": anyList,
		"oneOf": listOf(schema), "anyOf": listOf(schema), "not": object(schema),
		"discriminator": object(discriminatorRule), "contentEncoding": text, "contentMediaType": text,
		"patternProperties": value, // it only matters whether the member exists
	})
	example := &rule{name: "example", refs: true, fields: map[string]field{"value": value, "dataValue": value}}
	media := &rule{name: "media type", refs: true, fields: map[string]field{"schema": object(schema), "itemSchema": object(schema)}}
	encoding := &rule{name: "encoding", fields: map[string]field{"contentType": text}}
	sent := &rule{name: "media type", refs: true, fields: with(media.fields, map[string]field{
		"example": value, "examples": namesOf(example), "encoding": namesOf(encoding),
	})}
	header := &rule{name: "header", refs: true, fields: map[string]field{
		"description": text, "required": flag, "style": text, "explode": flag,
		"schema": object(schema), "content": namesOf(media),
	}}
	param := &rule{
		name: "parameter", refs: true, check: checkParam3,
		fields: with(header.fields, map[string]field{"name": text, "in": text, "example": value, "examples": namesOf(example)}),
	}
	body := &rule{name: "request body", refs: true, fields: map[string]field{
		"description": text, "required": flag, "content": namesOf(sent),
	}}
	link := &rule{name: "link", refs: true, check: checkLink, fields: map[string]field{
		"operationId": text, "operationRef": text, "parameters": value, "requestBody": value,
	}}
	response := &rule{name: "response", refs: true, fields: map[string]field{
		"description": text, "headers": namesOf(header), "content": namesOf(media), "links": namesOf(link),
	}}
	callback := newCallbackRule(body)
	variable := &rule{name: "server variable", fields: map[string]field{"default": text}}
	server := &rule{name: "server", fields: map[string]field{"url": text, "variables": namesOf(variable)}}
	return &rules{
		schema: schema, param: param, response: response, link: link,
		operation: &rule{name: "operation", fields: with(operationText, map[string]field{
			"requestBody": object(body), "callbacks": namesOf(callback),
		})},
		document: &rule{name: "document", fields: map[string]field{"info": object(infoRule), "servers": listOf(server)}},
		shared: map[string]*rule{
			"schemas": schema, "parameters": param, "responses": response, "requestBodies": body, "headers": header,
			"links": link, "callbacks": callback, "mediaTypes": sent,
		},
	}
}
