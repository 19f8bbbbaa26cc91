package search

import (
	"slices"
	"testing"

	"sonde/model"
)

// statusesOf returns a test of one user, with one call for each status.
func statusesOf(user string, statuses ...int) model.Test {
	var t model.Test
	for _, s := range statuses {
		t.Calls = append(t.Calls, model.Call{User: user, Status: s})
	}
	return t
}

func TestAccessCheck(t *testing.T) {
	refused := func(user string, n int) model.Test { return statusesOf(user, slices.Repeat([]int{401}, n)...) }
	limits := func(calls int) model.Plan { return model.Plan{Limits: model.Limits{Calls: calls}} }
	with := func(p model.Plan, users ...string) model.Plan {
		for _, u := range users {
			p.Users = append(p.Users, model.User{Name: u})
		}
		return p
	}
	allow := limits(20000)
	allow.OnDenied = model.ContinueWhenDenied
	replay := limits(20000)
	replay.Replay = &model.ReplayedRun{}
	for _, tt := range []struct {
		name  string
		plan  model.Plan
		tests []model.Test
		want  bool
	}{
		{"all refused", limits(20000), []model.Test{refused("", 50)}, true},
		{"too few yet", limits(20000), []model.Test{refused("", 49)}, false},
		{"a budget of time", model.Plan{}, []model.Test{refused("", 50)}, true},
		{"a fifth of a small budget", limits(100), []model.Test{refused("", 20)}, true},
		{"a tiny budget", limits(20), []model.Test{refused("", 9)}, false},
		{"five of fifty go well", limits(20000), []model.Test{statusesOf("", 200, 200, 404, 200, 500), refused("", 45)}, true},
		{"six of fifty go well", limits(20000), []model.Test{statusesOf("", 200, 200, 404, 200, 500, 200), refused("", 44)}, false},
		{"refused only later", limits(20000), []model.Test{statusesOf("", slices.Repeat([]int{200}, 50)...), refused("", 500)}, false},
		{"calls without an answer", limits(20000), []model.Test{statusesOf("", slices.Repeat([]int{0}, 30)...), refused("", 49)}, false},
		{"anonymous calls beside a user", with(limits(20000), "ann"), []model.Test{refused("", 500), statusesOf("ann", 200)}, false},
		{
			"a user who is refused", with(limits(20000), "ann"),
			[]model.Test{statusesOf("", 200, 200, 200, 200, 200, 200), refused("ann", 50)},
			true,
		},
		{
			"one of ten users works", with(limits(20000), "ann", "bob"),
			[]model.Test{statusesOf("ann", 200, 200, 200, 200, 200), refused("bob", 45)},
			false,
		},
		{
			"one call of a user went well", with(limits(20000), "ann", "bob"),
			[]model.Test{statusesOf("ann", 200, 401, 401, 401), refused("bob", 46)},
			true,
		},
		{"told to go on", allow, []model.Test{refused("", 50)}, false},
		{"a run that is repeated", replay, []model.Test{refused("", 50)}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, got := newAccessCheck(tt.plan), false
			for _, x := range tt.tests {
				got = d.observe(x) != nil || got
			}
			if got != tt.want {
				t.Errorf("denied %t, want %t", got, tt.want)
			}
		})
	}
}
