package specdiff

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"

	"github.com/google/go-cmp/cmp"
)

// analyzed returns the analysis of a document. text is the part of the document after the title.
func analyzed(t *testing.T, text string) *analysis.Analysis {
	t.Helper()
	return analyzedSource(t, "openapi: 3.0.3\ninfo: {title: things, version: '1'}\n"+text)
}

func analyzedSource(t *testing.T, source string) *analysis.Analysis {
	t.Helper()
	spec, err := openapi.Parse(t.Context(), "things.yaml", []byte(source), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Analyze(spec, analysis.Options{})
}

// compareTexts compares two documents. It fails the test if their contracts cannot be compared.
func compareTexts(t *testing.T, older, newer string) *Diff {
	t.Helper()
	d := Compare(analyzed(t, older), analyzed(t, newer))
	if d.ContractError != nil {
		t.Fatal(d.ContractError)
	}
	return d
}

// summary returns a line for each operation with its status, its old and new ID, and "!" if the change breaks
// clients.
func summary(d *Diff) (lines []string) {
	for _, op := range d.Operations {
		line := strings.Join(slices.DeleteFunc([]string{string(op.Status), string(op.Old), string(op.New)}, func(s string) bool {
			return s == ""
		}), " ")
		if op.Breaking() {
			line += " !"
		}
		lines = append(lines, line)
	}
	return lines
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want and got (-+):\n%s", d)
	}
}

const pets = `paths:
  /pets:
    post:
      operationId: addPet
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"201": {description: a pet, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
  /pets/{petId}:
    get:
      operationId: getPet
      parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: a pet, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
components:
  schemas:
    Pet: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}, mother: {$ref: "#/components/schemas/Pet"}}}
`

// If a spec is compared with itself, there are no differences.
func TestSame(t *testing.T) {
	many := strings.Repeat("{type: object, properties: {a: {type: string}}}, ", 100)
	for name, a := range map[string]*analysis.Analysis{
		"demo":     analyzedSource(t, string(demo.Specification())),
		"circular": analyzed(t, pets),
		"nothing":  analyzed(t, "paths: {}\n"),
		"union": analyzed(t, `paths:
  /a: {get: {responses: {"200": {description: a, content: {application/json: {schema: {oneOf: [`+many+`]}}}}}}}
`),
		"swagger 2": analyzedSource(t, `swagger: "2.0"
info: {title: t, version: "1"}
paths:
  /a: {post: {parameters: [{name: b, in: body, schema: {type: object}}], responses: {200: {description: a}}}}
`),
		"exploded object with the name of a parameter as property": analyzed(t, `paths:
  /a:
    get:
      parameters:
      - {name: stat, in: query, required: true, schema: {type: string, maxLength: 5}}
      - {name: one, in: query, schema: {type: object, properties: {stat: {type: string}}}}
      responses: {"200": {description: a}}
`),
		"a parameter twice": analyzed(t, `paths:
  /a:
    get:
      parameters: [{name: b, in: query, schema: {type: string}}, {name: b, in: query, schema: {type: integer}}]
      responses: {"200": {description: a}}
`),
		"3.1": analyzedSource(t, `openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /a:
    get:
      parameters: [{name: b, in: query, schema: {type: [string, integer, "null"]}}]
      responses: {"200": {description: a, content: {application/json: {schema: {const: x}}}}}
`),
	} {
		d := Compare(a, a)
		if d.ContractError != nil {
			t.Errorf("%s: %v", name, d.ContractError)
		}
		changes := len(d.Operations) + len(d.Values) + len(d.Feeders) + len(d.Groups) + len(d.Clusters)
		if changes != 0 || d.Same != len(a.Operations) || d.Breaking() {
			t.Errorf("%s: got %+v, want no change of %d operations", name, d, len(a.Operations))
		}
	}
}

func TestAddedAndRemoved(t *testing.T) {
	newer := strings.Replace(pets, "get:\n      operationId: getPet", "delete:\n      operationId: removePet", 1)
	d := compareTexts(t, pets, newer)
	equal(t, summary(d), []string{"added DELETE /pets/{petId}", "removed GET /pets/{petId} !"})
	equal(t, d.Same, 1)
	equal(t, d.Breaking(), true)
	if op, ok := d.OfOld("GET /pets/{petId}"); !ok || op.ID() != "GET /pets/{petId}" || op.Status != StatusRemoved {
		t.Errorf("got %+v, %v", op, ok)
	}
	if op, ok := d.OfNew("DELETE /pets/{petId}"); !ok || op.Status != StatusAdded {
		t.Errorf("got %+v, %v", op, ok)
	}
	if op, ok := d.OfNew("POST /pets"); ok {
		t.Errorf("the same operation: got %+v", op)
	}
}

// An operation with another path is recognized by the shape of its path, or by its operationId.
func TestRenamedAndMoved(t *testing.T) {
	newer := strings.NewReplacer("/pets/{petId}", "/pets/{id}", "name: petId", "name: id", "  /pets:", "  /v2/pets:").Replace(pets)
	d := compareTexts(t, pets, newer)
	equal(t, summary(d), []string{"moved POST /pets POST /v2/pets !", "renamed GET /pets/{petId} GET /pets/{id}"})
	equal(t, d.Operations[0].Changes, []Change{{
		Rule: RuleMoved, Part: PartPath, Breaking: true, Text: "the operation moved from `/pets` to `/v2/pets`",
	}})
	equal(t, d.Operations[1].Changes, []Change{{
		Rule: RuleRenamed, Part: PartPath, Text: "parameters in the path have other names: it was `/pets/{petId}`",
	}})
	if op, ok := d.OfOld("POST /pets"); !ok || op.New != "POST /v2/pets" {
		t.Errorf("got %+v, %v", op, ok)
	}
}

// Each change of a contract has the rule that found it and the changed part.
func TestContracts(t *testing.T) {
	const plain = `paths:
  /a:
    post:
      parameters: [{name: ids, in: query, schema: {type: array, items: {type: string}}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {b: {type: string}}}}}}
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: object, properties: {c: {type: string}}, required: [c]}}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: K}}}
`
	for _, c := range []struct {
		name, from, to string
		want           Change
	}{
		{
			"required parameter", "in: query,", "in: query, required: true,",
			Change{"request-parameter-became-required", PartParameter, true, "the `query` request parameter `ids` became required"},
		},
		{
			"serialization", "in: query,", "in: query, explode: false,",
			Change{
				RuleSerialized, PartParameter, true,
				"the `query` request parameter `ids` is written as `form`, it was `form, exploded`",
			},
		},
		{
			"required property of the body", "b: {type: string}}", "b: {type: string}}, required: [b]",
			Change{"request-property-became-required", PartBody, true, "the request property `b` became required"},
		},
		{
			"property of an answer", "c: {type: string}}, required: [c]", "d: {type: string}}",
			Change{
				"response-required-property-removed", PartAnswer, true,
				"removed the required property `c` from the response with the `200` status",
			},
		},
		{
			"status", "responses:", "responses:\n        \"201\": {description: created}",
			Change{"response-success-status-added", PartStatus, false, "added the success response with the status `201`"},
		},
		{
			"security", "post:", "post:\n      security: [{key: []}]",
			Change{
				"api-security-anonymous-access-removed", PartSecurity, true,
				"the endpoint no longer allows anonymous access and now only accepts `key`",
			},
		},
		{
			"deprecation", "post:", "post:\n      deprecated: true",
			Change{"endpoint-deprecated", PartOperation, false, "endpoint deprecated"},
		},
	} {
		newer := strings.Replace(plain, c.from, c.to, 1)
		d := compareTexts(t, plain, newer)
		if len(d.Operations) != 1 {
			t.Errorf("%s: got %+v", c.name, d.Operations)
			continue
		}
		if !slices.Contains(d.Operations[0].Changes, c.want) {
			t.Errorf("%s: got %+v, want also %+v", c.name, d.Operations[0].Changes, c.want)
		}
		if got := d.Operations[0].Breaking(); got != c.want.Breaking {
			t.Errorf("%s: breaking: got %v", c.name, got)
		}
	}
}

// The breaking changes of an operation come before its other changes.
func TestOrderOfChanges(t *testing.T) {
	newer := strings.NewReplacer(
		"type: object, properties: {name: {type: string}}", "type: object, properties: {name: {type: string}, age: {type: integer}}",
		"required: [id], properties: {id: {type: integer}", "properties: {id: {type: string}, age: {type: integer}",
	).Replace(pets)
	d := compareTexts(t, pets, newer)
	if len(d.Operations) != 2 {
		t.Fatalf("got %v", summary(d))
	}
	for _, op := range d.Operations {
		if !slices.IsSortedFunc(op.Changes, breakingFirst) || !op.Changes[0].Breaking {
			t.Errorf("got %+v", op.Changes)
		}
	}
}

// Descriptions and other texts of a document that do not belong to its contract are not compared.
func TestDescriptionsAreNotCompared(t *testing.T) {
	newer := strings.NewReplacer(
		"description: a pet", "description: an animal", "operationId: addPet", "operationId: add\n      tags: [new]",
	).Replace(pets)
	equal(t, summary(compareTexts(t, pets, newer)), []string(nil))
}

// A panic in the comparison of contracts becomes an error. The rest of the diff is complete.
func TestContractsThatCannotBeCompared(t *testing.T) {
	broken := []pair{{older: &model.Operation{Method: "GET"}, newer: nil, status: StatusChanged}}
	if _, err := runChecks(broken); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want an error of one line", err)
	}
	d := &Diff{ContractError: errors.New("no")}
	equal(t, d.Breaking(), false)
}

// Long chains of schemas and long lists of alternatives are compared only up to a limit, so that the comparison is
// fast.
func TestLargeSchemas(t *testing.T) {
	chain := func(kind string, depth int) *model.Schema {
		s := &model.Schema{Type: kind}
		for range depth {
			s = &model.Schema{Type: "array", Items: s}
		}
		return s
	}
	union := func(kind string) *model.Schema {
		s := &model.Schema{}
		for range 2000 {
			s.OneOf = append(s.OneOf, &model.Schema{Type: "array", Items: &model.Schema{Type: kind}})
		}
		return s
	}
	for name, c := range map[string]struct {
		older, newer *model.Schema
		changes      int
	}{
		"deep, within the limit": {chain("string", 50), chain("integer", 50), 1},
		"deep":                   {chain("string", 100_000), chain("integer", 100_000), 0},
		"many alternatives":      {union("string"), union("integer"), 2000},
	} {
		operation := func(s *model.Schema) *model.Operation {
			return &model.Operation{ID: "GET /a", Method: "GET", Path: "/a", Responses: []model.Response{{
				Status: "200", Contents: []model.Content{{Media: "application/json", Schema: s}},
			}}}
		}
		all, err := compareContracts([]pair{{older: operation(c.older), newer: operation(c.newer), status: StatusChanged}})
		if got := len(all["GET /a"]); err != nil || got != c.changes {
			t.Errorf("%s: got %d changes, %v; want %d", name, got, err, c.changes)
		}
	}
}
