package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

// guarded is a service that accepts one kind of credentials, and counts the requests.
type guarded struct {
	*httptest.Server
	mu       sync.Mutex
	requests int
	logins   int
	lives    int            // number of calls for which a token is valid; 0 means no limit
	left     map[string]int // token → number of calls that are left
	admits   func(*http.Request) bool
	answers  http.HandlerFunc // answers log-ins
}

const password = "pass/word+1"

func guard(t *testing.T, g *guarded) *guarded {
	g.left = map[string]int{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.requests++
		switch {
		case r.URL.Path == "/login":
			g.logins++
			g.answers(w, r)
		case r.URL.Path == "/never":
			w.WriteHeader(401)
		case !g.admits(r):
			w.WriteHeader(401)
		default:
			fmt.Fprintf(w, `{"carried":%q,"cookie":%q,"query":%q}`, r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.URL.RawQuery)
		}
	}))
	t.Cleanup(g.Close)
	return g
}

// token returns a new token.
func (g *guarded) token() string {
	token := fmt.Sprintf("secret-token-%d", g.logins)
	g.left[token] = g.lives
	return token
}

// spend reports whether a token is valid, and counts one use of the token.
func (g *guarded) spend(token string) bool {
	left, known := g.left[token]
	if !known || g.lives > 0 && left == 0 {
		return false
	}
	g.left[token]--
	return true
}

// bearer is a service with a log-in by JSON. A token is valid for lives calls.
func bearer(t *testing.T, lives int) *guarded {
	g := &guarded{lives: lives}
	g.admits = func(r *http.Request) bool {
		return g.spend(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}
	g.answers = func(w http.ResponseWriter, r *http.Request) {
		var sent map[string]string
		if json.NewDecoder(r.Body).Decode(&sent) != nil || r.Method != "POST" || sent["user"] != "ann" || sent["pw"] != password {
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"message":"no such user or password: %s"}`, sent["pw"])
			return
		}
		fmt.Fprintf(w, `{"auth":{"token":%q}}`, g.token())
	}
	return guard(t, g)
}

// ann is a user who logs in at the service of bearer.
func ann() model.User {
	return model.User{Name: "ann", Login: &model.Login{
		Method: "POST", Path: "/login", Body: &model.Payload{Media: "application/json"},
		Fields: []model.LoginField{{Name: "user", Value: "ann"}, {Name: "pw", Value: "${SONDE_TEST_PASSWORD}"}},
		Token:  &model.LoginToken{Pointer: "/auth/token", In: model.InHeader, Name: "Authorization", Template: "Bearer {token}"},
	}, Secrets: map[string]string{"SONDE_TEST_PASSWORD": password}}
}

var authSpec = &model.Spec{Operations: []*model.Operation{op("GET", "/a"), op("GET", "/b"), op("GET", "/never"), op("GET", "/b?x=1")}}

// calls plays a test with one call by ann for each operation, and returns the statuses and the results.
func calls(t *testing.T, c *client.Client, ops ...model.OpID) (statuses []int, results []client.CallResult) {
	t.Helper()
	for _, op := range ops {
		played, r := c.PlayTest(context.Background(), authSpec, model.Test{Calls: []model.Call{{Op: op, User: "ann"}}})
		statuses = append(statuses, played.Calls[0].Status)
		results = append(results, r...)
	}
	return statuses, results
}

func TestCredentials(t *testing.T) {
	form := ann()
	form.Login.Body.Media = "application/x-www-form-urlencoded"
	tests := []struct {
		name string
		user model.User
		want string // what the request has: Authorization, Cookie, query
	}{
		{
			"header",
			model.User{Sends: []model.Credential{{In: model.InHeader, Name: "authorization", Value: "Token ${K}"}}},
			"Token key-key-key|c=1|x=1",
		},
		{
			"basic",
			model.User{Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "ann:${K}", Basic: true}}},
			"Basic YW5uOmtleS1rZXkta2V5|c=1|x=1",
		},
		{
			"query",
			model.User{Sends: []model.Credential{{In: model.InQuery, Name: "api key", Value: "${K}&"}}},
			"|c=1|x=1&api+key=key-key-key%26",
		},
		{"cookie", model.User{Sends: []model.Credential{{In: model.InCookie, Name: "sid", Value: "${K}"}}}, "|c=1; sid=key-key-key|x=1"},
		{
			"cookies as a header",
			model.User{Sends: []model.Credential{{In: model.InHeader, Name: "Cookie", Value: "sid=${K}"}}},
			"|c=1; sid=key-key-key|x=1",
		},
		{
			"several",
			model.User{Header: "Authorization", Env: "K", Sends: []model.Credential{{In: model.InCookie, Name: "sid", Value: "${K}"}}},
			"key-key-key|c=1; sid=key-key-key|x=1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("K", "key-key-key")
			got := ""
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r.Header.Get("Authorization") + "|" + r.Header.Get("Cookie") + "|" + r.URL.RawQuery
				fmt.Fprint(w, got)
			}))
			defer s.Close()
			tt.user.Name = "ann"
			c := open(t, s.URL, client.Options{Users: []model.User{tt.user}})
			call := model.Call{Op: "GET /b?x=1", User: "ann", Args: []model.Arg{{In: model.InCookie, Name: "c", Value: "1"}}}
			_, results := c.PlayTest(context.Background(), authSpec, model.Test{Calls: []model.Call{call}})
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			shown := fmt.Sprint(results[0].Exchange)
			if strings.Contains(shown, "key-key") || strings.Contains(shown, "YW5uOmtle") {
				t.Errorf("a secret is in %s", shown)
			}
		})
	}
}

func TestLogins(t *testing.T) {
	tokens := func(g *guarded) { g.admits = func(r *http.Request) bool { return g.spend(r.Header.Get("X-Auth")) } }
	tests := []struct {
		name    string
		service func(*guarded)
		login   model.Login
	}{
		{"a form, cookies and a redirect", func(g *guarded) {
			g.admits = func(r *http.Request) bool {
				k, err := r.Cookie("sid")
				return err == nil && g.spend(k.Value)
			}
			g.answers = func(w http.ResponseWriter, r *http.Request) {
				if r.FormValue("pw") != password {
					w.Header().Set("Location", "/login?error")
				} else {
					http.SetCookie(w, &http.Cookie{Name: "sid", Value: g.token(), HttpOnly: true})
				}
				w.WriteHeader(302)
			}
		}, model.Login{
			Cookies: true,
			Body:    &model.Payload{Media: "application/x-www-form-urlencoded"},
			Fields:  []model.LoginField{{Name: "pw", Value: "${P}"}},
		}},
		{"a header in, a header out", func(g *guarded) {
			tokens(g)
			g.answers = func(w http.ResponseWriter, r *http.Request) {
				if _, pw, _ := r.BasicAuth(); pw == password {
					w.Header().Set("X-Token", g.token())
				}
			}
		}, model.Login{
			Headers: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "ann:${P}", Basic: true}},
			Token:   &model.LoginToken{Header: "x-token", In: model.InHeader, Name: "X-Auth", Template: "{token}"},
		}},
		{"a raw payload in, text out, a token in the query", func(g *guarded) {
			g.admits = func(r *http.Request) bool { return g.spend(r.URL.Query().Get("t")) }
			g.answers = func(w http.ResponseWriter, r *http.Request) {
				if body, _ := io.ReadAll(r.Body); string(body) == "<p>"+password+"</p>" {
					fmt.Fprintln(w, g.token())
				}
			}
		}, model.Login{
			Body:  &model.Payload{Media: "text/xml", Data: "<p>${P}</p>"},
			Token: &model.LoginToken{In: model.InQuery, Name: "t", Template: "{token}"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := &guarded{}
			tt.service(g)
			guard(t, g)
			tt.login.Method, tt.login.Path = "POST", "/login"
			u := model.User{Name: "ann", Login: &tt.login, Secrets: map[string]string{"P": password}}
			got, results := calls(t, open(t, g.URL, client.Options{Users: []model.User{u}}), "GET /a", "GET /b")
			if fmt.Sprint(got) != "[200 200]" || g.logins != 1 {
				t.Errorf("got %v with %d log-ins, want [200 200] with 1", got, g.logins)
			}
			if shown := fmt.Sprint(results); strings.Contains(shown, "secret-token") {
				t.Errorf("a token is in %s", shown)
			}
			u.Secrets = map[string]string{"P": "wrong"}
			_, results = calls(t, open(t, g.URL, client.Options{Users: []model.User{u}}), "GET /a")
			var refused *client.LoginError
			if !errors.As(results[0].Exchange.Err, &refused) || refused.User != "ann" || refused.Request != "POST /login" {
				t.Errorf("with a wrong password: error %v", results[0].Exchange.Err)
			}
		})
	}
}

// A log-in at another host is sent to that host, if the host may be called.
func TestLoginAtAnotherHost(t *testing.T) {
	g := bearer(t, 0)
	elsewhere := bearer(t, 0)
	elsewhere.left = g.left
	u := ann()
	u.Login.Path, u.Login.URL = "", elsewhere.URL+"/login?realm=x"
	got, _ := calls(t, open(t, g.URL, client.Options{Users: []model.User{u}}), "GET /a")
	if fmt.Sprint(got) != "[200]" || elsewhere.logins != 1 || g.logins != 0 {
		t.Errorf("got %v with %d and %d log-ins", got, elsewhere.logins, g.logins)
	}
	u.Login.URL = "https://id.example/login"
	if _, err := client.New(g.URL, client.Options{Users: []model.User{u}}); err == nil ||
		!strings.Contains(err.Error(), "--allow-host id.example") {
		t.Errorf("a strange host: error %v", err)
	}
}

func TestWrongPassword(t *testing.T) {
	g := bearer(t, 0)
	u := ann()
	u.Secrets = map[string]string{"SONDE_TEST_PASSWORD": "not the password"}
	_, results := calls(t, open(t, g.URL, client.Options{Users: []model.User{u}}), "GET /a")
	want := `user "ann" cannot log in: POST /login answered 401: {"message":"no such user or password: ***"}`
	if err := results[0].Exchange.Err; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if g.requests != 1 {
		t.Errorf("%d requests arrived, want 1", g.requests)
	}
}

// A token that is valid for two calls is renewed for the third call, and the third call is
// repeated.
func TestRenewal(t *testing.T) {
	g := bearer(t, 2)
	setUp, all := 0, 0
	c := open(t, g.URL, client.Options{
		Users:      []model.User{ann()},
		TakeBudget: func() bool { all++; return true },
		TakeLoginBudget: func() bool {
			all++
			setUp++
			return true
		},
	})
	got, _ := calls(t, c, "GET /a", "GET /a", "GET /a", "GET /b", "GET /a")
	if fmt.Sprint(got) != "[200 200 200 200 200]" {
		t.Errorf("got %v", got)
	}
	if g.logins != 3 || setUp != 3 || g.requests != all || all != 5+3+2 {
		t.Errorf("%d log-ins, %d counted; %d requests, %d counted; want 3, 3, 10, 10", g.logins, setUp, g.requests, all)
	}
}

// If an operation refuses a user even after a new log-in, its later refusals cause no further log-in.
func TestLoginIsNotRepeatedInVain(t *testing.T) {
	g := bearer(t, 0)
	got, _ := calls(
		t, open(t, g.URL, client.Options{Users: []model.User{ann()}}), "GET /never", "GET /a", "GET /never",
		"GET /a", "GET /never", "GET /never",
	)
	if fmt.Sprint(got) != "[401 200 401 200 401 401]" || g.logins != 2 {
		t.Errorf("got %v with %d log-ins, want 2", got, g.logins)
	}
}

// If a reset invalidates credentials, users log in again after each reset.
func TestResetEndsSessions(t *testing.T) {
	g := bearer(t, 0)
	c := open(t, g.URL, client.Options{Users: []model.User{ann()}})
	for range 4 {
		c.NoteReset()
		if got, _ := calls(t, c, "GET /a", "GET /b"); fmt.Sprint(got) != "[200 200]" {
			t.Errorf("got %v", got)
		}
		g.mu.Lock()
		clear(g.left)
		g.mu.Unlock()
	}
	if g.logins != 4 || g.requests != 4*3+1 {
		t.Errorf("%d log-ins and %d requests, want 4 and 13: only the first reset is a surprise", g.logins, g.requests)
	}
}

// If a user has logged in before, a refused log-in is not an error of the call, because the search itself may have
// locked the user out. After maxFailedLogins failures, the user does not log in again.
func TestLockedOut(t *testing.T) {
	g := bearer(t, 1)
	c := open(t, g.URL, client.Options{Users: []model.User{ann()}})
	calls(t, c, "GET /a")
	g.answers = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }
	for range 10 {
		c.NoteReset()
		if _, results := calls(t, c, "GET /a"); results[0].Exchange.Err != nil {
			t.Errorf("error %v", results[0].Exchange.Err)
		}
	}
	if g.logins != 4 || fmt.Sprint(c.LostUsers()) != "[ann]" {
		t.Errorf("%d log-ins, want 4; lost %q, want ann", g.logins, c.LostUsers())
	}
}

func TestBudgetStopsLogins(t *testing.T) {
	g := bearer(t, 0)
	left := 1
	take := func() bool { left--; return left >= 0 }
	_, results := calls(t, open(t, g.URL, client.Options{Users: []model.User{ann()}, TakeBudget: take}), "GET /a", "GET /a")
	if len(results) != 0 || g.requests != 1 {
		t.Errorf("%d results, %d requests arrived; want none and 1", len(results), g.requests)
	}
}

func TestMissingSecrets(t *testing.T) {
	u := ann()
	u.Secrets = nil
	u.Sends = []model.Credential{{In: model.InHeader, Name: "X", Value: "${SONDE_TEST_NO_KEY}"}}
	_, err := client.New("http://127.0.0.1:1", client.Options{Users: []model.User{u}})
	if want := `user "ann" lacks a secret: set SONDE_TEST_NO_KEY and SONDE_TEST_PASSWORD in the environment`; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	t.Setenv("SONDE_TEST_NO_KEY", "a\nb")
	t.Setenv("SONDE_TEST_PASSWORD", "x")
	_, err = client.New("http://127.0.0.1:1", client.Options{Users: []model.User{u}})
	if err == nil || !strings.Contains(err.Error(), "line break") {
		t.Errorf("a line break: error %v", err)
	}
}

// A short secret is masked only if it is not part of a longer word.
func TestShortSecrets(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "/things/12345")
		w.Header().Set("Set-Cookie", "pw=123; Path=/")
		fmt.Fprint(
			w,
			`{"id":12345,"n":123,"password":"123","text":"1234","escaped":"`+strings.ReplaceAll("long \"secret\"", `"`, `\"`)+`"}`,
		)
	}))
	defer s.Close()
	u := model.User{
		Name: "ann", Sends: []model.Credential{
			{In: model.InHeader, Name: "X", Value: "${A}"}, {In: model.InHeader, Name: "Y", Value: "${B}"},
		},
		Secrets: map[string]string{"A": "123", "B": `long "secret"`},
	}
	_, results := calls(t, open(t, s.URL, client.Options{Users: []model.User{u}}), "GET /a")
	reply := results[0].Exchange.Reply
	if got, want := string(reply.Body), `{"id":12345,"n":123,"password":"***","text":"1234","escaped":"***"}`; got != want {
		t.Errorf("body: got %s, want %s", got, want)
	}
	if got := reply.Header["Location"][0] + " " + reply.Header["Set-Cookie"][0]; got != "/things/12345 pw=***; Path=/" {
		t.Errorf("headers: got %s", got)
	}
}
