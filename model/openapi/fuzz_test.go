package openapi_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

// FuzzParse parses arbitrary bytes. Parse must return an error of one line, or a spec for which the comments of
// package model hold.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && filepath.Ext(file) != ".golden" {
			f.Add(data)
		}
	}
	for _, piece := range pieces {
		f.Add([]byte(piece))
	}
	o := openapi.Options{MaxBytes: 1 << 20, MaxDepth: 200, MaxNodes: 100_000}
	f.Fuzz(func(t *testing.T, data []byte) {
		spec, err := openapi.Parse(context.Background(), "-", data, o)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") || strings.Contains(err.Error(), "report this as a bug") {
				t.Errorf("got error %q", err)
			}
			return
		}
		ids := map[model.OpID]bool{}
		for _, op := range spec.Operations {
			if ids[op.ID] {
				t.Errorf("two operations %q", op.ID)
			}
			ids[op.ID] = true
			checkComplete(t, op)
			if !model.IsMethod(op.Method) {
				t.Errorf("%q has no method that Sonde can call", op.ID)
			}
		}
		for _, w := range spec.Webhooks {
			checkComplete(t, w.Request)
			checkLinks(t, w.Request, ids)
		}
		for _, op := range spec.Operations {
			checkLinks(t, op, ids)
		}
		match.New(spec.Operations, match.DefaultMode)
		for _, p := range spec.Problems {
			if p.Text == "" || strings.ContainsAny(p.Text, "\n\x1b") || p.Line < 0 {
				t.Errorf("got problem %+v", p)
			}
		}
	})
}

// pieces are small documents with unusual details that occur in real documents.
var pieces = []string{
	// A body that a framework injects, with a schema that does not exist, next to the real body.
	`{"swagger":"2.0","paths":{"/n":{"post":{"parameters":[{"in":"body","name":"b","schema":{"$ref":"#/definitions/B"}},
{"in":"body","name":"principal","schema":{"$ref":"#/definitions/Principal"}}],"responses":{"200":{"schema":{"type":"file"}}}}}},
"definitions":{"B":{"type":"object","properties":{"a":{"type":"array"},"b":{"$ref":"#/definitions/B"}},"required":false}}}`,
	// Items that are a list, statuses that are numbers, and names that are true in YAML 1.1.
	"swagger: 2.0\nhost: http://h.example/v1\nschemes: [on]\npaths:\n  /on:\n    y: &y {get: &get {responses: {200: {}}}}\n" +
		"    <<: *y\n    yes: no\n    put: *get\n" +
		"definitions: {A: {items: [{type: string}], enum: [on, 0x1F, 1_000, .inf, ~, 2017-01-01]}}\n",
	// References for everything, and references in circles.
	`{"openapi":"3.0.1","paths":{"/a":{"$ref":"#/paths/~1b"},"/b":{"$ref":"#/paths/~1a"},
"/c/{id}":{"parameters":[{"$ref":"#/components/parameters/p"}],
"get":{"responses":{"2xx":{"$ref":"#/components/responses/r"}}}}},"components":{"parameters":{"p":{"$ref":"#/components/parameters/p"}},
"responses":{"r":{"headers":{"h":{"$ref":"#/components/headers/h"}},"content":{"a/b":{"schema":{"$ref":"#/components/schemas/s"}}}}},
"headers":{"h":{"content":{"t/p":{}}}},
"schemas":{"s":{"allOf":[{"$ref":"#/components/schemas/s"}],"properties":{"x":{"$ref":"#/components/schemas/s/allOf/0"}}}}}}`,
	// Links and callbacks, by name and by pointer.
	"openapi: 3.0.0\npaths:\n  /a/{id}:\n    get:\n      operationId: a\n      parameters: [{name: id, in: path}]\n      responses:\n" +
		"        201: {links: {l: {operationRef: '#/paths/~1a~1{id}/get', parameters: {path.id: $response.body#/id}, " +
		"requestBody: $url}, m: {operationId: a}}}\n" +
		"      callbacks: {c: {$url: {post: {requestBody: {content: {x/y: {schema: {type: string}}}}}}}, " +
		"d: {$ref: '#/paths/~1a~1{id}/get/callbacks/c'}}\n",
	// Members next to a reference, and schemas that are true or false, as in 3.1.
	`{"openapi":"3.1.0","paths":{"/":{"head":{"requestBody":{"content":{"a/b":{"schema":{
"$ref":"#/components/schemas/t","type":["null","string"],"const":null}}}}}}},
"components":{"schemas":{"t":{"additionalProperties":true,"exclusiveMinimum":1e3,
"properties":{"u":true,"\u202e\ud83d\ude00":{"examples":[[]]}}}}}}`,
	// Other methods, streams, a whole query string and webhooks, as in 3.2.
	`{"openapi":"3.2.0","$self":"https://a.example/b","paths":{"/":{"query":{"parameters":[{"name":"q","in":"querystring",
"content":{"application/x-www-form-urlencoded":{"schema":{"$ref":"https://a.example/b#/components/schemas/t"}}}}],
"responses":{"200":{"content":{"text/event-stream":{"$ref":"#/components/mediaTypes/m"}}}}},
"additionalOperations":{"COPY":{},"copy":{},"GET":{},"` + "`" + `":{}}}},
"webhooks":{"w":{"post":{"requestBody":{"content":{"a/b":{"itemSchema":{"type":"string"}}}}},"additionalOperations":{"W":{}}}},
"components":{"schemas":{"t":{"properties":{"u":{"$ref":"c.yaml"}}}},"mediaTypes":{"m":{"itemSchema":{"$ref":"#/components/schemas/t"}}}}}`,
}

// checkLinks checks that each link leads to an operation, that its inputs get their values from runtime expressions,
// and that an input for the body is the whole body.
func checkLinks(t *testing.T, op *model.Operation, ids map[model.OpID]bool) {
	t.Helper()
	for _, r := range op.Responses {
		for _, f := range r.Links {
			if !ids[f.Op] {
				t.Errorf("%s: the link %q leads to %q", op.ID, f.Name, f.Op)
			}
			for _, taking := range f.Inputs {
				if !strings.Contains(taking.From, "$") || taking.In == model.InBody && taking.Name != "" {
					t.Errorf("%s: the link %q takes %+v", op.ID, f.Name, taking)
				}
			}
		}
	}
}

// checkComplete checks the fields that, according to package model, are never nil or empty.
func checkComplete(t *testing.T, op *model.Operation) {
	t.Helper()
	seen := map[*model.Schema]bool{}
	for _, p := range op.Params {
		if p.Schema == nil || p.Style == "" {
			t.Fatalf("%s: parameter %+v", op.ID, p)
		}
		checkSchema(t, p.Schema, seen)
	}
	checkBody(t, op.Body, seen)
	for _, c := range op.Callbacks {
		if c.Method == "" || c.Method != strings.ToUpper(c.Method) {
			t.Errorf("%s: callback %+v", op.ID, c)
		}
		checkBody(t, c.Body, seen)
	}
	for _, r := range op.Responses {
		for _, c := range r.Contents {
			checkSchema(t, c.Schema, seen)
		}
	}
}

func checkBody(t *testing.T, body *model.RequestBody, seen map[*model.Schema]bool) {
	t.Helper()
	if body == nil {
		return
	}
	for _, c := range body.Contents {
		checkSchema(t, c.Schema, seen)
	}
}

func checkSchema(t *testing.T, s *model.Schema, seen map[*model.Schema]bool) {
	t.Helper()
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for _, p := range s.Properties {
		if p.Schema == nil || !utf8.ValidString(p.Name) {
			t.Fatalf("property %q has no schema, or no good name", p.Name)
		}
		checkSchema(t, p.Schema, seen)
	}
	for _, part := range append(append(append([]*model.Schema{s.Items, s.Additional}, s.AllOf...), s.OneOf...), s.AnyOf...) {
		checkSchema(t, part, seen)
	}
	for _, parts := range [][]*model.Schema{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range parts {
			if part == nil {
				t.Fatal("a part of a schema is missing")
			}
		}
	}
}
