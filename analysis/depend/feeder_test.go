package depend

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

// An operation that blocks or invites a user is not a feeder that creates the user, even if its answer describes
// the user.
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

// An operation that creates a resource is a feeder of the resource's id even if no declared answer has the id. Paths
// and seqs use this feeder, too.
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

// A text input does not take a number with the same identity if some answer has a text with the name of the input.
func TestOtherType(t *testing.T) {
	key := with(object("title"), "id", &model.Schema{Type: "integer"})
	key.Name = "key"
	read := op("GET /user/keys/{key_id}", answer("200", key))
	read.Params[0].Schema.Type = "integer"
	all := []*model.Operation{
		op("POST /user/keys", body(object("title")), answer("201", key)), read,
		op("PUT /secrets/{secret_name}", body(object("key_id"))),
	}
	all[2].Body.Required = true
	paths := func() []string {
		var list []string
		for _, p := range plannerOf(&model.Spec{Operations: all}).Paths("PUT /secrets/{secret_name}", 2) {
			list = append(list, showPath(p))
		}
		return list
	}
	if got, want := paths(), []string{"POST /user/keys; PUT /secrets/{secret_name} key_id<0"}; !slices.Equal(got, want) {
		t.Errorf("without an answer with the text: got %q, want %q", got, want)
	}
	all = append(all, op("GET /secrets/public-key", answer("200", object("key_id", "key"))))
	want := []string{
		"GET /secrets/public-key; PUT /secrets/{secret_name} key_id<0?",
		"PUT /secrets/{secret_name} key_id!",
	}
	if got := paths(); !slices.Equal(got, want) {
		t.Errorf("with it: got %q, want %q", got, want)
	}
}
