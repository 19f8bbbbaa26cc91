package openapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/model/openapi"
)

// sharedResponse returns a document in which all operations refer to the same response. properties is the number of
// properties of this response.
func sharedResponse(operations, properties int) []byte {
	var b strings.Builder
	b.WriteString(`{"openapi": "3.0.0", "paths": {`)
	for i := range operations {
		fmt.Fprintf(&b, `"/%d": {"get": {"responses": {"default": {"$ref": "#/components/responses/Error"}}}},`, i)
	}
	b.WriteString(`"/end": {}}, "components": {"responses": {"Error": {"content": {"application/json": {"schema": {"properties": {`)
	for i := range properties {
		fmt.Fprintf(&b, `"p%d": {"type": "string", "description": "one of many"},`, i)
	}
	b.WriteString(`"end": {"type": "integer"}}}}}}}}}`)
	return []byte(b.String())
}

// TestSharedResponse checks that a large response that many operations share is read once and completely. Its values
// count once, not once for each operation.
func TestSharedResponse(t *testing.T) {
	const operations, properties = 400, 2000
	spec, err := openapi.Parse(context.Background(), "x", sharedResponse(operations, properties), openapi.Options{MaxNodes: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	if len(spec.Operations) != operations || len(spec.Problems) > 0 {
		t.Fatalf("got %d operations and problems %v, want %d and none", len(spec.Operations), spec.Problems, operations)
	}
	first := spec.Operations[0].Responses[0].Contents[0].Schema
	if got := len(first.Properties); got != properties+1 || first.Name != "" {
		t.Errorf("got %d properties and the name %q, want %d and none", got, first.Name, properties+1)
	}
	for _, op := range spec.Operations {
		if op.Responses[0].Contents[0].Schema != first {
			t.Fatalf("%s has a schema of its own", op.ID)
		}
	}
}

// TestSharedParameter2 checks that a shared parameter of OpenAPI 2.0 keeps its type if the document gives the type in
// a schema.
func TestSharedParameter2(t *testing.T) {
	const text = `{"swagger": "2.0", "paths": {"/a": {"get": {"parameters": [{"$ref": "#/parameters/P"}]}}},
"parameters": {"P": {"name": "p", "in": "query", "schema": {"type": "array", "items": {"type": "integer"}}}}}`
	spec, err := openapi.Parse(context.Background(), "x", []byte(text), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := render(spec), "{array items={integer}}"; !strings.Contains(got, want) {
		t.Errorf("got %s, want %q in it", got, want)
	}
}

// TestBesidePathRef checks that all members next to the $ref of a path are listed as problems.
func TestBesidePathRef(t *testing.T) {
	const text = `openapi: 3.0.0
paths:
  /a:
    $ref: '#/paths/~1b'
    x-own: fine
    summary: lost
    parameters:
      - {name: q, in: query, schema: {type: string}}
    servers: []
    get: {}
  /b: {get: {responses: {}}}
`
	spec, err := openapi.Parse(context.Background(), "x", []byte(text), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Problem{
		{Pointer: "/paths/~1a/summary", Line: 6, Text: `"summary" beside a $ref; left out`},
		{Pointer: "/paths/~1a/parameters", Line: 7, Text: `"parameters" beside a $ref; left out`},
		{Pointer: "/paths/~1a/servers", Line: 9, Text: `"servers" beside a $ref; left out`},
		{Pointer: "/paths/~1a/get", Line: 10, Text: "an operation beside a $ref; left out"},
	}
	if diff := cmp.Diff(want, spec.Problems); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}
