package depend

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

// An operation that blocks or invites a user does not create the user, even if its answer describes the
// user.
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
		own, mentions := p.Feeders("DELETE /repos/{owner}/{repo}", match.ValueUse{ID: tt.value})
		if !slices.Equal(own, tt.own) || !slices.Equal(mentions, tt.mentions) {
			t.Errorf("%s: got %q and %q, want %q and %q", tt.value, own, mentions, tt.own, tt.mentions)
		}
	}
}

// An operation that creates a resource is a feeder of its id even if no declared answer has the id.
// Paths and seqs use it, too.
func TestFeedersOfUndeclaredValue(t *testing.T) {
	ops := []*model.Operation{
		op("POST /commits", answer("201", object("text"))),
		op("GET /commits/{commit}", answer("200", object("text"))),
	}
	p := plannerOf(&model.Spec{Operations: ops})
	taken := p.RequiredValues("GET /commits/{commit}")
	if len(taken) != 1 || taken[0].Name != "commit" {
		t.Fatalf("required: %+v, want the commit", taken)
	}
	if own, _ := p.Feeders("GET /commits/{commit}", taken[0]); !slices.Equal(own, []model.OpID{"POST /commits"}) {
		t.Errorf("got %q, want POST /commits", own)
	}
	path := p.Paths("GET /commits/{commit}", 1)[0]
	if got := showPath(path); got != "POST /commits; GET /commits/{commit} commit<0" || path.Passes[0].Declared() {
		t.Errorf("got %s", got)
	}
}

func TestOutsideValue(t *testing.T) {
	author := object("id", "login")
	author.Name = "author"
	p := plannerOf(&model.Spec{Operations: []*model.Operation{
		op("GET /authors/{login}", answer("200", author)),
		op("GET /pages", answer("200", list(with(object("number"), "author", author)))),
		op("GET /zones/{zoneId}"),
	}})
	for op, want := range map[model.OpID]string{
		"GET /authors/{login}": "no operation creates or lists it; GET /pages mentions it",
		"GET /zones/{zoneId}":  "no operation creates or lists it",
	} {
		path := p.Paths(op, 1)[0]
		if len(path.Outside) != 1 || path.Outside[0].Why() != want {
			t.Errorf("%s: got %+v, want %s", op, path.Outside, want)
		}
	}
}
