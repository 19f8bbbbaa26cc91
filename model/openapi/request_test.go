package openapi_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search/gene"
)

// drawSchema draws a schema for which valid values exist. The result has the form of a schema in a document.
func drawSchema(t *rapid.T, depth int) map[string]any {
	kinds := []string{"integer", "number", "string", "pattern", "format", "enum", "boolean", "not"}
	if depth > 0 {
		kinds = append(kinds, "object", "object", "array", "map", "anyOf", "allOf", "required")
	}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "integer", "number":
		return drawNumber(t, kind)
	case "string":
		least := rapid.IntRange(0, 20).Draw(t, "least")
		return map[string]any{"type": kind, "minLength": least, "maxLength": least + rapid.IntRange(0, 9).Draw(t, "more")}
	case "pattern":
		return map[string]any{
			"type":    "string",
			"pattern": rapid.SampledFrom([]string{`^[A-Z]{2}\d+$`, `^(a|bc){2,}$`, `x`}).Draw(t, "pattern"),
		}
	case "format":
		return map[string]any{
			"type":   "string",
			"format": rapid.SampledFrom([]string{"uuid", "email", "ipv4", "ipv6", "byte", "uri", "hostname"}).Draw(t, "format"),
		}
	case "enum":
		return map[string]any{"enum": []any{"a", 3, true}}
	case "not":
		return map[string]any{"type": "integer", "minimum": 0, "maximum": 5, "not": map[string]any{"enum": []any{1, 3}}}
	case "boolean":
		return map[string]any{"type": kind, "nullable": rapid.Bool().Draw(t, "nullable")}
	default:
		return drawAround(t, kind, depth-1)
	}
}

func drawNumber(t *rapid.T, kind string) map[string]any {
	low := rapid.IntRange(-50, 50).Draw(t, "low")
	s := map[string]any{
		"type": kind, "minimum": low, "maximum": low + rapid.IntRange(10, 99).Draw(t, "width"),
		"exclusiveMinimum": rapid.Bool().Draw(t, "open"), "exclusiveMaximum": rapid.Bool().Draw(t, "open"),
	}
	if rapid.Bool().Draw(t, "stepped") {
		s["multipleOf"] = rapid.IntRange(1, 3).Draw(t, "step") // at least three values
	}
	return s
}

// drawAround draws a schema that contains other schemas.
func drawAround(t *rapid.T, kind string, depth int) map[string]any {
	switch kind {
	case "array":
		return map[string]any{
			"type":        kind,
			"items":       drawNumber(t, "integer"),
			"minItems":    rapid.IntRange(0, 3).Draw(t, "items"),
			"uniqueItems": true,
		}
	case "map":
		return map[string]any{
			"type":                 "object",
			"additionalProperties": drawSchema(t, depth),
			"minProperties":        rapid.IntRange(0, 3).Draw(t, "least"),
		}
	case "anyOf":
		return map[string]any{kind: []any{drawSchema(t, depth), drawSchema(t, depth)}}
	case "allOf":
		one, other := drawObject(t, depth, "a", "b"), drawObject(t, depth, "c", "d")
		return map[string]any{kind: []any{one, other}}
	case "required":
		s := drawObject(t, depth, "a", "b", "c")
		s["oneOf"] = []any{
			map[string]any{"required": []any{"a"}, "not": map[string]any{"required": []any{"b"}}},
			map[string]any{"required": []any{"b"}, "not": map[string]any{"required": []any{"a"}}},
		}
		s["required"] = []any{"c"}
		return s
	}
	s := drawObject(t, depth, "a", "b", "c", "email")
	least := len(s["required"].([]any))
	s["minProperties"], s["maxProperties"] = least, rapid.IntRange(max(least, 1), 4).Draw(t, "most")
	return s
}

func drawObject(t *rapid.T, depth int, names ...string) map[string]any {
	properties, required := map[string]any{}, []any{}
	for _, name := range names {
		properties[name] = drawSchema(t, depth)
		if rapid.IntRange(0, 2).Draw(t, "required") == 0 {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// TestRequestsKeepTheDocument loads documents with random schemas and generates bodies. kin-openapi must accept the
// bodies as valid for the schema in the document.
func TestRequestsKeepTheDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(drawSchema(t, 2))
		if err != nil {
			t.Fatal(err)
		}
		var judge openapi3.Schema
		if err := json.Unmarshal(text, &judge); err != nil {
			t.Fatal(err)
		}
		g := gene.New(bodyOf(t, text))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 10 {
			g.Sample(r)
			var v any
			if err := json.Unmarshal(gene.JSON(g), &v); err != nil {
				t.Fatal(err)
			}
			if err := judge.VisitJSON(v); err != nil {
				t.Fatalf("%s does not keep %s: %v", gene.JSON(g), text, err)
			}
			mustReadBack(t, g, v)
		}
	})
}

// TestMutantsKeepTheDocument mutates bodies. The mutated bodies must be valid, except that they may violate patterns,
// and may match several schemas of a oneOf.
func TestMutantsKeepTheDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := drawSchema(t, 2)
		text, err := json.Marshal(drawn)
		if err != nil {
			t.Fatal(err)
		}
		judge := lenientSchema(t, drawn)
		trees := []gene.Gene{gene.New(bodyOf(t, text))}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		trees[0].Sample(r)
		for i := range 20 {
			gene.Mutate(r, trees, gene.NewPace(float64(i)/20, model.Sizes{}))
			var v any
			if err := json.Unmarshal(gene.JSON(trees[0]), &v); err != nil {
				t.Fatal(err)
			}
			if err := judge.VisitJSON(v); err != nil {
				t.Fatalf("%s does not keep %s: %v", gene.JSON(trees[0]), text, err)
			}
		}
	})
}

// lenientSchema returns the drawn schema without the constraints that mutated bodies may violate.
func lenientSchema(t *rapid.T, drawn map[string]any) *openapi3.Schema {
	var loosen func(v any)
	loosen = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "pattern")
			delete(v, "oneOf")
			for _, kid := range v {
				loosen(kid)
			}
		case []any:
			for _, kid := range v {
				loosen(kid)
			}
		}
	}
	loosen(drawn)
	text, err := json.Marshal(drawn)
	if err != nil {
		t.Fatal(err)
	}
	var s openapi3.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// mustReadBack checks that a copy of the gene g can be set to v, the value of g, and that the copy then has the value
// v.
func mustReadBack(t *rapid.T, g gene.Gene, v any) {
	again := g.Clone()
	if !again.SetValue(v) {
		t.Fatalf("%s is not taken back", gene.JSON(g))
	}
	var got any
	if err := json.Unmarshal(gene.JSON(again), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, got); diff != "" {
		t.Fatalf("%s is read back otherwise (-+):\n%s", gene.JSON(g), diff)
	}
}

// bodyOf returns the schema of a body as Parse reads it. schema is the schema in the document.
func bodyOf(t interface{ Fatal(...any) }, schema []byte) *model.Schema {
	doc := `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{"requestBody":{"required":true,` +
		`"content":{"application/json":{"schema":` + string(schema) + `}}},"responses":{}}}}}`
	spec, err := openapi.Parse(context.Background(), "test", []byte(doc), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec.Operations[0].Body.Contents[0].Schema
}
