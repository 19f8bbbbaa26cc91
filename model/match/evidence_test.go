package match_test

import (
	"testing"

	"sonde/model"
	"sonde/model/match"

	"github.com/google/go-cmp/cmp"
)

// userAPI has operations that take the id of a user from a path, by its name in a body, and by a description.
func userAPI() []*model.Operation {
	user := object(must("id", text), may("nickname", text))
	user.Name = "User"
	described := &model.Schema{Type: "string", Description: "The ID of the user"}
	ops := []*model.Operation{
		{Method: "POST", Path: "/users", Responses: []model.Response{answer("201", user)}},
		{
			Method: "GET", Path: "/users/{userId}", Responses: []model.Response{answer("200", user)},
			Params: []model.Parameter{{Name: "userId", In: model.InPath, Required: true, Schema: text}},
		},
		{Method: "PUT", Path: "/badges", Body: body("application/json", true, object(may("userId", text)))},
		{Method: "PUT", Path: "/titles", Body: body("application/json", true, object(may("holder", described)))},
		{Method: "PUT", Path: "/signs", Body: body("application/json", true, object(may("nickname", text)))},
	}
	for _, op := range ops {
		op.ID = model.OpID(op.Method + " " + op.Path)
	}
	return ops
}

func TestEvidence(t *testing.T) {
	ops := userAPI()
	correction := model.ValueCorrection{Value: "user.nickname", In: "/signs", Is: "user.nickname"}
	ofKind := model.ValueCorrection{Value: "user.id", In: "/titles", Kind: model.KindIdentifier}
	m := match.New(ops, match.DefaultMode, correction, ofKind)
	got := map[string]string{}
	for _, op := range ops {
		for _, u := range m.UsesOf(op) {
			got[string(op.ID)+" "+u.Name] = u.ID + " by " + u.Evidence.String()
		}
	}
	want := map[string]string{
		"POST /users id":               "user.id by place",
		"POST /users nickname":         "user.nickname by place",
		"GET /users/{userId} userId":   "user.id by place",
		"GET /users/{userId} id":       "user.id by place",
		"GET /users/{userId} nickname": "user.nickname by place",
		"PUT /badges userId":           "user.id by name",
		"PUT /titles holder":           "user.id by guess",
		"PUT /signs nickname":          "user.nickname by declared",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// A weighted table has the values of the whole table, and fewer uses of them. Values that are matched by name have no
// kinds.
func TestWeightedTable(t *testing.T) {
	ops := userAPI()
	for _, c := range []struct {
		name   string
		mode   match.Mode
		weight match.Weight
		takers int // operations that take a value
	}{
		{"nothing", match.DefaultMode, match.Weight{}, 4},
		{"links", match.DefaultMode, match.Weight{Links: true}, 3},
		{"name", match.DefaultMode, match.Weight{Evidence: match.EvidenceName}, 2},
		{"place", match.DefaultMode, match.Weight{Evidence: match.EvidencePlace}, 1},
		{"links by name", match.PaperMode, match.Weight{Links: true}, 4},
		{"place by name", match.PaperMode, match.Weight{Evidence: match.EvidencePlace}, 0},
	} {
		m := match.New(ops, c.mode)
		got, takers := m.WeightedTable(ops, c.weight), 0
		for _, in := range got.In {
			if len(in) > 0 {
				takers++
			}
		}
		if whole := m.ValuesTable(ops); takers != c.takers || !cmp.Equal(whole.Names, got.Names) {
			t.Errorf("%s: %d operations take values, want %d; names %v, want %v", c.name, takers, c.takers, got.Names, whole.Names)
		}
	}
}

func TestParseEvidence(t *testing.T) {
	for e := match.EvidenceGuess; e <= match.EvidenceDeclared; e++ {
		if got, err := match.ParseEvidence(e.String()); got != e || err != nil {
			t.Errorf("%v: got %v and error %v", e, got, err)
		}
	}
	if _, err := match.ParseEvidence(""); err == nil || match.Evidence(0).String() != "" {
		t.Errorf("no grade: error %v, name %q", err, match.Evidence(0))
	}
}
