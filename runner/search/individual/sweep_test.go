package individual

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// The links of a sweep start at existing earlier calls, and each input has at most one link.
func TestSweepsHaveValidLinks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, r := shelf(model.Sampling{}), chance(rapid.Uint64().Draw(rt, "seed"))
		for range 5 {
			ind := p.Sweep(r)
			test := ind.Test()
			filled := map[string]bool{}
			for _, l := range test.Links {
				at := fmt.Sprint(l.To, l.In, l.Name)
				if l.From < 0 || l.From >= l.To || l.To >= len(test.Calls) || filled[at] {
					rt.Fatalf("link %+v of %v", l, test.Seq())
				}
				filled[at] = true
			}
			for i := range test.Calls {
				p.RecordSuccess(ind, i)
			}
		}
	})
}

// notesSwept returns a sweep of the notes of a thing.
func notesSwept(t *testing.T, p *Problem, seed uint64) model.Test {
	t.Helper()
	r := chance(seed)
	for range 50 {
		if ind := p.Sweep(r); ind.target == "POST /things/{id}/notes" {
			return ind.Test()
		}
	}
	t.Fatal("no sweep over the notes of a thing")
	return model.Test{}
}

// A sweep creates one thing, and then many notes of this thing, all with different texts.
func TestSweepVariesOnOneThing(t *testing.T) {
	test := notesSwept(t, shelf(model.Sampling{}), 1)
	bodies := map[string]bool{}
	for i, c := range test.Calls {
		if c.Op != "POST /things/{id}/notes" {
			continue
		}
		if c.Body != nil {
			bodies[c.Body.Data] = true
		}
		if !slices.ContainsFunc(
			test.Links,
			func(l model.Link) bool { return l.To == i && l.Name == "id" && test.Calls[l.From].Op == "POST /things" },
		) {
			t.Errorf("call %d is about no thing that was made", i)
		}
	}
	if test.Calls[0].Op != "POST /things" || len(bodies) < 5 {
		t.Errorf("%v with the bodies %v", test.Seq(), bodies)
	}
}

// A sweep varies a call that succeeded.
func TestSweepVariesASuccessfulCall(t *testing.T) {
	p := shelf(model.Sampling{})
	good := p.AdoptTest(chance(1), model.Test{Calls: []model.Call{{
		Op:   "POST /things/{id}/notes",
		Args: []model.Arg{{In: model.InPath, Name: "id", Value: "7"}},
		Body: &model.Payload{Media: "application/json", Data: `{"text":"known good"}`},
	}}})
	p.RecordSuccess(good, 0)
	test := notesSwept(t, p, 2)
	at := slices.IndexFunc(test.Calls, func(c model.Call) bool { return c.Op == "POST /things/{id}/notes" })
	if got := test.Calls[at].Body.Data; got != `{"text":"known good"}` {
		t.Errorf("the first note is %s", got)
	}
}

// A sweep uses the values of the calls from which a successful call took values.
func TestSweepUsesSourcesOfSuccess(t *testing.T) {
	p := shelf(model.Sampling{})
	made := func(name string) *Individual {
		return p.AdoptTest(chance(1), model.Test{
			Calls: []model.Call{
				{Op: "POST /things", Body: &model.Payload{Media: "application/json", Data: `{"text":"` + name + `"}`}},
				{
					Op:   "POST /things/{id}/notes",
					Args: []model.Arg{{In: model.InPath, Name: "id", Value: "7"}},
					Body: &model.Payload{Media: "application/json", Data: `{"text":"known good"}`},
				},
			},
			Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}},
		})
	}
	p.RecordSuccess(made("takes notes"), 1)
	p.RecordSuccess(made("takes none"), 0) // the call without values of others succeeded later
	trusted := 0
	for seed := range uint64(20) {
		if body := notesSwept(t, p, seed).Calls[0].Body; body != nil && body.Data == `{"text":"takes notes"}` {
			trusted++
		}
	}
	if trusted < 12 {
		t.Errorf("%d of 20 sweeps begin with what took notes", trusted)
	}
}

// Some calls of a sweep have new random values for all inputs, because some faults occur only if two inputs have
// certain values.
func TestSweepSamplesAllInputs(t *testing.T) {
	room := param(model.InPath, "room", true, model.Schema{Type: "string"})
	yes := &model.Schema{Type: "boolean"}
	p := New(model.Plan{
		Spec: &model.Spec{Operations: []*model.Operation{{
			ID: "PUT /rooms/{room}", Method: "PUT", Path: "/rooms/{room}", Params: []model.Parameter{room},
			Body: &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
				Type: "object",
				Properties: []model.Property{
					{Name: "heat", Required: true, Schema: yes}, {Name: "air", Required: true, Schema: yes},
				},
			}}}},
		}}},
		Templates: []model.Template{{Weight: 1, Steps: []model.TemplateStep{{Op: "PUT /rooms/{room}", Min: 1, Max: 1}}}},
	})
	off := p.AdoptTest(chance(1), model.Test{Calls: []model.Call{{
		Op:   "PUT /rooms/{room}",
		Args: []model.Arg{{In: model.InPath, Name: "room", Value: "hall"}},
		Body: &model.Payload{Media: "application/json", Data: `{"heat":false,"air":false}`},
	}}})
	p.RecordSuccess(off, 0)
	both := 0
	for r := chance(1); p.sweeps.lessons.rounds["PUT /rooms/{room}"] < 10; {
		for _, c := range p.Sweep(r).Test().Calls {
			if c.Body != nil && c.Body.Data == `{"heat":true,"air":true}` && c.Args[0].Value == "hall" {
				both++
			}
		}
	}
	if both == 0 {
		t.Error("never is both on in the hall")
	}
}

// A sweep sets all numbers to extreme values, because values that are valid one by one may be
// invalid together.
func TestSweepSetsExtremes(t *testing.T) {
	id := param(model.InPath, "id", true, model.Schema{Type: "string"})
	body := func(name string, most float64) *model.RequestBody {
		least := 1.0
		return &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
			Type:       "object",
			Properties: []model.Property{{Name: name, Required: true, Schema: &model.Schema{Type: "integer", Min: &least, Max: &most}}},
		}}}}
	}
	step := func(op model.OpID) model.TemplateStep { return model.TemplateStep{Op: op, Min: 1, Max: 1} }
	p := New(model.Plan{
		Spec: &model.Spec{Operations: []*model.Operation{
			{ID: "POST /boxes", Method: "POST", Path: "/boxes", Body: body("grams", 9000)},
			{
				ID: "POST /boxes/{id}/loads", Method: "POST", Path: "/boxes/{id}/loads",
				Params: []model.Parameter{id}, Body: body("count", 99),
			},
			{ID: "POST /loads/{id}/trips", Method: "POST", Path: "/loads/{id}/trips", Params: []model.Parameter{id}, Body: body("days", 7)},
		}},
		Templates: []model.Template{{
			Weight: 1, Steps: []model.TemplateStep{
				step("POST /boxes"), step("POST /boxes/{id}/loads"), step("POST /loads/{id}/trips"),
			},
			Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}, {From: 1, To: 2, In: model.InPath, Name: "id"}},
		}},
	})
	for r := chance(1); ; {
		test := p.Sweep(r).Test()
		for _, l := range test.Links {
			box, load := test.Calls[l.From], test.Calls[l.To]
			if box.Op == "POST /boxes" && box.Body.Data == `{"grams":9000}` && load.Body.Data == `{"count":99}` {
				return
			}
		}
		if p.sweeps.lessons.rounds["POST /loads/{id}/trips"] > 20 {
			t.Fatal("never are the most and the heaviest loaded")
		}
	}
}

// Resources that can be used only once are created again for each call.
func TestSweepRecreatesUsedResources(t *testing.T) {
	id := param(model.InPath, "id", true, model.Schema{Type: "string"})
	body := &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "way", Required: true, Schema: &model.Schema{Enum: []any{"card", "cash", "later"}}}},
	}}}}
	step := func(op model.OpID) model.TemplateStep { return model.TemplateStep{Op: op, Min: 1, Max: 1} }
	p := New(model.Plan{
		Spec: &model.Spec{Operations: []*model.Operation{
			{ID: "POST /shops", Method: "POST", Path: "/shops"},
			{ID: "POST /shops/{id}/orders", Method: "POST", Path: "/shops/{id}/orders", Params: []model.Parameter{id}},
			{ID: "POST /orders/{id}/payment", Method: "POST", Path: "/orders/{id}/payment", Params: []model.Parameter{id}, Body: body},
		}},
		Templates: []model.Template{{
			Weight: 1, Steps: []model.TemplateStep{
				step("POST /shops"), step("POST /shops/{id}/orders"), step("POST /orders/{id}/payment"),
			},
			Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}, {From: 1, To: 2, In: model.InPath, Name: "id"}},
		}},
	})
	r := chance(1)
	first := p.Sweep(r)
	statuses := slices.Repeat([]int{409}, first.Len())
	statuses[slices.Index(first.Test().Seq(), "POST /orders/{id}/payment")] = 201
	p.RecordSweep(first, statuses)
	most := 0
	for range 5 {
		orders := strings.Count(fmt.Sprint(p.Sweep(r).Test().Seq()), "/orders POST")
		most = max(most, orders)
	}
	if most < 3 {
		t.Errorf("at most %d orders in a sweep over their payments", most)
	}
}

// Operations with long chains are swept more often than operations with short chains.
func TestSweepsOfLongChainsCountLess(t *testing.T) {
	p, r, swept := shelf(model.Sampling{}), chance(1), map[model.OpID]int{}
	for range 200 {
		ind := p.Sweep(r)
		p.RecordSweep(ind, slices.Repeat([]int{201}, ind.Len()))
		swept[ind.sweep.op]++
	}
	if notes, things := swept["POST /things/{id}/notes"], swept["POST /things"]; 2*notes < 3*things {
		t.Errorf("%d sweeps over the notes of a thing, %d over things", notes, things)
	}
}

// Operations without values to vary, and muted operations, are not swept.
func TestNothingToSweep(t *testing.T) {
	p := New(model.Plan{
		Spec:      &model.Spec{Operations: []*model.Operation{{ID: "GET /health", Method: "GET", Path: "/health"}}},
		Templates: []model.Template{{Weight: 1, Steps: []model.TemplateStep{{Op: "GET /health", Min: 1, Max: 1}}}},
	})
	if ind := p.Sweep(chance(1)); ind != nil {
		t.Errorf("a sweep over nothing: %v", ind.Test().Seq())
	}
	muted := shelf(model.Sampling{})
	muted.SetWeights(model.Weights{"POST /things": 0, "DELETE /things/{id}": 0, "POST /things/{id}/notes": 0, "PUT /tags/{note}": 0})
	if ind := muted.Sweep(chance(1)); ind != nil {
		t.Errorf("a sweep over what is muted: %v", ind.Test().Seq())
	}
}

// If the last successful call of the target was anonymous, the chain still has a user.
func TestSweepsHaveAUser(t *testing.T) {
	p := shelf(model.Sampling{})
	p.users.names = []string{"ann"}
	r := chance(1)
	good := p.FollowTemplate(r, p.templates.mostLinked("POST /things/{id}/notes"))
	p.RecordSuccess(good, good.Len()-1) // anonymous
	for range 50 {
		for i, c := range p.Sweep(r).Test().Calls {
			if c.Op == "POST /things" && c.User != "ann" {
				t.Fatalf("call %d, %s, is made by %q", i, c.Op, c.User)
			}
		}
	}
}

// Muted operations are called once if other operations need them, and are not varied.
func TestSweepsDoNotVaryMutedOperations(t *testing.T) {
	p, r := shelf(model.Sampling{}), chance(1)
	p.SetWeights(model.Weights{"POST /things": 0, "DELETE /things/{id}": 0})
	for range 50 {
		if seq := fmt.Sprint(p.Sweep(r).Test().Seq()); strings.Count(seq, "POST /things ") > 1 || strings.Contains(seq, "DELETE") {
			t.Fatalf("%s calls what is muted for no reason", seq)
		}
	}
}

// The number of variations is bounded, even for a very large call.
func TestSweepsOfLargeBodiesAreBounded(t *testing.T) {
	for _, required := range []bool{true, false} {
		p := wide(2000, required)
		s := newSweepBuilder(p.sweeps, chance(1), p.templates.all[0])
		if n := len(s.variations()); n < sweepCalls || n > 1000 {
			t.Errorf("required %t: %d variations", required, n)
		}
	}
}

// The operation that was swept least is swept next. A sweep counts as soon as it begins.
func TestLeastSwept(t *testing.T) {
	p, r := shelf(model.Sampling{}), chance(1)
	const notes = model.OpID("POST /things/{id}/notes")
	rounds := p.sweeps.lessons.rounds
	for _, op := range []model.OpID{"POST /things", "DELETE /things/{id}", "PUT /tags/{note}"} {
		rounds[op] = 100
	}
	count := 0
	for range 20 {
		before := rounds[notes]
		if p.sweeps.next(r).sweep.op == notes {
			count++
			if rounds[notes] <= before {
				t.Fatalf("a sweep of %s has begun, but %g rounds count as before", notes, before)
			}
		}
	}
	if count < 15 {
		t.Errorf("%d of 20 sweeps are of the operation that was swept least", count)
	}
}

// The steps that can be varied have values outside the path, and their operations are not muted.
func TestVariableSteps(t *testing.T) {
	step := func(op model.OpID) model.TemplateStep { return model.TemplateStep{Op: op, Min: 1, Max: 1} }
	chain := model.Template{Steps: []model.TemplateStep{
		step("POST /things"), step("DELETE /things/{id}"), step("POST /things/{id}/notes"),
	}}
	for name, c := range map[string]struct {
		weights model.Weights
		want    []int
	}{
		"the last first": {nil, []int{2, 0}},
		"a muted one":    {model.Weights{"POST /things": 0}, []int{2}},
		"all muted":      {model.Weights{"POST /things": 0, "POST /things/{id}/notes": 0}, nil},
	} {
		p := shelf(model.Sampling{})
		p.SetWeights(c.weights)
		if got := p.operations.variableSteps(chain); !slices.Equal(got, c.want) {
			t.Errorf("%s: steps %v, want %v", name, got, c.want)
		}
	}
}
