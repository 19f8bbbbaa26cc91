package individual

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/openapi"
	"sonde/runner/target/client"
)

// badSchemas are schemas that occur in real specs. Some match no value, others have no constraint.
var badSchemas = map[string]string{
	"no schema":                   ``,
	"an empty one":                `{}`,
	"an unknown type":             `{"type":"banana"}`,
	"an object of nothing":        `{"type":"object"}`,
	"required and not described":  `{"type":"object","required":["id","id"]}`,
	"a minimum over the maximum":  `{"type":"integer","minimum":9,"maximum":1}`,
	"a range of nothing":          `{"type":"number","minimum":1,"maximum":1,"exclusiveMinimum":true,"exclusiveMaximum":true}`,
	"multiples out of range":      `{"type":"integer","minimum":1,"maximum":2,"multipleOf":1000}`,
	"multiples of nothing":        `{"type":"number","multipleOf":0}`,
	"a length under zero":         `{"type":"string","minLength":-1,"maxLength":-7}`,
	"a length over the longest":   `{"type":"string","minLength":9,"maxLength":2}`,
	"a length of millions":        `{"type":"string","minLength":2000000000}`,
	"a list of millions":          `{"type":"array","minItems":2000000000,"uniqueItems":true,"items":{"type":"boolean"}}`,
	"more properties than there":  `{"type":"object","properties":{"a":{}},"minProperties":2000000000,"maxProperties":1}`,
	"a pattern nothing matches":   `{"type":"string","pattern":"a^b$c"}`,
	"a pattern that is none":      `{"type":"string","pattern":"(["}`,
	"a pattern against a length":  `{"type":"string","pattern":"^a{9}$","maxLength":2}`,
	"an empty enum":               `{"type":"string","enum":[]}`,
	"an enum of other types":      `{"type":"integer","enum":["x",null,{"a":1}]}`,
	"everything forbidden":        `{"type":"string","not":{}}`,
	"itself forbidden":            `{"not":{"$ref":"#/components/schemas/Self"}}`,
	"a required cycle":            `{"$ref":"#/components/schemas/Self"}`,
	"a required cycle of two":     `{"$ref":"#/components/schemas/Egg"}`,
	"a required cycle in a list":  `{"$ref":"#/components/schemas/Flock"}`,
	"a choice of itself":          `{"$ref":"#/components/schemas/Maze"}`,
	"a part of itself":            `{"$ref":"#/components/schemas/Knot"}`,
	"a reference to nowhere":      `{"$ref":"#/components/schemas/Nowhere"}`,
	"a discriminator of nothing":  `{"type":"object","discriminator":{"propertyName":"kind","mapping":{"x":"Nowhere","y":"Self"}}}`,
	"properties that do not meet": `{"allOf":[{"type":"string"},{"type":"object"},{"type":"integer","minimum":3}]}`,
}

const badComponents = `"components":{"schemas":{
	"Self":{"type":"object","required":["self"],"properties":{"self":{"$ref":"#/components/schemas/Self"}}},
	"Egg":{"type":"object","required":["hen"],"properties":{"hen":{"$ref":"#/components/schemas/Hen"}}},
	"Hen":{"type":"object","required":["egg"],"properties":{"egg":{"$ref":"#/components/schemas/Egg"}}},
	"Flock":{"type":"array","minItems":2,"uniqueItems":true,"items":{"$ref":"#/components/schemas/Flock"}},
	"Maze":{"oneOf":[{"$ref":"#/components/schemas/Maze"},{"$ref":"#/components/schemas/Knot"}],"discriminator":{"propertyName":"m"}},
	"Knot":{"allOf":[{"$ref":"#/components/schemas/Knot"},{"$ref":"#/components/schemas/Maze"}]}}}`

// badSpec returns a spec in which several inputs have the schema: a body, and a path, a query, a header and a cookie
// parameter. If schema is "", these inputs have no schema.
func badSpec(t *testing.T, media, schema string) *model.Spec {
	t.Helper()
	member := ""
	if schema != "" {
		member = `"schema":` + schema
	}
	params := []string{}
	for _, in := range []string{"path", "query", "header", "cookie"} {
		params = append(params, strings.TrimSuffix(`{"name":"v`+in+`","in":"`+in+`","required":true,`+member, ",")+"}")
	}
	doc := `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/a/{vpath}":{"post":{"parameters":[` +
		strings.Join(params, ",") +
		`],"requestBody":{"required":true,"content":{"` + media + `":{` + member +
		`}}},"responses":{"200":{"description":"fine"}}}}},` + badComponents + `}`
	spec, err := openapi.Parse(context.Background(), "bad", []byte(doc), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// Values are sampled, mutated and printed even if no value matches the schema.
func TestUnsatisfiableSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("its specs are large: left out by -short")
	}
	arrived := 0
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/a/") && len(r.URL.Path) > len("/a/") {
			arrived++
		}
	}))
	defer server.Close()
	c, err := client.New(server.URL, client.Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for name, schema := range badSchemas {
		for _, media := range []string{
			"application/json", "application/xml", "multipart/form-data", "application/x-www-form-urlencoded",
			"text/plain",
		} {
			t.Run(name+" as "+media, func(t *testing.T) {
				spec := badSpec(t, media, schema)
				p, r := New(model.Plan{Spec: spec}), chance(1)
				ind := p.Sample(r, 0)
				for range 5 {
					test := ind.Test()
					mustBeJSON(t, media, test)
					arrived = 0
					if played, _ := c.PlayTest(context.Background(), spec, test); arrived != len(played.Calls) {
						t.Fatalf("%d of %d calls arrived: %+v", arrived, len(played.Calls), test)
					}
					ind = p.Mutate(r, ind, 0.5, nil)
				}
			})
		}
	}
}

func mustBeJSON(t *testing.T, media string, test model.Test) {
	t.Helper()
	for _, c := range test.Calls {
		if media == "application/json" && (c.Body == nil || !json.Valid([]byte(c.Body.Data))) {
			t.Fatalf("body %+v", c.Body)
		}
	}
}
