package match

import (
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// answering returns an operation whose answer is an object with a single property.
func answering(id model.OpID, method, path, property string, schemes ...string) *model.Operation {
	s := &model.Schema{Type: "object", Properties: []model.Property{{Name: property, Schema: &model.Schema{Type: "string"}}}}
	return &model.Operation{
		ID: id, Method: method, Path: path, Secured: len(schemes) > 0, Schemes: schemes,
		Responses: []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: s}}}},
	}
}

func TestGrants(t *testing.T) {
	spec := &model.Spec{
		SecuritySchemes: []model.SecurityScheme{{Name: "bearerAuth", Kind: "bearer"}, {Name: "basicAuth", Kind: "basic"}},
		Operations: []*model.Operation{
			answering("POST /auth/login", "POST", "/auth/login", "access_token"),
			answering("GET /items", "GET", "/items", "token", "bearerAuth"),
			answering("GET /old", "GET", "/old", "name", "basicAuth"),
			answering("POST /users/{id}/tokens", "POST", "/users/{id}/tokens", "token"),
			answering("POST /login/check", "POST", "/login/check", "token"),
			answering("POST /sessions", "POST", "/sessions", "tokenCount"),
			answering("DELETE /items", "DELETE", "/items", "name", "bearerAuth"),
		},
	}
	got := New(spec.Operations, DefaultMode).LoginGrants(spec)
	want := []LoginGrant{{
		ID: "credential bearerAuth", Scheme: "bearerAuth", From: "POST /auth/login", Token: "access_token", Value: "login.access_token",
		To: []model.OpID{"GET /items", "DELETE /items"}, Why: `POST /auth/login looks like a log-in, and its answer has "access_token"`,
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, w := range []Mode{PaperMode, {ShallowReading, MatchByName}, {DeepReading, MatchByName}, {ShallowReading, MatchQualified}} {
		if got := New(spec.Operations, w).LoginGrants(spec); got != nil {
			t.Errorf("%v: %+v", w, got)
		}
	}
}

// A token is found in the body and in the headers of an answer. A cookie is found only if the answer sets
// one.
func TestTokens(t *testing.T) {
	inside := answering("POST /login", "POST", "/login", "token")
	inside.Responses[0].Contents[0].Schema = &model.Schema{
		Type:       "object",
		Properties: []model.Property{{Name: "data", Schema: inside.Responses[0].Contents[0].Schema}},
	}
	header := answering("POST /login", "POST", "/login", "user")
	header.Responses[0].Headers = []model.Parameter{{Name: "X-Auth-Token"}, {Name: "Set-Cookie"}}
	bearer := model.SecurityScheme{Name: "b", Kind: "bearer"}
	cookie := model.SecurityScheme{Name: "c", Kind: "apiKey", In: model.InCookie, Key: "sid"}
	for _, tt := range []struct {
		op     *model.Operation
		scheme model.SecurityScheme
		want   string
	}{{inside, bearer, "token"}, {inside, cookie, ""}, {header, bearer, "X-Auth-Token"}, {header, cookie, "Set-Cookie"}} {
		if got := tokenOf(tt.op, tt.scheme); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.scheme.Kind, got, tt.want)
		}
	}
}
