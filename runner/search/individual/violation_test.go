package individual

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
)

func number(n float64) *float64 { return &n }

func amount(n int) *int { return &n }

// order returns an operation with constraints of every kind.
func order() *model.Operation {
	text := model.Schema{Type: "string", MinLength: 3, MaxLength: amount(5)}
	return &model.Operation{
		ID: "POST /orders", Method: "POST", Path: "/orders",
		Params: []model.Parameter{
			param(model.InQuery, "limit", true, model.Schema{Type: "integer", Min: number(1), Max: number(9)}),
			param(model.InQuery, "sort", false, model.Schema{Type: "string", Enum: []any{"up", "down"}}),
		},
		Body: &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
			Type: "object",
			Properties: []model.Property{
				{Name: "name", Required: true, Schema: &text},
				{Name: "lines", Required: true, Schema: &model.Schema{Type: "array", MinItems: 1, Items: &model.Schema{
					Type:       "object",
					Properties: []model.Property{{Name: "n", Required: true, Schema: &model.Schema{Type: "integer", Min: number(1)}}},
				}}},
			},
		}}}},
	}
}

// printed returns a call as a short text, as it is sent.
func printed(c model.Call) string {
	var b strings.Builder
	for _, a := range c.Args {
		b.WriteString(a.Name + "=" + a.Value + " ")
	}
	if c.Body != nil {
		if c.Body.Media != "application/json" {
			b.WriteString(c.Body.Media + " ")
		}
		b.WriteString(c.Body.Data)
	}
	return b.String()
}

func TestViolations(t *testing.T) {
	op := order()
	op.Responses = []model.Response{{Status: "415"}}
	c := newChromosome(op, false, model.Sizes{}).sample(chance(1))
	c.genes[0].SetValue(4.0)
	c.genes[1].SetValue("up")
	c.payload.SetValue(map[string]any{"name": "abcd", "lines": []any{map[string]any{"n": 2.0}}})
	valid := model.Call{Args: c.args(), Body: c.message()}
	const rest = "limit=4 sort=up "
	want := []string{
		`sort=up {"name":"abcd","lines":[{"n":2}]}`, // a required parameter is left out
		`limit=x sort=up {"name":"abcd","lines":[{"n":2}]}`,
		`limit=0 sort=up {"name":"abcd","lines":[{"n":2}]}`,
		`limit=10 sort=up {"name":"abcd","lines":[{"n":2}]}`,
		`limit=4 sort=x-none {"name":"abcd","lines":[{"n":2}]}`,
		rest, rest + `{"`, rest + `[]`, // no body, no JSON, no object
		rest + `text/plain {"name":"abcd","lines":[{"n":2}]}`,
		rest + `{"name":"abcd"}`,
		rest + `{"lines":null,"name":"abcd"}`,
		rest + `{"lines":"x","name":"abcd"}`,
		rest + `{"lines":[null],"name":"abcd"}`,
		rest + `{"lines":["x"],"name":"abcd"}`,
		rest + `{"lines":[{}],"name":"abcd"}`,
		rest + `{"lines":[{"n":null}],"name":"abcd"}`,
		rest + `{"lines":[{"n":"x"}],"name":"abcd"}`,
		rest + `{"lines":[{"n":0}],"name":"abcd"}`,
		rest + `{"lines":[{"n":2}]}`,
		rest + `{"lines":[{"n":2}],"name":null}`,
		rest + `{"lines":[{"n":2}],"name":7}`,
		rest + `{"lines":[{"n":2}],"name":"xx"}`,
		rest + `{"lines":[{"n":2}],"name":"xxxxxx"}`,
	}
	var got []string
	for _, f := range c.violations() {
		got = append(got, printed(f.put(model.Call{Args: c.args(), Body: c.message()})))
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("no flaw makes %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("a flaw makes %s", g)
		}
	}
	if now := (model.Call{Args: c.args(), Body: c.message()}); printed(now) != printed(valid) {
		t.Errorf("the genes changed from %s to %s", printed(valid), printed(now))
	}
}

// A value in a path is violated only if the spec declares a status for invalid input. The value is never omitted.
func TestViolationsInPaths(t *testing.T) {
	op := &model.Operation{
		ID: "GET /orders/{code}", Method: "GET", Path: "/orders/{code}",
		Params: []model.Parameter{param(model.InPath, "code", true, model.Schema{Type: "string", Pattern: "^[a-z-]+$"})},
	}
	c := newChromosome(op, false, model.Sizes{}).sample(chance(1))
	if all := c.violations(); len(all) > 0 {
		t.Errorf("%+v", all)
	}
	op.Responses = []model.Response{{Status: "400"}}
	want := []violation{{in: model.InPath, name: "code", with: "!"}}
	if diff := cmp.Diff(want, c.violations(), cmp.AllowUnexported(violation{})); diff != "" {
		t.Error(diff)
	}
}

// Another media type is a violation only if the spec declares 415.
func TestOtherMediaOnlyIfDeclared(t *testing.T) {
	for _, f := range newChromosome(order(), false, model.Sizes{}).sample(chance(1)).violations() {
		if f.media != "" {
			t.Errorf("%+v", f)
		}
	}
}

func TestOtherMedia(t *testing.T) {
	for declared, want := range map[string]string{
		"application/json": "text/plain", "text/*": "application/xml", "text/plain; charset=utf-8": "application/xml",
		"*/*": "", "text/*, application/*": "", "text/*, application/xml": "application/json", "multipart/form-data": "text/plain",
	} {
		var contents []model.Content
		for _, media := range strings.Split(declared, ", ") {
			contents = append(contents, model.Content{Media: media})
		}
		if got := otherMedia(contents); got != want {
			t.Errorf("%s: got %q, want %q", declared, got, want)
		}
	}
}

// A call keeps its violation when mutations change values. The body stays JSON unless the violation
// makes it invalid.
func TestMutationKeepsViolations(t *testing.T) {
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{order()}}, Sampling: model.Sampling{Invalid: 0.3}})
	r := chance(2)
	flawed, healed := 0, 0
	ind := p.Sample(r, 0)
	for range 2000 {
		next := p.Mutate(r, ind, 0.5, nil)
		before, after := spoilt(ind), spoilt(next)
		if after > before {
			flawed++
		}
		if after < before {
			healed++
		}
		for i, c := range next.Test().Calls {
			if f := next.calls[i].violation; c.Body != nil && !f.whole && !json.Valid([]byte(c.Body.Data)) {
				t.Fatalf("%+v makes %s", f, c.Body.Data)
			}
		}
		ind = next
	}
	if flawed < 50 || healed < 50 {
		t.Errorf("%d mutations spoilt a call, %d mended one", flawed, healed)
	}
}

func spoilt(ind *Individual) (n int) {
	for _, c := range ind.calls {
		if c.violation.in != "" {
			n++
		}
	}
	return n
}

// With probability 0, no call violates the spec, as in the EvoMaster paper.
func TestProbabilityZeroDisablesViolations(t *testing.T) {
	p, r := problem(), chance(3)
	for range 500 {
		ind := p.Mutate(r, p.Sample(r, 0.5), 0.5, nil)
		if spoilt(ind) > 0 {
			t.Fatalf("%+v", ind.Test())
		}
	}
}

// A violation has no effect if the body no longer has a value at its path.
func TestViolationOfAMissingPlace(t *testing.T) {
	for _, name := range []string{"-1", "1", "a"} {
		f := violation{in: model.InBody, path: []string{name}, with: "7"}
		if got := f.replace(`[1]`); got != `[1]` {
			t.Errorf("%q: [1] became %s", name, got)
		}
	}
}
