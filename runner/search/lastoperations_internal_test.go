package search

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

func TestMayEndCaller(t *testing.T) {
	for id, want := range map[string]bool{
		"POST /logout":                       true,
		"GET /auth/sign-out":                 true,
		"POST /current-user/reset-token":     true,
		"POST /account/api_key/regenerate":   true,
		"PUT /me/password":                   true,
		"DELETE /users/me":                   true,
		"DELETE /session":                    true,
		"POST /auth/settings":                true,
		"PUT /settings/security":             true,
		"GET /auth/settings":                 false,
		"PUT /settings":                      false,
		"GET /users/me":                      false,
		"PATCH /users/me":                    false,
		"POST /tokens":                       false,
		"GET /current-user/token":            false,
		"POST /tokens/{id}/rotate":           false,
		"POST /users/{id}/reset-password":    false,
		"POST /auth/login":                   false,
		"DELETE /notes":                      false,
		"POST /products/reset":               false,
		"POST /keyboards/change-of-language": false,
	} {
		method, path, _ := strings.Cut(id, " ")
		if got := mayEndCaller(&model.Operation{ID: model.OpID(id), Method: method, Path: path}); got != want {
			t.Errorf("%s: got %t", id, got)
		}
	}
	if !mayEndCaller(&model.Operation{Method: "POST", Path: "/exit", Name: "LogOut"}) {
		t.Error("the name LogOut: got false")
	}
}

// Operations are last only if they may end a user who cannot be restored.
func TestLastOperations(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{
		{ID: "GET /a", Method: "GET", Path: "/a"}, {ID: "POST /logout", Method: "POST", Path: "/logout"},
	}}
	token := model.User{Name: "ann", Header: "Authorization", Public: "a"}
	loggedIn := model.User{Name: "bob", Login: &model.Login{Path: "/login"}}
	for _, c := range []struct {
		name   string
		users  []model.User
		resets bool
		want   int
	}{
		{"a token", []model.User{token}, false, 1},
		{"a token, and a user who logs in", []model.User{loggedIn, token}, false, 1},
		{"a reset", []model.User{token}, true, 0},
		{"a log-in", []model.User{loggedIn}, false, 0},
		{"no users", nil, false, 0},
	} {
		got := lastOperations(model.Plan{Spec: spec, Users: c.users}, c.resets)
		if len(got) != c.want || c.want > 0 && !slices.Contains(got, "POST /logout") {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}
