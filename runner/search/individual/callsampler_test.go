package individual

import (
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// Each step is called as often as its template allows. A link of a template joins two steps. In the test, it starts
// at the last call of the earlier step, and each call of the later step gets a copy of it.
func TestFollowCallsAndLinksSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := func(op model.OpID) model.TemplateStep {
			least := rapid.IntRange(1, 3).Draw(t, "min")
			return model.TemplateStep{Op: op, Min: least, Max: least + rapid.IntRange(0, 3).Draw(t, "more")}
		}
		followed := model.Template{
			Steps: []model.TemplateStep{step("POST /things"), step("PATCH /things/{id}")},
			Links: []model.Link{{From: 0, To: 1, Pointer: "/id", In: model.InPath, Name: "id"}},
		}
		ind := problem().calls.follow(chance(rapid.Uint64().Draw(t, "seed")), followed, "ann")
		count := make([]int, len(followed.Steps))
		for i, c := range ind.calls {
			count[c.step]++
			if want := followed.Steps[c.step].Op; c.op.ID != want || i > 0 && c.step < ind.calls[i-1].step {
				t.Fatalf("call %d is %s of step %d", i, c.op.ID, c.step)
			}
		}
		for i, s := range followed.Steps {
			if count[i] < s.Min || count[i] > s.Max {
				t.Fatalf("step %d is called %d times, want %d to %d", i, count[i], s.Min, s.Max)
			}
		}
		if len(ind.links) != count[1] || ind.target != "PATCH /things/{id}" {
			t.Fatalf("%d links for %d calls, target %s", len(ind.links), count[1], ind.target)
		}
		for i, l := range ind.links {
			if l.From != count[0]-1 || l.To != count[0]+i || l.Pointer != "/id" {
				t.Fatalf("link %d is %+v after %d creations", i, l, count[0])
			}
		}
	})
}

// A call is made by the user of its test, unless its operation has always refused that user.
func TestSampleChoosesTheCaller(t *testing.T) {
	for name, c := range map[string]struct {
		user   string
		status int // status of ann's calls so far, 0 for no calls
		want   string
	}{
		"not called yet":  {"ann", 0, "ann"},
		"accepted":        {"ann", 200, "ann"},
		"without a user":  {"", 0, ""},
		"another refused": {"bob", 403, "bob"},
	} {
		p := problem()
		if c.status > 0 {
			p.RecordStatus("GET /things", "ann", c.status)
		}
		if got := p.calls.sample(chance(1), p.operations.byID["GET /things"], c.user); got.user != c.want {
			t.Errorf("%s: the caller is %q, want %q", name, got.user, c.want)
		}
	}
	p, r, callers := problem(), chance(1), map[string]int{}
	for range 10 {
		p.RecordStatus("GET /things", "ann", 403)
		p.RecordStatus("GET /things", "bob", 200)
	}
	for range 200 {
		callers[p.calls.random(r, "ann").user]++
		callers[p.calls.sample(r, p.operations.byID["GET /things"], "ann").user+" of GET"]++
	}
	if callers["bob of GET"] < 150 || callers["ann"] < 100 {
		t.Errorf("callers %v, want mostly bob for the operation that refuses ann, and ann elsewhere", callers)
	}
}

// Muted operations are not drawn.
func TestRandomDrawsByWeight(t *testing.T) {
	p, r := problem(), chance(2)
	p.SetWeights(model.Weights{"POST /things": 0, "GET /things": 0, "GET /things/{id}": 0})
	for range 50 {
		if c := p.calls.random(r, ""); c.op.ID != "PATCH /things/{id}" {
			t.Fatalf("got %s, want the one that is not muted", c.op.ID)
		}
	}
}

// With a pool, inputs take values that earlier answers contained.
func TestSampleTakesValuesOfThePool(t *testing.T) {
	text := model.Schema{Type: "string"}
	thing := &model.Schema{Type: "object", Properties: []model.Property{{Name: "thingId", Required: true, Schema: &text}}}
	get := &model.Operation{
		ID:     "GET /things/{thingId}",
		Method: "GET",
		Path:   "/things/{thingId}",
		Params: []model.Parameter{param(model.InPath, "thingId", true, text)},
		Responses: []model.Response{
			{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: thing}}},
		},
	}
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{get}}, Sampling: model.Sampling{Pool: 1}})
	p.ObserveReply(get.ID, model.Reply{Status: 200, Body: []byte(`{"thingId":"t4711"}`)})
	ind := &Individual{free: true, calls: []call{p.calls.random(chance(3), "")}}
	if args := ind.Test().Calls[0].Args; len(args) != 1 || args[0].Value != "t4711" {
		t.Errorf("arguments %+v, want the id of the answer", args)
	}
}
