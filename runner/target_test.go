package runner

import (
	"testing"

	"sonde/model"
	"sonde/runner/client"
)

func result(status int, linked bool) client.Result {
	return client.Result{Exchange: model.Exchange{Reply: model.Reply{Status: status}}, Linked: linked}
}

// Along the way to "GET /a 200" each step scores more than the one before.
func TestScoreRisesAlongTheWay(t *testing.T) {
	ts := newTargets(&model.Spec{Operations: []*model.Operation{
		{ID: "POST /a"}, {ID: "GET /a", Responses: []model.Response{{Status: "200"}, {Status: "default"}, {Status: "4XX"}}},
	}})
	test := model.Test{Calls: []model.Call{{Op: "POST /a"}, {Op: "POST /a"}, {Op: "GET /a"}}}
	last := -1.0
	for _, step := range []struct {
		name    string
		results []client.Result
	}{
		{"the first creation fails", []client.Result{result(400, true)}},
		{"the second creation fails", []client.Result{result(201, true), result(400, true)}},
		{"sent, its value missing", []client.Result{result(201, true), result(201, true), result(404, false)}},
		{"sent with its value, refused", []client.Result{result(201, true), result(201, true), result(404, true)}},
		{"accepted", []client.Result{result(201, true), result(201, true), result(409, true)}},
		{"the class is right", []client.Result{result(201, true), result(201, true), result(204, true)}},
		{"covered", []client.Result{result(201, true), result(201, true), result(200, true)}},
	} {
		h := 0.0
		for _, s := range ts.scores(test, step.results, nil) {
			if s.Target == "GET /a 200" {
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
	ts := newTargets(&model.Spec{Operations: []*model.Operation{
		{ID: "GET /a", Responses: []model.Response{{Status: "200"}, {Status: "default"}, {Status: "4XX"}, {Status: "404"}}},
	}})
	if len(ts.order) != 2 || ts.order[0] != "GET /a 200" || ts.order[1] != "GET /a 404" {
		t.Errorf("targets %q", ts.order)
	}
}
