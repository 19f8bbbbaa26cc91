package search_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/search"
)

// impossible has schemas that no value matches, and schemas that allow every value.
var impossible = []string{
	`{}`,
	`{"type":"integer","minimum":9,"maximum":1}`,
	`{"type":"string","pattern":"a^b$c"}`,
	`{"type":"string","minLength":9,"maxLength":2}`,
	`{"type":"array","minItems":9,"maxItems":1,"items":{"type":"string"}}`,
	`{"type":"string","enum":[]}`,
	`{"type":"object","minProperties":3,"maxProperties":1,"additionalProperties":false}`,
	`{"$ref":"#/components/schemas/Self"}`,
	`{"$ref":"#/components/schemas/Egg"}`,
	`{"not":{}}`,
}

// badDocument returns a spec with an operation for each schema in impossible: the schema is required in requests and
// declared for answers. It also has a correct operation, and an operation whose answer has no schema.
func badDocument(t *testing.T) *model.Spec {
	t.Helper()
	var paths strings.Builder
	for i, s := range impossible {
		fmt.Fprintf(&paths, `"/bad/%d":{"post":{"parameters":[{"name":"q","in":"query","required":true,"schema":%s}],
			"requestBody":{"required":true,"content":{"application/json":{"schema":%s}}},
			"responses":{"200":{"description":"","content":{"application/json":{"schema":%s}}}}}},`, i, s, s, s)
	}
	doc := `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{` + paths.String() + `
		"/none":{"get":{"responses":{"200":{"description":"","content":{"application/json":{}}}}}},
		"/good":{"get":{"responses":{"200":{"description":""}}}}},
		"components":{"schemas":{
			"Self":{"type":"object","required":["self"],"properties":{"self":{"$ref":"#/components/schemas/Self"}}},
					"Egg":{"type":"object","required":["hen"],"properties":{"hen":{"type":"object","required":["egg"],
						"properties":{"egg":{"$ref":"#/components/schemas/Egg"}}}}}}}}`
	spec, err := openapi.Parse(context.Background(), "bad", []byte(doc), openapi.Options{})
	if err != nil || len(spec.Operations) != len(impossible)+2 {
		t.Fatalf("%d operations, %v", len(spec.Operations), err)
	}
	return spec
}

func TestSpecsWithImpossibleSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("its services and specs are hostile: left out by -short")
	}
	answers := []string{
		"{}", "[]", `"text"`, "7", "null", `{"self":{"self":{"self":{}}}}`,
		strings.Repeat(`{"hen":{"egg":`, 1000) + "1" + strings.Repeat("}}", 1000),
	}
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n++
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answers[n%len(answers)])
	}))
	defer s.Close()
	highest := tracker(t)
	calls := 500
	if *campaigns {
		calls = 2000
	}
	got := start(t, model.Plan{
		Spec: badDocument(t), BaseURL: s.URL, Seed: 1, Tuning: model.DefaultTuning(), Limits: model.Limits{Calls: calls},
	}, search.Sink{}).Wait()
	if got.Err != nil || got.Summary.Calls < calls-1 || got.Summary.Unanswered > 0 {
		t.Fatalf("ended after %d calls, %d unanswered: %v", got.Summary.Calls, got.Summary.Unanswered, got.Err)
	}
	if got.Summary.With2xx != len(impossible)+2 || !keepsFor(got.Tests, "GET /good 200") {
		t.Errorf("%d operations answered, %d tests are kept", got.Summary.With2xx, len(got.Tests))
	}
	if grown := highest(); grown > 128<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
}
