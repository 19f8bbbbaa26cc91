package search

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

func result(status int, linked bool) client.CallResult {
	return client.CallResult{Exchange: model.Exchange{Reply: model.Reply{Status: status}}, Linked: linked}
}

// Each step towards "GET /a/{id} 200" has a higher score than the previous step.
func TestScoreRisesAlongTheWay(t *testing.T) {
	ts := newTargetIndex(&model.Spec{Operations: []*model.Operation{
		{ID: "POST /a"}, {ID: "GET /a/{id}", Responses: []model.Response{{Status: "200"}, {Status: "default"}, {Status: "4XX"}}},
	}}, []model.Template{
		{
			Steps: []model.TemplateStep{{Op: "POST /a"}, {Op: "GET /a/{id}"}},
			Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}},
		},
	})
	chain := model.Test{
		Calls: []model.Call{{Op: "POST /a"}, {Op: "POST /a"}, {Op: "GET /a/{id}"}},
		Links: []model.Link{{From: 1, To: 2, In: model.InPath, Name: "id"}},
	}
	alone := model.Test{Calls: []model.Call{{Op: "GET /a/{id}"}}}
	last := -1.0
	for _, step := range []struct {
		name    string
		test    model.Test
		results []client.CallResult
	}{
		{"sent alone", alone, []client.CallResult{result(404, true)}},
		{"the first creation is forbidden", chain, []client.CallResult{result(403, true)}},
		{"the first creation fails", chain, []client.CallResult{result(400, true)}},
		{"the second creation fails", chain, []client.CallResult{result(201, true), result(400, true)}},
		{"linked, forbidden", chain, []client.CallResult{result(201, true), result(201, true), result(403, true)}},
		{"linked, refused", chain, []client.CallResult{result(201, true), result(201, true), result(404, true)}},
		{"accepted", chain, []client.CallResult{result(201, true), result(201, true), result(409, true)}},
		{"the class is right", chain, []client.CallResult{result(201, true), result(201, true), result(204, true)}},
		{"covered", chain, []client.CallResult{result(201, true), result(201, true), result(200, true)}},
	} {
		h := 0.0
		for _, s := range ts.scores(step.test, step.results) {
			if s.Target == "GET /a/{id} 200" {
				h = s.H
			}
		}
		if h <= last {
			t.Errorf("%s: h = %v, no more than %v before", step.name, h, last)
		}
		last = h
	}
	if last != 1 {
		t.Errorf("covered is %v, want 1", last)
	}
}

func TestDeclaredTargets(t *testing.T) {
	ts := newTargetIndex(&model.Spec{Operations: []*model.Operation{
		{ID: "GET /a", Responses: []model.Response{{Status: "200"}, {Status: "default"}, {Status: "4XX"}, {Status: "404"}}},
	}}, nil)
	if all := ts.ids[:ts.declared]; len(all) != 2 || all[0] != "GET /a 200" || all[1] != "GET /a 404" {
		t.Errorf("targets %q", all)
	}
}

// Each operation has a target for a server error that it has not shown yet, "GET /a 5xx". The target is never covered.
// A call that got 200 scores best. A call that was refused scores less, and so does a call with a server error,
// because the search then knows this error.
func TestNextServerError(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /a", Responses: []model.Response{{Status: "200"}, {Status: "500"}}}}}
	ts := newTargetIndex(spec, nil)
	if all := ts.fixedIDs(); len(all) != 3 || all[2] != "GET /a 5xx" || ts.operation(all[2]) != "GET /a" {
		t.Errorf("searches for %q", all)
	}
	score := func(status int) float64 {
		for _, s := range ts.scores(model.Test{Calls: []model.Call{{Op: "GET /a"}}}, []client.CallResult{result(status, true)}) {
			if s.Target == "GET /a 5xx" {
				return s.H
			}
		}
		return 0
	}
	for _, worse := range []int{400, 401, 404, 500} {
		if well := score(200); score(worse) >= well || well >= 1 {
			t.Errorf("%d scores %v, 200 scores %v", worse, score(worse), well)
		}
	}
}

// Binary scores are those of the paper: a test has a score only for the statuses with which it was answered.
func TestBinaryScores(t *testing.T) {
	responses := []model.Response{{Status: "200"}, {Status: "404"}}
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /a", Responses: responses}}}
	j := judge{targets: newTargetIndex(spec, nil)}
	test := model.Test{Calls: []model.Call{{Op: "GET /a"}}}
	p := played{test: test, results: []client.CallResult{result(404, true)}}
	if got := j.scores(test, p, nil, true); len(got) != 1 || got[0].Target != "GET /a 404" || got[0].H != 1 {
		t.Errorf("binary scores %+v", got)
	}
	if got := j.scores(test, p, nil, false); len(got) != 3 {
		t.Errorf("scores %+v", got)
	}
}

// The number of targets for undeclared statuses is bounded. Declared statuses stay separate targets.
func TestStatusesAreBounded(t *testing.T) {
	ts := newTargetIndex(
		&model.Spec{Operations: []*model.Operation{{ID: "GET /a", Responses: []model.Response{{Status: "200"}, {Status: "409"}}}}},
		nil,
	)
	seen := map[string]bool{}
	for status := 200; status < 1000; status++ {
		for _, s := range ts.scores(model.Test{Calls: []model.Call{{Op: "GET /a"}}}, []client.CallResult{result(status, true)}) {
			if s.H == 1 {
				seen[s.Target] = true
			}
		}
	}
	if len(seen) > maxStatuses+10 || !seen["GET /a 200"] || !seen["GET /a 409"] || !seen["GET /a 900"] || seen["GET /a 901"] {
		t.Errorf("%d targets: %v", len(seen), seen)
	}
}

// The use of a file is a target only if it fails; the target has the name of the file in the stub. Targets about
// files do not reduce the number of targets that hosts may have.
func TestOutcomesOfFiles(t *testing.T) {
	ts := newTargetIndex(&model.Spec{}, nil)
	named := func(string) bool { return false }
	use := func(file, outcome string, stub int) model.Contact {
		return model.Contact{Kind: model.ContactUse, Protocol: model.Environment, Host: file, Outcome: outcome, Stub: stub}
	}
	stubs := []model.Stub{{Host: "./data/*", Protocol: model.Environment}}
	got := ts.contactScores(stubs, []model.Contact{
		use("./log", "works", -1), use("./data/a", "works", 0), use("./data/a", "no-space", 0), use("./data/b", "no-space", 0),
		use("./x", "io-error", 1),
	}, named)
	if len(got) != 2 || got[0].Target != "use ./data/* no-space" || got[1].Target != got[0].Target {
		t.Errorf("got %+v", got)
	}
	for i := range 2 * maxUseTargets {
		stubs[0].Host = fmt.Sprint("./", i)
		ts.contactScores(stubs, []model.Contact{use("./x", "io-error", 0)}, named)
	}
	if ts.uses != maxUseTargets || ts.hosts != 0 {
		t.Errorf("%d targets about files, %d about hosts", ts.uses, ts.hosts)
	}
}

// Hosts that the test itself named share one target for each outcome.
func TestOutcomesOfHosts(t *testing.T) {
	ts := newTargetIndex(&model.Spec{}, nil)
	var got []string
	for _, c := range []model.Contact{
		{Kind: model.ContactDial, Host: "own.example:80", Outcome: "refused"},
		{Kind: model.ContactDial, Host: "a.example:80", Outcome: "refused"},
		{Kind: model.ContactDial, Host: "b.example:80", Outcome: "refused"},
		{Kind: model.ContactDial, Host: "b.example:80", Outcome: "connected"},
		{Kind: model.ContactDial, Host: "b.example:80", Outcome: "reset"},
	} {
		for _, s := range ts.contactScores(nil, []model.Contact{c}, func(host string) bool { return host != "own.example:80" }) {
			got = append(got, s.Target)
		}
	}
	want := []string{"dial own.example:80 refused", "dial told refused", "dial told refused", "dial told reset"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
