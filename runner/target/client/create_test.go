package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

// register is a service in which users must be created. A test decides whether a reset removes them.
type register struct {
	*httptest.Server
	users    map[string]string // user name → password
	requests []string
	again    int // status of a request that creates an existing user
}

func newRegister(t *testing.T, again int) *register {
	r := &register{users: map[string]string{}, again: again}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.requests = append(r.requests, req.Method+" "+req.URL.Path)
		if req.URL.Path == "/users" {
			var sent struct{ Name, Password string }
			_ = json.NewDecoder(req.Body).Decode(&sent)
			if r.users[sent.Name] != "" {
				w.WriteHeader(r.again)
				return
			}
			r.users[sent.Name] = sent.Password
			w.WriteHeader(201)
			return
		}
		if name, pw, _ := req.BasicAuth(); pw == "" || r.users[name] != pw {
			w.WriteHeader(401)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// createdUser is the user ann, with a request that creates her.
func createdUser(path string) model.User {
	return model.User{
		Name: "ann", Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "ann:${PW}", Basic: true}},
		Creates: []model.Login{{
			Method: "POST",
			Path:   path,
			Body:   &model.Payload{Media: "application/json"},
			Fields: []model.LoginField{{Name: "name", Value: "ann"}, {Name: "password", Value: "${PW}"}},
		}},
		Secrets: map[string]string{"PW": password},
	}
}

// A user is created before the first call, and again after each reset that removes users.
func TestUserIsCreated(t *testing.T) {
	for _, c := range []struct {
		name  string
		again int
		wipes bool
		want  string // the expected requests
	}{
		{"a reset takes users away", 409, true, "POST /users|GET /a|GET /b|POST /users|GET /a|POST /users|GET /a"},
		{"a reset leaves them", 409, false, "POST /users|GET /a|GET /b|POST /users|GET /a|GET /a"},
		{"who is there is a bad request", 400, false, "POST /users|GET /a|GET /b|POST /users|GET /a|GET /a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRegister(t, c.again)
			counted := 0
			cl := open(t, r.URL, client.Options{
				Users:           []model.User{createdUser("/users")},
				TakeLoginBudget: func() bool { counted++; return true },
			})
			statuses, _ := calls(t, cl, "GET /a", "GET /b")
			for range 2 {
				if c.wipes {
					clear(r.users)
				}
				cl.NoteReset()
				more, _ := calls(t, cl, "GET /a")
				statuses = append(statuses, more...)
			}
			if got := strings.Join(r.requests, "|"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if fmt.Sprint(statuses) != "[200 200 200 200]" || counted != strings.Count(c.want, "POST") {
				t.Errorf("statuses %v, %d counted", statuses, counted)
			}
		})
	}
}

// RestoreUser finds that the user still exists. After a later reset, which removes the user, the user is created
// again.
func TestRestoredUserIsCreatedAfterReset(t *testing.T) {
	r := newRegister(t, 409)
	cl := open(t, r.URL, client.Options{Users: []model.User{createdUser("/users")}})
	calls(t, cl, "GET /a")
	if made, err := cl.RestoreUser(t.Context(), "ann"); err != nil || made {
		t.Errorf("made %t, error %v, want a user who exists", made, err)
	}
	clear(r.users)
	cl.NoteReset()
	if statuses, _ := calls(t, cl, "GET /a"); fmt.Sprint(statuses) != "[200]" {
		t.Errorf("after a reset: statuses %v, requests %v", statuses, r.requests)
	}
	clear(r.users)
	if made, err := cl.RestoreUser(t.Context(), "ann"); err != nil || !made {
		t.Errorf("made %t, error %v, want a new user", made, err)
	}
}

func TestUserExists(t *testing.T) {
	r := newRegister(t, 409)
	r.users["ann"] = password
	statuses, _ := calls(t, open(t, r.URL, client.Options{Users: []model.User{createdUser("/users")}}), "GET /a")
	if fmt.Sprint(statuses) != "[200]" {
		t.Errorf("statuses %v", statuses)
	}
}

func TestUserCannotBeCreated(t *testing.T) {
	r := newRegister(t, 409)
	_, results := calls(t, open(t, r.URL, client.Options{Users: []model.User{createdUser("/nowhere")}}), "GET /a")
	var refused *client.LoginError
	if err := results[0].Exchange.Err; !errors.As(err, &refused) ||
		!strings.Contains(err.Error(), `user "ann" cannot be created: POST /nowhere answered 401`) ||
		strings.Contains(err.Error(), password) {
		t.Errorf("got %v", err)
	}
}

// A secret of a user from a driver takes precedence over a variable of the environment with the same name, which may
// belong to another service. For a user from a configuration, the environment takes precedence.
func TestOwnSecrets(t *testing.T) {
	t.Setenv("SONDE_ANN_TOKEN", "of another service")
	for own, want := range map[bool]string{true: "Bearer hush", false: "Bearer of another service"} {
		var got string
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Get("Authorization") }))
		user := model.User{
			Name: "ann", Secrets: map[string]string{"SONDE_ANN_TOKEN": "hush"}, OwnSecrets: own,
			Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${SONDE_ANN_TOKEN}"}},
		}
		calls(t, open(t, server.URL, client.Options{Users: []model.User{user}}), "GET /a")
		server.Close()
		if got != want {
			t.Errorf("own %t: sent %q, want %q", own, got, want)
		}
	}
}
