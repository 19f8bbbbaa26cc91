package export

import (
	"testing"

	"sonde/model"
)

func TestMayChangeLogin(t *testing.T) {
	for _, c := range []struct {
		op   model.OpID
		user string
		want bool
	}{
		{"POST /logout", "ann", true},
		{"GET /auth/sign-out", "ann", true},
		{"POST /tokens/revoke", "", true},
		{"DELETE /users/{id}", "ann", true},
		{"PUT /users/{id}/password", "ann", true},
		{"POST /users/{id}/password", "ann", true},
		{"POST /login", "ann", true},
		{"PATCH /me", "ann", true},
		{"POST /users", "ann", false},
		{"POST /login", "", false},
		{"GET /users/{id}", "ann", false},
		{"DELETE /themes/{id}", "ann", false},
		{"POST /tokenizers", "ann", false},
	} {
		if got := mayChangeLogin(model.Call{Op: c.op, User: c.user}); got != c.want {
			t.Errorf("%s as %q: got %t, want %t", c.op, c.user, got, c.want)
		}
	}
}

func TestOwnSessions(t *testing.T) {
	users := userList{{Name: "ann", Login: &model.Login{Method: "POST", Path: "/login"}}}
	for name, c := range map[string]struct {
		test model.Test
		want bool
	}{
		"shared":               {model.Test{Mock: &model.MockTest{}}, false},
		"outward at log-ins":   {model.Test{Mock: &model.MockTest{OwnSessions: true}}, true},
		"its call logs out":    {model.Test{Calls: []model.Call{{Op: "POST /logout", User: "ann", Status: 204}}}, true},
		"not a recorded test":  {model.Test{Calls: []model.Call{{Op: "GET /me", User: "ann", Status: 200}}}, false},
		"an anonymous log-out": {model.Test{Calls: []model.Call{{Op: "POST /logout", Status: 204}}}, false},
	} {
		if got := users.ownSessions(c.test); got != c.want {
			t.Errorf("%s: got %t, want %t", name, got, c.want)
		}
	}
}
