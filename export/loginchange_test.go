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
