package search_test

import (
	"encoding/json"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
)

// specFiles returns the specs of the tests, and those that SONDE_BENCH_SPECS lists.
func specFiles(t *testing.T) []string {
	t.Helper()
	files := filepath.SplitList(os.Getenv("SONDE_BENCH_SPECS"))
	for _, pattern := range []string{
		"../testdata/*/openapi.*", "../testdata/*/*/openapi.*", "../../model/openapi/testdata/shop[23][01].[jy]*",
	} {
		some, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	if len(files) < 40 {
		t.Fatalf("only %d specs: %v", len(files), files)
	}
	return files
}

// No required text of a draft is empty, unless the schema allows only the empty text.
func TestDraftsHaveNoEmptyTexts(t *testing.T) {
	checked := 0
	for _, file := range specFiles(t) {
		spec, err := openapi.Load(t.Context(), file, openapi.Options{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		d := search.NewDrafts(model.Plan{Spec: spec})
		for _, op := range spec.Operations {
			draft, _ := d.Draft(op.ID, nil, nil)
			call := draft.Calls[len(draft.Calls)-1]
			for _, p := range op.Params {
				checked++
				if p.Required && !mayBeEmpty(p.Schema) && !sentWithText(call.Args, p) {
					t.Errorf("%s: %s: the %s parameter %q is empty in %+v", file, op.ID, p.In, p.Name, call.Args)
				}
			}
			for i, b := range d.Bodies(op.ID) {
				checked += len(b.Data)
				for _, place := range emptyTexts(op, b) {
					t.Errorf("%s: %s: %s of body %d is empty: %s", file, op.ID, place, i, b.Data)
				}
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d values", checked)
	}
}

// sentWithText reports whether an argument of a parameter is not empty. The argument of an exploded object has the name
// of a property.
func sentWithText(args []model.Arg, p model.Parameter) bool {
	return slices.ContainsFunc(args, func(a model.Arg) bool {
		name, _, _ := strings.Cut(a.Name, "[")
		named := a.Name == p.Name || name == p.Name || p.Schema.PropertySchema(a.Name) != nil
		return a.In == p.In && named && a.PlainValue() != ""
	})
}

// mayBeEmpty reports whether a schema allows only the empty text, only empty lists, or objects without known properties.
func mayBeEmpty(s *model.Schema) bool {
	onlyEmpty := len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(v any) bool { return v != "" })
	isObject := model.FindInParts(s, func(s *model.Schema) *string {
		if s.Type == "object" {
			return &s.Type
		}
		return nil
	})
	return onlyEmpty || s.Const == "" || s.MaxLength != nil && *s.MaxLength == 0 || s.MaxItems != nil && *s.MaxItems == 0 || isObject != nil
}

// emptyTexts returns the JSON pointers of the required properties of a JSON body that are empty texts.
func emptyTexts(op *model.Operation, b model.Payload) (all []string) {
	media, _, err := mime.ParseMediaType(b.Media)
	if err != nil || !strings.HasSuffix(media, "json") {
		return nil
	}
	var v any
	if err := json.Unmarshal([]byte(b.Data), &v); err != nil {
		return []string{err.Error()}
	}
	i := slices.IndexFunc(op.Body.Contents, func(c model.Content) bool { return c.Media == b.Media })
	if i < 0 || op.Body.Contents[i].Schema == nil {
		return nil
	}
	return emptyInside(op.Body.Contents[i].Schema, v, "")
}

func emptyInside(s *model.Schema, v any, place string) (all []string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if inner := s.ItemSchema(); inner != nil {
				all = append(all, emptyInside(inner, item, place+"/0")...)
			}
		}
	case map[string]any:
		for name, field := range v {
			inner := s.PropertySchema(name)
			if inner == nil {
				continue
			}
			if field == "" && !mayBeEmpty(inner) {
				all = append(all, place+"/"+name)
			}
			all = append(all, emptyInside(inner, field, place+"/"+name)...)
		}
	}
	return all
}

// There is a draft of the body for each media type that an operation declares.
func TestDraftBodies(t *testing.T) {
	spec, err := openapi.Parse(t.Context(), "bodies.yaml", []byte(`openapi: 3.0.3
info: {title: Bodies, version: "1"}
paths:
  /things:
    post:
      requestBody:
        content:
          application/json: {schema: {$ref: "#/components/schemas/Thing"}}
          application/xml: {schema: {$ref: "#/components/schemas/Thing"}}
          application/x-www-form-urlencoded: {schema: {$ref: "#/components/schemas/Thing"}}
          multipart/form-data:
            schema: {type: object, required: [photo], properties: {photo: {type: string, format: binary}, note: {type: string}}}
          text/plain: {schema: {type: string}}
          image/png: {schema: {type: string, format: binary}}
      responses: {"201": {description: ok}}
components:
  schemas:
    Thing: {type: object, required: [name, size], properties: {name: {type: string}, size: {type: integer, minimum: 2}}}
`), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]string{
		{"application/json", `{"name":"example","size":2}`},
		{"application/xml", "<name>example</name>"},
		{"application/x-www-form-urlencoded", "name=example&size=2"},
		{"multipart/form-data; boundary=", `name="photo"; filename="photo.png"`},
		{"text/plain", "example"},
		{"image/png", "\x89PNG"},
	}
	bodies := search.NewDrafts(model.Plan{Spec: spec}).Bodies("POST /things")
	if len(bodies) != len(want) {
		t.Fatalf("got %d bodies, want %d", len(bodies), len(want))
	}
	for i, w := range want {
		if !strings.HasPrefix(bodies[i].Media, w[0]) || !strings.Contains(bodies[i].Data, w[1]) {
			t.Errorf("got %s %q, want %s %q", bodies[i].Media, bodies[i].Data, w[0], w[1])
		}
	}
	if d := search.NewDrafts(model.Plan{Spec: spec}); d.Bodies("GET /nothing") != nil {
		t.Error("there is a body of an operation that does not exist")
	}
}

// A request that only reads needs no other request for a filter that may be left out. A required filter still has a link.
func TestDraftWithoutOptionalLink(t *testing.T) {
	for _, required := range []string{"false", "true"} {
		spec, err := openapi.Parse(t.Context(), "books.yaml", []byte(`openapi: 3.0.3
info: {title: Books, version: "1"}
paths:
  /authors:
    post:
      responses:
        "201":
          description: ok
          content: {application/json: {schema: {type: object, properties: {author_id: {type: integer}}}}}
  /books:
    get:
      parameters: [{name: author_id, in: query, required: `+required+`, schema: {type: integer}}]
      responses: {"200": {description: ok}}
`), openapi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := search.NewDrafts(model.Plan{Spec: spec, Templates: analysis.Analyze(spec, analysis.Options{}).Templates()})
		draft, _ := d.Draft("GET /books", nil, nil)
		want := 1
		if required == "true" {
			want = 2
		}
		if last := draft.Calls[len(draft.Calls)-1]; len(draft.Calls) != want || len(draft.Links) != want-1 || len(last.Args) != want-1 {
			t.Errorf("required %s: got %+v with %+v", required, draft.Calls, draft.Links)
		}
	}
}
