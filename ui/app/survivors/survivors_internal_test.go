package survivors

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/lab/mutate"
	"sonde/runner/replay/generate"
	"sonde/ui/app/generation"
)

// lists returns a recorded exchange of GET /a, for which the service called a host. answer is the host's answer.
func lists(id, answer string) model.ServedRequest {
	reply := func(body string) model.Reply {
		return model.Reply{Status: 200, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: []byte(body)}
	}
	return model.ServedRequest{
		ID: id, Exchange: model.Exchange{Request: model.Request{Op: "GET /a", Method: "GET", URL: "/a"}, Reply: reply(`{"n":1}`)},
		OutwardCalls: []model.OutwardCall{{
			ID: id + "o", Host: "h.example:80", Protocol: model.HTTP, CauseID: id, Attribution: model.AttributedByTrace,
			Exchange: model.Exchange{Request: model.Request{Method: "GET", URL: "/b"}, Reply: reply(answer)},
		}},
	}
}

// Candidates are of two kinds: tests of exchanges that had no test, which are at most half of the candidates, and
// tests in which an answer has another value. Such a value may be a constant from the code near a mutant.
func TestCandidates(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /a", Method: "GET", Path: "/a"}}}
	rec := model.Recording{Served: []model.ServedRequest{
		lists("x1", `{"n":7}`), lists("x2", `{"n":8}`), lists("x3", `{"n":9}`), lists("x4", `{"n":10}`),
	}}
	first := generate.Tests(rec, spec, generate.Options{Exchanges: []string{"x1"}})
	if len(first.Tests) != 1 {
		t.Fatalf("%d tests, skipped %v", len(first.Tests), first.Skipped)
	}
	g := &generation.Generation{Options: &generation.Options{}, Generated: first}
	s := Search{
		Recording: &rec, Spec: spec, MaxCandidates: 4,
		Mutants: []mutate.Mutant{{Constants: []string{"100"}}, {Constants: []string{"100", "text"}}},
	}
	s.setCandidates(g)
	var ids []string
	for _, test := range g.Generated.Tests {
		ids = append(ids, test.ID)
	}
	if got := strings.Join(ids, " "); got != "r2 r3 r1.1 r2.1" {
		t.Errorf("got %s", got)
	}
	s.Recording, s.MaxCandidates = nil, 50
	g.Generated = first
	s.setCandidates(g)
	has := false
	for _, test := range g.Generated.Tests {
		has = has || strings.Contains(test.Stubs[0].Answers[0].Body, "100")
	}
	if !has {
		t.Error("no host answers the constant")
	}
}

// Tests of operations that reach a mutant come before others, and have only the constants near the mutants that they reach.
func TestCandidatesReachMutants(t *testing.T) {
	test := func(id string, op model.OpID) model.Test {
		body := &model.Payload{Media: "application/json", Data: `{"n":1}`}
		return model.Test{ID: id, Calls: []model.Call{{Op: op, Body: body}}, Mock: &model.MockTest{}}
	}
	s := Search{
		Mutants: []mutate.Mutant{{ID: "m1", Constants: []string{"700"}}, {ID: "m2", Constants: []string{"900"}}},
		Reaches: func(operation string, m mutate.Mutant) bool {
			return operation == "GET /near" && m.ID == "m1" || operation == "GET /next" && m.ID == "m2"
		},
	}
	tests := []model.Test{test("r1", "GET /far"), test("r2", "GET /near"), test("r3", "GET /next")}
	var ids []string
	for _, found := range s.nearestFirst(tests) {
		ids = append(ids, found.ID)
	}
	if got := strings.Join(ids, " "); got != "r2 r3 r1" {
		t.Errorf("in the order %s", got)
	}
	changed := s.changedTests(tests, 100)
	last := slices.IndexFunc(changed, func(c model.Test) bool { return strings.HasPrefix(c.ID, "r1.") })
	if last <= 0 || slices.ContainsFunc(changed[last:], func(c model.Test) bool { return !strings.HasPrefix(c.ID, "r1.") }) {
		t.Errorf("the tests that reach no mutant are not the last of %d", len(changed))
	}
	has := map[string]bool{}
	for _, c := range changed {
		for _, number := range []string{"700", "900"} {
			if strings.Contains(c.Calls[0].Body.Data, number) {
				has[c.ID[:2]+" "+number] = true
			}
		}
	}
	if len(has) != 2 || !has["r2 700"] || !has["r3 900"] {
		t.Errorf("constants are tried in %v", has)
	}
}

// If a chosen test also notices another mutant, no further test is chosen for that mutant.
func TestChoose(t *testing.T) {
	test := func(id string) model.Test { return model.Test{ID: id, Mock: &model.MockTest{About: "about " + id}} }
	tests := []model.Test{test("r1.1"), test("r1.2"), test("r1.3")}
	r := Result{generation: &generation.Generation{Generated: generate.Suite{Tests: tests}}}
	killed := func(id string, by ...string) mutate.Result {
		return mutate.Result{Mutant: mutate.Mutant{ID: id}, Status: mutate.Killed, Tests: by}
	}
	r.choose([]mutate.Result{
		killed("m1", "TestB"),
		{Mutant: mutate.Mutant{ID: "m2"}, Status: mutate.Survived},
		killed("m3", "TestA", "TestB"), killed("m4", "TestC"),
	}, map[string]string{"TestA": "r1.1", "TestB": "r1.2", "TestC": "r1.3"})
	if len(r.Tests) != 2 || r.Tests[0].ID != "r1.2" || r.Tests[1].ID != "r1.3" {
		t.Errorf("chose %+v", r.Tests)
	}
	if len(r.Kills) != 3 || r.Kills[1].Mutant.ID != "m3" || r.Kills[1].Test != "r1.2" || r.Kills[1].About != "about r1.2" {
		t.Errorf("kills %+v", r.Kills)
	}
}

// No candidates are made from flaky tests, or from tests without a recorded exchange.
func TestNoCandidates(t *testing.T) {
	s := Search{MaxCandidates: 10}
	body := &model.Payload{Media: "application/json", Data: `{"n":1}`}
	mock := model.Test{ID: "r1", Calls: []model.Call{{Body: body}}, Mock: &model.MockTest{}}
	flaky, plain := mock, model.Test{ID: "t1", Calls: mock.Calls}
	flaky.Flaky = "failed in 1 of 3 runs"
	if all := s.changedTests([]model.Test{flaky, plain}, 10); len(all) != 0 {
		t.Errorf("got %d tests", len(all))
	}
	if all := s.changedTests([]model.Test{mock}, 10); len(all) == 0 {
		t.Error("the body is not changed")
	}
	if r, err := s.Run(t.Context()); err != nil || r.Candidates != 0 { // no mutant survives, so no test is played
		t.Errorf("without survivors: %+v, error %v", r, err)
	}
}
