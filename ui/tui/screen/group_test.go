package screen_test

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

func TestGroupName(t *testing.T) {
	g := model.ValueGroup{Operations: []model.OpID{
		"POST /carts", "GET /carts/{id}", "POST /carts/{id}/items", "GET /a", "GET /b", "GET /c",
	}}
	if got, want := screen.GroupName(g), "carts · items · a · b · …"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Groups with the same name get distinct names that are as short as possible.
func TestGroupNamesDiffer(t *testing.T) {
	groups := func(all ...model.OpID) (out []model.ValueGroup) {
		for _, op := range all {
			out = append(out, model.ValueGroup{Operations: []model.OpID{op}})
		}
		return out
	}
	for _, tt := range [][2][]string{
		{{"GET /a", "GET /b"}, {"a", "b"}},
		{{"GET /logs/", "GET /logs/{path}", "GET /api"}, {"/logs/", "/logs/{path}", "api"}},
		{{"GET /user/emails", "POST /user/emails"}, {"GET emails", "POST emails"}},
		{{"GET /logs", "POST /logs", "POST /old/logs/{id}"}, {"GET logs", "POST /logs", "/logs/{id}"}},
		{{"GET /a/logs", "GET /b/logs"}, {"GET /a/logs", "GET /b/logs"}},
		{{"GET /", "POST /"}, {"GET /", "POST /"}},
	} {
		var ops []model.OpID
		for _, op := range tt[0] {
			ops = append(ops, model.OpID(op))
		}
		if got := screen.GroupNames(groups(ops...)); !slices.Equal(got, tt[1]) {
			t.Errorf("%q: got %q, want %q", tt[0], got, tt[1])
		}
	}
}
