package search

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

func TestAccountGuard(t *testing.T) {
	ann := model.User{Name: "ann", Header: "Authorization", Public: "a"}
	spec := &model.Spec{}
	for _, path := range []string{"/users/{id}", "/users/{id}/", "/teams/{id}", "/users"} {
		spec.Operations = append(spec.Operations, &model.Operation{ID: model.OpID("DELETE " + path), Method: "DELETE", Path: path})
	}
	p := model.Plan{Users: []model.User{ann}, Spec: spec}
	if got := guardedOperations(p, false); !slices.Equal(got, []model.OpID{"DELETE /users/{id}", "DELETE /users/{id}/"}) {
		t.Errorf("guarded %q", got)
	}
	g := newAccountGuard(p, false)
	answered := func(method, url string, status int, body string, location ...string) {
		header := map[string][]string{}
		if len(location) > 0 {
			header["Location"] = location
		}
		header["Content-Type"] = []string{"application/json"}
		g.observe(model.Exchange{
			Request: model.Request{Method: method, URL: url}, Reply: model.Reply{Status: status, Header: header, Body: []byte(body)},
		})
	}
	answered("GET", "/me", 200, `{"id": 4711, "name": "ann", "team": {"id": 12}}`)
	answered("POST", "/users/", 201, `{"id": 4712, "creator": {"id": 4711}}`)
	answered("POST", "/users", 200, `{"ok": true, "data": {"id": 4714, "creator": {"id": 4711}}}`)
	answered("POST", "/users", 200, `{"data": {"id": 4715}, "other": {"id": 4715}}`)
	answered("POST", "/users", 409, `{"id": 4713}`)
	answered("POST", "/teams/12/members", 201, "", "http://h/teams/12/members/bob")
	answered("PUT", "/tokens/mine", 201, `{}`)
	answered("GET", "/tokens/old", 200, `{"name": "old"}`)
	for request, want := range map[string]bool{
		"DELETE /users/4711":           true,
		"DELETE /users/1":              true,
		"DELETE /users/4712":           false,
		"DELETE /users/4714":           false,
		"DELETE /users/4715":           true,
		"DELETE /users/4712/":          false,
		"DELETE /users/4713":           false, // not seen in a successful answer, so it is most likely missing
		"DELETE /users/xyz":            false,
		"DELETE /users/ann?force=yes":  true,
		"DELETE /teams/12":             false, // no user
		"DELETE /teams/12/members/ann": true,
		"DELETE /teams/12/members/bob": false,
		"DELETE /tokens/old":           true,
		"DELETE /tokens/mine":          false,
		"DELETE /admin/products/1":     false,
		"DELETE /":                     false,
		"PATCH /users/4711":            false,
	} {
		method, url, _ := strings.Cut(request, " ")
		if got := g.blocks(model.Request{Method: method, URL: url}); got != want {
			t.Errorf("%s: got %t", request, got)
		}
	}
	noUsers := model.Plan{Spec: spec}
	nothingToGuard := model.Plan{Users: p.Users, Spec: &model.Spec{Operations: spec.Operations[2:]}}
	if newAccountGuard(p, true) != nil || newAccountGuard(noUsers, false) != nil || newAccountGuard(nothingToGuard, false) != nil {
		t.Error("there is a guard with a reset, without users, or without an operation that deletes accounts")
	}
}
