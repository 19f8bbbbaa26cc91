package individual

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func param(in model.Location, name string, required bool, s model.Schema) model.Parameter {
	p := model.Parameter{Name: name, In: in, Required: required, Schema: &s}
	if in == model.InQuery {
		p.Style, p.Explode = "form", true
	}
	return p
}

func shop() *model.Spec {
	text := model.Schema{Type: "string"}
	id := param(model.InPath, "id", true, text)
	body := func(media string) *model.RequestBody {
		return &model.RequestBody{Required: true, Contents: []model.Content{{Media: media, Schema: &model.Schema{
			Type: "object",
			Properties: []model.Property{
				{Name: "name", Required: true, Schema: &text}, {Name: "n", Schema: &model.Schema{Type: "integer"}},
			},
		}}}}
	}
	return &model.Spec{Operations: []*model.Operation{
		{ID: "POST /things", Method: "POST", Path: "/things", Body: body("application/json"), Secured: true},
		{ID: "GET /things", Method: "GET", Path: "/things", Params: []model.Parameter{param(model.InQuery, "q", false, text)}},
		{ID: "GET /things/{id}", Method: "GET", Path: "/things/{id}", Params: []model.Parameter{id}, Secured: true},
		{
			ID:     "PATCH /things/{id}",
			Method: "PATCH",
			Path:   "/things/{id}",
			Params: []model.Parameter{id},
			Body:   body("application/x-www-form-urlencoded"),
		},
	}}
}

var templates = []model.Template{
	{Weight: 1, Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 3}, {Op: "GET /things", Min: 1, Max: 1}}},
	{
		Weight: 1, Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 1}, {Op: "PATCH /things/{id}", Min: 1, Max: 2}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}},
	},
	{Weight: 1, Steps: []model.TemplateStep{{Op: "POST /nowhere", Min: 1, Max: 1}}},
}

func problem() *Problem {
	return New(model.Plan{Spec: shop(), Templates: templates, Users: []model.User{{Name: "ann"}, {Name: "bob"}}})
}

func chance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// maxCalls is the maximum number of calls of a random test by default.
var maxCalls = model.DefaultSizes().Calls

// fits returns what is wrong with a test, "" if the test is valid.
func fits(t model.Test) string {
	if len(t.Calls) == 0 || len(t.Calls) > maxCalls {
		return "its length"
	}
	for _, l := range t.Links {
		if l.From < 0 || l.From >= l.To || l.To >= len(t.Calls) {
			return "a link"
		}
		if t.Calls[l.From].Op != "POST /things" || !strings.HasSuffix(string(t.Calls[l.To].Op), "{id}") {
			return "what a link ties"
		}
	}
	return ""
}

func TestSamplesAndMutantsAreValid(t *testing.T) {
	p := problem()
	rapid.Check(t, func(t *rapid.T) {
		r := chance(rapid.Uint64().Draw(t, "seed"))
		ind := p.Sample(r, rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "smart"))
		for range rapid.IntRange(0, 30).Draw(t, "mutations") {
			before := ind.Test()
			next := p.Mutate(r, ind, r.Float64(), nil)
			if d := cmp.Diff(before, ind.Test()); d != "" {
				t.Fatalf("Mutate changed the individual it was given:\n%s", d)
			}
			ind = next
		}
		if wrong := fits(ind.Test()); wrong != "" {
			t.Fatalf("%s: %+v", wrong, ind.Test())
		}
	})
}

// The structure of a template does not change, except for the number of repetitions of a step (the
// EvoMaster paper, section 5.2.8).
func TestTemplatesKeepTheirStructure(t *testing.T) {
	p := problem()
	for seed := range uint64(200) {
		r := chance(seed)
		ind := p.FollowTemplate(r, templates[1])
		for range 20 {
			ind = p.Mutate(r, ind, 0.5, nil)
		}
		got := ind.Test()
		seq := got.Seq()
		want := []model.Seq{{"POST /things", "PATCH /things/{id}"}, {"POST /things", "PATCH /things/{id}", "PATCH /things/{id}"}}
		if !slices.ContainsFunc(want, func(s model.Seq) bool { return slices.Equal(s, seq) }) {
			t.Fatalf("seed %d: structure became %v", seed, seq)
		}
		if len(got.Links) != len(seq)-1 {
			t.Fatalf("seed %d: %d links for %v", seed, len(got.Links), seq)
		}
	}
}

// A parameter with a link is locked; other values mutate (the EvoMaster paper, section 5.2.8).
func TestLinkedParametersAreLocked(t *testing.T) {
	p, r := problem(), chance(1)
	first := p.FollowTemplate(r, model.Template{
		Steps: []model.TemplateStep{{Op: "POST /things", Min: 1, Max: 1}, {Op: "GET /things/{id}", Min: 1, Max: 1}},
		Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}},
	})
	ind, bodies := first, map[string]bool{}
	for range 50 {
		ind = p.Mutate(r, ind, 0.5, nil)
		bodies[ind.Test().Calls[0].Body.Data] = true
	}
	if d := cmp.Diff(first.Test().Calls[1].Args, ind.Test().Calls[1].Args); d != "" {
		t.Errorf("the linked parameter changed:\n%s", d)
	}
	if len(bodies) < 20 {
		t.Errorf("the body took only %d values in 50 mutations", len(bodies))
	}
}

func TestSmartIsAProbability(t *testing.T) {
	p, r := problem(), chance(1)
	smart := 0
	for range 2000 {
		if !p.Sample(r, 0.6).free {
			smart++
		}
	}
	if smart < 1120 || smart > 1280 {
		t.Errorf("%d of 2000 individuals follow a template, want about 1200", smart)
	}
}

func TestSameSeedSameIndividuals(t *testing.T) {
	sample := func() (out []model.Test) {
		p, r := problem(), chance(9)
		for range 50 {
			out = append(out, p.Mutate(r, p.Sample(r, 0.5), 0.3, nil).Test())
		}
		return out
	}
	if d := cmp.Diff(sample(), sample()); d != "" {
		t.Error(d)
	}
}

func TestUsers(t *testing.T) {
	p, r := problem(), chance(2)
	count := map[string]int{}
	for range 2000 {
		calls := p.FollowTemplate(r, model.Template{Steps: []model.TemplateStep{{Op: "GET /things/{id}", Min: 1, Max: 1}}}).Test().Calls
		count[calls[0].User]++
	}
	if count["ann"] < 800 || count["bob"] < 800 || count[""] < 50 || count[""] > 200 {
		t.Errorf("users %v; want both about equally, and sometimes none", count)
	}
}

// Most tests of random calls have a user. Few have none.
func TestUsersOfRandomCalls(t *testing.T) {
	p, r := problem(), chance(3)
	count := map[string]int{}
	for range 4000 {
		calls := p.Sample(r, 0).Test().Calls
		count[calls[len(calls)-1].User]++
	}
	if count["ann"] < 1700 || count["bob"] < 1700 || count[""] < 120 || count[""] > 280 {
		t.Errorf("users %v; want both about equally, and sometimes none", count)
	}
}

// Calls have users even if the spec declares security for no operation or only for some, because the
// spec may be wrong.
func TestUsersWithoutDeclaredSecurity(t *testing.T) {
	spec := shop()
	for i, op := range spec.Operations {
		op.Secured = i == 0
	}
	for _, users := range [][]model.User{{{Name: "ann"}}, nil} {
		p, r := New(model.Plan{Spec: spec, Templates: templates, Users: users}), chance(4)
		count := map[string]int{}
		for range 500 {
			for _, c := range p.Sample(r, 0.5).Test().Calls {
				count[c.User]++
			}
		}
		if users == nil && len(count) != 1 || users != nil && count["ann"] < 10*count[""] {
			t.Errorf("with users %v: got %v", users, count)
		}
	}
}

func BenchmarkMutateAndPrint(b *testing.B) {
	p, r := problem(), chance(1)
	ind := p.FollowTemplate(r, templates[1])
	for b.Loop() {
		p.Mutate(r, ind, 0.5, nil).Test()
	}
}
