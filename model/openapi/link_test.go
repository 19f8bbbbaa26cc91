package openapi_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/model/openapi"
)

// TestLinkAcrossFiles reads links in another file. Their operationRefs lead to the spec and to a path in that file.
func TestLinkAcrossFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.yaml"), `openapi: 3.0.0
paths:
  /here: {get: {operationId: here, responses: {200: {$ref: 'part.yaml#/answer'}}}}
  /there: {$ref: 'part.yaml#/there'}
`)
	write(t, filepath.Join(dir, "part.yaml"), `there: {get: {responses: {}}}
answer:
  description: found
  links:
    back: {operationRef: 'main.yaml#/paths/~1here/get'}
    beside: {operationRef: '#/there/get'}
    named: {operationId: here}
    lost: {operationRef: 'main.yaml#/paths/~1lost/get'}
`)
	spec, err := openapi.Load(context.Background(), filepath.Join(dir, "main.yaml"), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []model.ResponseLink{{Name: "back", Op: "GET /here"}, {Name: "beside", Op: "GET /there"}, {Name: "named", Op: "GET /here"}}
	if diff := cmp.Diff(want, spec.Operations[0].Responses[0].Links); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
	problem := []model.Problem{{
		Pointer: "part.yaml#/answer/links/lost/operationRef", Line: 8,
		Text: `operationRef "main.yaml#/paths/~1lost/get": there is nothing at "/paths/~1lost"; the link is left out`,
	}}
	if diff := cmp.Diff(problem, spec.Problems); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// TestManyCallbacks checks that the number of callbacks and links is limited. In a short document, many operations
// share the same callbacks and links.
func TestManyCallbacks(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"openapi": "3.0.0", "components": {"callbacks": {"c": {`)
	for i := range 1000 {
		fmt.Fprintf(&b, `"$url%d": {"post": {}},`, i)
	}
	b.WriteString(`"$url": {"post": {}}}}}, "paths": {`)
	for i := range 100 {
		fmt.Fprintf(&b, `"/%d": {"get": {"callbacks": {"c": {"$ref": "#/components/callbacks/c"}}}},`, i)
	}
	b.WriteString(`"/end": {}}}`)
	spec, err := openapi.Parse(context.Background(), "x", []byte(b.String()), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(spec.Operations[99].Callbacks); got != 1001 {
		t.Errorf("got %d callbacks, want 1001", got)
	}
	_, err = openapi.Parse(context.Background(), "x", []byte(b.String()), openapi.Options{MaxNodes: 20_000})
	if err == nil || !strings.Contains(err.Error(), "with all shared parts expanded") {
		t.Errorf("got error %v", err)
	}
}
