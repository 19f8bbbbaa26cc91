package depend

import (
	"slices"
	"testing"

	"sonde/model"
)

// Who blocks or invites a user does not create the user, even if the answer describes the user.
func TestFeeders(t *testing.T) {
	user := func() *model.Schema {
		s := object("id", "login")
		s.Name = "user"
		return s
	}
	p := plannerOf(&model.Spec{Operations: append(
		codeHost(),
		op("GET /users", answer("200", list(user()))),
		op("PUT /user/blocks/{login}", answer("200", user())),
		op("POST /teams/{slug}/guests", body(object("mail")), answer("200", user())),
		op("GET /teams/{slug}/guests", answer("200", list(user()))),
		op("GET /repos/{owner}/{repo}/license", answer("200", with(object("text"), "owner", user()))),
	)})
	for _, tt := range []struct {
		value         string
		own, mentions []model.OpID
	}{
		{"user.login", []model.OpID{"GET /users", "GET /teams/{slug}/guests"}, []model.OpID{
			"POST /user/repos", "POST /teams/{slug}/guests",
		}},
		{"repository.id", []model.OpID{"POST /user/repos"}, nil},
		{"unknown", nil, nil},
	} {
		if own, mentions := p.Feeders(tt.value); !slices.Equal(own, tt.own) || !slices.Equal(mentions, tt.mentions) {
			t.Errorf("%s: got %q and %q, want %q and %q", tt.value, own, mentions, tt.own, tt.mentions)
		}
	}
}
