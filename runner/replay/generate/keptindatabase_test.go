package generate_test

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// redis returns a command to Redis with its reply.
func redis(request, reply string) model.OutwardCall {
	return model.OutwardCall{
		Host:        "db.example:6379",
		Protocol:    model.Redis,
		Attribution: model.AttributedByContext,
		Messages:    []model.MessagePair{{Request: []byte(request), Answer: []byte(reply)}},
	}
}

// If the service keeps a resource in a database, a test needs no calls that create the resource. The test sends the
// recorded id, which the replies of the database have. But the test does need the calls if the service does not read
// the resource from the database, or if a host that is no database keeps the resource.
func TestKeptInDatabase(t *testing.T) {
	const id = "8a43804a-8db9-4d3c-b761-9e888b8fbb54"
	set, get := redis(`{"command":"SET","1":"cart:`+id+`"}`, `{"status":"OK"}`), redis(`{"command":"GET","1":"cart:`+id+`"}`, `"{}"`)
	list := redis(`{"command":"KEYS","1":"cart:*"}`, `["cart:`+id+`"]`)
	host := sentTo("carts.example:80", "PUT", "/carts/"+id, "", 200, "{}")
	for name, c := range map[string]struct {
		created, changed, read, listed []model.OutwardCall
		want, wantList                 []string
	}{
		"in the database": {
			[]model.OutwardCall{set},
			[]model.OutwardCall{set},
			[]model.OutwardCall{get},
			[]model.OutwardCall{list},
			[]string{"GET /carts/{id} 200"},
			[]string{"GET /carts 200"},
		},
		"in the service": {
			[]model.OutwardCall{set},
			[]model.OutwardCall{set},
			nil, nil,
			[]string{"POST /carts 201", "PUT /carts/{id} 200 id=0/id", "GET /carts/{id} 200 id=0/id"},
			[]string{"POST /carts 201", "PUT /carts/{id} 200 id=0/id", "GET /carts 200"},
		},
		"at another host": {
			[]model.OutwardCall{host},
			[]model.OutwardCall{host},
			[]model.OutwardCall{host},
			[]model.OutwardCall{host},
			[]string{"POST /carts 201", "PUT /carts/{id} 200 id=0/id", "GET /carts/{id} 200 id=0/id"},
			[]string{"POST /carts 201", "PUT /carts/{id} 200 id=0/id", "GET /carts 200"},
		},
		"another cart in the database": {
			[]model.OutwardCall{redis(`{"command":"INCR","1":"carts"}`, "1")},
			[]model.OutwardCall{set},
			[]model.OutwardCall{get},
			[]model.OutwardCall{list},
			[]string{"POST /carts 201", "GET /carts/{id} 200 id=0/id"},
			[]string{"POST /carts 201", "GET /carts 200"},
		},
	} {
		rec := recording(
			served("POST", "/carts", "{}", 201, `{"id":"`+id+`"}`, c.created...),
			served("PUT", "/carts/"+id, `{"paid":true}`, 200, "{}", c.changed...),
			served("GET", "/carts/"+id, "", 200, "{}", c.read...),
			served("GET", "/carts", "", 200, "{}", c.listed...),
		)
		s := generate.Tests(rec, spec("POST /carts", "PUT /carts/{id}", "GET /carts/{id}", "GET /carts"), generate.Options{})
		if got := setUp(of(t, s, "GET /carts/{id}", 200)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if got := setUp(of(t, s, "GET /carts", 200)); !slices.Equal(got, c.wantList) {
			t.Errorf("%s: of the list: got %q, want %q", name, got, c.wantList)
		}
	}
}

// A user who registered is in the database. So the test does not register the user, and logs in with the recorded
// password.
func TestUserInDatabase(t *testing.T) {
	ann := redis(`{"command":"HGET","1":"users","2":"ann"}`, `"hash"`)
	register := served("POST", "/users", `{"name":"ann","password":"xK9q2"}`, 201, `{"ok":true}`, ann)
	login := served("POST", "/login", `{"name":"ann","password":"xK9q2"}`, 200, `{"token":"tok-8a7f3e21c4"}`, ann)
	me := with(served("GET", "/me", "", 200, `{"name":"ann"}`), "Authorization", "Bearer tok-8a7f3e21c4")
	s := generate.Tests(recording(register, login, me), spec("POST /users", "POST /login", "GET /me"), generate.Options{})
	test := of(t, s, "GET /me", 200)
	if got, want := setUp(test), []string{"GET /me 200"}; !slices.Equal(got, want) || len(test.Stubs) != 1 {
		t.Errorf("got calls %q with stubs %+v, want %q", got, test.Stubs, want)
	}
	if len(s.Users) != 1 || s.Users[0].Login.Body.Data != `{"name":"ann","password":"xK9q2"}` {
		t.Errorf("users %+v", s.Users)
	}
}
