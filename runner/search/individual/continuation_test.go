package individual

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"
)

// shelf returns a problem with templates for things and their notes.
func shelf(s model.Sampling) *Problem {
	id, note := param(
		model.InPath, "id", true, model.Schema{Type: "string"},
	), param(model.InPath, "note", true, model.Schema{Type: "string"})
	text := model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "text", Required: true, Schema: &model.Schema{Type: "string"}}},
	}}}}
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "POST /things", Method: "POST", Path: "/things", Body: &text},
		{ID: "DELETE /things/{id}", Method: "DELETE", Path: "/things/{id}", Params: []model.Parameter{id}},
		{ID: "POST /things/{id}/notes", Method: "POST", Path: "/things/{id}/notes", Params: []model.Parameter{id}, Body: &text},
		{ID: "PUT /tags/{note}", Method: "PUT", Path: "/tags/{note}", Params: []model.Parameter{note}, Body: &text},
	}}
	step := func(op model.OpID) model.TemplateStep { return model.TemplateStep{Op: op, Min: 1, Max: 1} }
	link := []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}}
	return New(model.Plan{Spec: spec, Sampling: s, Templates: []model.Template{
		{Weight: 1, Steps: []model.TemplateStep{step("POST /things")}},
		{Weight: 1, Steps: []model.TemplateStep{step("POST /things"), step("DELETE /things/{id}")}, Links: link},
		{Weight: 1, Steps: []model.TemplateStep{step("POST /things"), step("POST /things/{id}/notes")}, Links: link},
		{Weight: 1, Steps: []model.TemplateStep{step("PUT /tags/{note}")}},
	}})
}

func TestContinuationsUseWhatWasCreated(t *testing.T) {
	p, r := shelf(model.Sampling{}), chance(1)
	seen := map[string]bool{}
	for range 500 {
		ind := p.FollowTemplate(r, p.templates.usual.endpoints[2].ops[0][0]) // adds a note to a thing
		if !p.extensions.continueTest(r, ind) {
			continue
		}
		test := ind.Test()
		seen[fmt.Sprint(test.Seq())] = true
		for i, c := range test.Calls {
			linked := slices.ContainsFunc(test.Links, func(l model.Link) bool { return l.To == i && l.From == 0 && l.Name == "id" })
			if c.Op != "POST /things" && !linked {
				t.Fatalf("call %d is not about the first thing: %+v", i, test)
			}
		}
	}
	for _, want := range []string{
		"[POST /things POST /things/{id}/notes POST /things/{id}/notes]", // the same call again
		"[POST /things POST /things/{id}/notes DELETE /things/{id}]",     // then a call of another template
		"[POST /things DELETE /things/{id} POST /things/{id}/notes]",     // a call that fails because the thing is deleted
	} {
		if !seen[want] {
			t.Errorf("never %s; only %v", want, seen)
		}
	}
}

// A repeated call names the same resource and has the same values as the original.
func TestRepeatedCallIsTheSame(t *testing.T) {
	p, r := shelf(model.Sampling{}), chance(2)
	ind := p.FollowTemplate(r, p.templates.usual.endpoints[3].ops[0][0])
	if !ind.repeatAtEnd(0, maxCalls) {
		t.Fatal("no encore")
	}
	test := ind.Test()
	a, b := test.Calls[0], test.Calls[1]
	if a.Args[0] != b.Args[0] || a.Body.Data != b.Body.Data {
		t.Errorf("first %+v %s, then %+v %s", a.Args, a.Body.Data, b.Args, b.Body.Data)
	}
	if want := []model.Link{{From: 0, To: 1, In: model.InPath, Name: "note", Param: "note"}}; !slices.Equal(test.Links, want) {
		t.Errorf("links %+v, want %+v", test.Links, want)
	}
}

// Continued tests have at most maxCalls calls, and all of their links stay valid after mutations.
func TestContinuationsStayComplete(t *testing.T) {
	p, r := shelf(model.Sampling{Sequel: 1, Invalid: 0.1}), chance(3)
	for range 200 {
		ind := p.Sample(r, 1)
		for range 20 {
			ind = p.Mutate(r, ind, 0.5, nil)
			test := ind.Test()
			if len(test.Calls) > maxCalls {
				t.Fatalf("%d calls", len(test.Calls))
			}
			for i, c := range test.Calls {
				if k := ind.calls[i].step; ind.steps[k].Op != c.Op {
					t.Fatalf("call %d is %s, its step %s", i, c.Op, ind.steps[k].Op)
				}
			}
			for _, l := range test.Links {
				if l.From < 0 || l.From >= l.To || l.To >= len(test.Calls) {
					t.Fatalf("link %+v of %v", l, test.Seq())
				}
			}
		}
	}
}

// Distilled templates are followed with the given probability.
func TestDistilledIsAProbability(t *testing.T) {
	plan := model.Plan{
		Spec: shop(), Templates: templates, Sampling: model.Sampling{Distilled: 0.25},
		Distilled: []model.Template{
			{Steps: []model.TemplateStep{{Op: "GET /things", Min: 1, Max: 1}, {Op: "POST /things", Min: 1, Max: 1}}},
			{Steps: []model.TemplateStep{{Op: "GET /nowhere", Min: 1, Max: 1}}},
		},
	}
	p, r := New(plan), chance(4)
	n := 0
	for range 2000 {
		if ind := p.Sample(r, 1); len(ind.steps) == 2 && ind.steps[0].Op == "GET /things" {
			n++
		}
	}
	if n < 420 || n > 580 {
		t.Errorf("%d of 2000 tests follow the distilled template, want about 500", n)
	}
}
