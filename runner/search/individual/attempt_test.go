package individual

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// guild is an API in which POST /teams always fails. Only the answers of a list, GET /teams, have ids of teams.
func guild() *model.Spec {
	text := model.Schema{Type: "string"}
	id := param(model.InPath, "id", true, text)
	body := &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{
		Type: "object",
		Properties: []model.Property{
			{Name: "title", Required: true, Schema: &text}, {Name: "traits", Schema: &model.Schema{Type: "object"}},
		},
	}}}}
	object := []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json"}}}}
	return &model.Spec{Operations: []*model.Operation{
		{ID: "POST /teams", Method: "POST", Path: "/teams", Body: body},
		{ID: "GET /teams", Method: "GET", Path: "/teams"},
		{ID: "PUT /teams/{id}", Method: "PUT", Path: "/teams/{id}", Params: []model.Parameter{id}, Body: body},
		{ID: "DELETE /teams/{id}", Method: "DELETE", Path: "/teams/{id}", Params: []model.Parameter{id}},
		{ID: "GET /page", Method: "GET", Path: "/page", Responses: object},
	}}
}

// answered makes a test with one call for each pair of an operation and an answer, and passes the answers to the
// problem as if the test had been played.
func answered(t *testing.T, p *Problem, answers ...[2]string) {
	t.Helper()
	ind := &Individual{free: true}
	statuses := make([]int, len(answers))
	for i, a := range answers {
		ind.calls = append(ind.calls, p.calls.sample(chance(1), p.operations.byID[model.OpID(a[0])], ""))
		statuses[i] = 200
	}
	for i, a := range answers {
		p.ObserveAnswer(ind, i, statuses, model.Reply{Status: 200, Body: []byte(a[1])})
	}
}

// attempts returns the next n attempts of a problem by their target, which is the operation of their last call.
func attempts(p *Problem, n int) map[model.OpID][]model.Test {
	all, r := map[model.OpID][]model.Test{}, chance(1)
	for range n {
		if ind := p.Attempt(r); ind != nil {
			test := ind.Test()
			op := test.Calls[len(test.Calls)-1].Op
			all[op] = append(all[op], test)
		}
	}
	return all
}

func newGuild() *Problem {
	return New(model.Plan{Spec: guild(), Sampling: model.Sampling{Attempts: 1}})
}

// Attempts are made for operations that have not succeeded yet, the same number for each. Operations that delete
// something are attempted later.
func TestAttemptsTargetOperationsWithoutSuccess(t *testing.T) {
	p := newGuild()
	answered(t, p, [2]string{"GET /teams", `[]`})
	got := attempts(p, 3*deletionDelay)
	for op, want := range map[model.OpID]int{
		"GET /teams": 0, "DELETE /teams/{id}": 0,
		"POST /teams": deletionDelay, "PUT /teams/{id}": deletionDelay, "GET /page": deletionDelay,
	} {
		if len(got[op]) != want {
			t.Errorf("%d attempts of %s, want %d", len(got[op]), op, want)
		}
	}
	if got := attempts(p, 8); len(got["DELETE /teams/{id}"]) != 2 {
		t.Errorf("%d attempts of the deletion in the next 8, want 2", len(got["DELETE /teams/{id}"]))
	}
	if all := attempts(p, 1000); len(all["POST /teams"]) >= maxAttempts || p.Attempt(chance(1)) != nil {
		t.Error("attempts do not end")
	}
	if New(model.Plan{Spec: guild()}).Attempt(chance(1)) != nil {
		t.Error("a plan without attempts has one")
	}
}

// If the search sees the source of the service, operations that have succeeded are attempted, too, after the other
// operations.
func TestAttemptsRepeatOperationsForSource(t *testing.T) {
	for _, c := range []struct {
		name  string
		plan  model.Plan
		again bool
	}{
		{"with probes", model.Plan{Probes: &model.Probes{}}, true},
		{"with probes that are not used", model.Plan{Probes: &model.Probes{Blind: true}}, false},
		{"with a driver", model.Plan{Driver: &model.Driver{}}, true},
		{"without coverage", model.Plan{}, false},
	} {
		c.plan.Spec, c.plan.Sampling = guild(), model.Sampling{Attempts: 1}
		p := New(c.plan)
		answered(t, p, [2]string{"GET /teams", `[]`})
		if got := attempts(p, 3*successDelay); len(got["GET /teams"]) > 0 {
			t.Errorf("%s: %d attempts of GET /teams at once", c.name, len(got["GET /teams"]))
		}
		if got := attempts(p, 3*successDelay); len(got["GET /teams"]) > 0 != c.again {
			t.Errorf("%s: %d later attempts of GET /teams", c.name, len(got["GET /teams"]))
		}
	}
}

// A redirection counts as success only for an operation that declares no 2xx.
func TestRedirectionIsNoSuccess(t *testing.T) {
	p := newGuild()
	for _, op := range []model.OpID{"GET /page", "GET /teams"} {
		ind := &Individual{free: true, calls: []call{p.operations.byID[op].sample(chance(1))}}
		p.ObserveAnswer(ind, 0, []int{303}, model.Reply{Status: 303})
	}
	got := attempts(p, 30)
	if len(got["GET /page"]) == 0 || len(got["GET /teams"]) > 0 {
		t.Errorf("%d attempts of GET /page and %d of GET /teams", len(got["GET /page"]), len(got["GET /teams"]))
	}
	asks := func(test model.Test) bool {
		return slices.Contains(test.Calls[0].Args, model.Arg{In: model.InHeader, Name: "Accept", Value: "application/json"})
	}
	if !slices.ContainsFunc(got["GET /page"], asks) {
		t.Error("no attempt asks for the declared media type")
	}
}

// The id in the path of an element comes from an earlier list of the elements. The attempt also has the calls
// before the list that may have created the element.
func TestAttemptsTakeValuesFromLists(t *testing.T) {
	p := newGuild()
	answered(t, p, [2]string{"GET /page", `{}`}, [2]string{"POST /teams", `{}`}, [2]string{"GET /teams", `{"teams": [{"id": "t1"}]}`})
	linked := 0
	all := attempts(p, 40)["PUT /teams/{id}"]
	for _, test := range all {
		if len(test.Links) == 0 {
			continue
		}
		linked++
		want := model.Link{From: 1, To: 2, In: model.InPath, Name: "id", Pointer: "/teams/0/id"}
		if fmt.Sprint(test.Seq()) != "[POST /teams GET /teams PUT /teams/{id}]" || !slices.Contains(test.Links, want) {
			t.Fatalf("attempt %v with links %+v, want %+v", test.Seq(), test.Links, want)
		}
	}
	if linked < len(all)/2 || linked == 0 {
		t.Errorf("%d of %d attempts take the id of the list", linked, len(all))
	}
}

// The body of an update repeats the element as it was read, including values for which the spec has no schema.
func TestAttemptsCopyTheRepresentation(t *testing.T) {
	p := newGuild()
	answered(t, p, [2]string{"GET /teams", `[{"id": "t1", "title": "Reds", "traits": {"mail": "a@b.c", "name": {"first": "A"}}}]`})
	copied := 0
	for _, test := range attempts(p, 40)["PUT /teams/{id}"] {
		body := test.Calls[len(test.Calls)-1].Body
		if body != nil && strings.Contains(body.Data, `"traits":{"mail":"a@b.c","name":{"first":"A"}}`) &&
			strings.Contains(body.Data, `"title":"Reds"`) {
			copied++
		}
	}
	if copied == 0 {
		t.Error("no attempt copies the team as it was read")
	}
}

// Attempts take turns in their optional inputs: none, a random selection, a single one, and all of them.
func TestAttemptsVaryOptionalInputs(t *testing.T) {
	flag := func(name string) model.Parameter {
		return param(model.InQuery, name, false, model.Schema{Type: "boolean"})
	}
	find := &model.Operation{
		ID: "GET /found", Method: "GET", Path: "/found", Params: []model.Parameter{flag("a"), flag("b"), flag("c")},
	}
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{find}}, Sampling: model.Sampling{Attempts: 1}})
	seen := map[string]bool{}
	for _, test := range attempts(p, 24)["GET /found"] {
		names := ""
		for _, a := range test.Calls[0].Args {
			names += a.Name
		}
		seen[names] = true
	}
	for _, want := range []string{"", "a", "b", "c", "abc"} {
		if !seen[want] {
			t.Errorf("no attempt has the inputs %q alone: %v", want, seen)
		}
	}
}

// If no answer has a value for an integer id, attempts try 1, 2, 3 and so on, because databases number their rows
// from 1.
func TestAttemptsNumberUnknownElements(t *testing.T) {
	id := param(model.InPath, "id", true, model.Schema{Type: "integer"})
	p := New(model.Plan{Sampling: model.Sampling{Attempts: 1}, Spec: &model.Spec{Operations: []*model.Operation{
		{ID: "GET /teams/{id}", Method: "GET", Path: "/teams/{id}", Params: []model.Parameter{id}},
	}}})
	tried := map[string]bool{}
	for _, test := range attempts(p, 2*maxSerial)["GET /teams/{id}"] {
		tried[test.Calls[0].Args[0].Value] = true
	}
	for n := range maxSerial {
		if id := fmt.Sprint(n + 1); !tried[id] {
			t.Errorf("the id %s is not tried", id)
		}
	}
}
