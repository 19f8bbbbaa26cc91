package openapi_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

// FuzzParse reads anything: it returns a spec or an error of one line, and the
// spec keeps the model's promises.
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
			whole(t, op)
		}
		match.New(spec.Operations, match.Usual)
		for _, p := range spec.Problems {
			if p.Text == "" || strings.ContainsAny(p.Text, "\n\x1b") {
				t.Errorf("got problem %+v", p)
			}
		}
	})
}

// whole checks what the model says is never nil.
func whole(t *testing.T, op *model.Operation) {
	t.Helper()
	seen := map[*model.Schema]bool{}
	for _, p := range op.Params {
		if p.Schema == nil || p.Style == "" {
			t.Fatalf("%s: parameter %+v", op.ID, p)
		}
		wholeSchema(t, p.Schema, seen)
	}
	if op.Body != nil {
		for _, c := range op.Body.Contents {
			wholeSchema(t, c.Schema, seen)
		}
	}
	for _, r := range op.Responses {
		for _, c := range r.Contents {
			wholeSchema(t, c.Schema, seen)
		}
	}
}

func wholeSchema(t *testing.T, s *model.Schema, seen map[*model.Schema]bool) {
	t.Helper()
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for _, p := range s.Properties {
		if p.Schema == nil {
			t.Fatalf("property %q has no schema", p.Name)
		}
		wholeSchema(t, p.Schema, seen)
	}
	for _, part := range append(append(append([]*model.Schema{s.Items, s.Additional}, s.AllOf...), s.OneOf...), s.AnyOf...) {
		wholeSchema(t, part, seen)
	}
	for _, parts := range [][]*model.Schema{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range parts {
			if part == nil {
				t.Fatal("a part of a schema is missing")
			}
		}
	}
}
