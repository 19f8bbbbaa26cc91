package gotest

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

// as makes a user of users the one who calls.
func as(user string) option {
	return func(t *testing.T, r *request) {
		t.Helper()
		for _, o := range users[user](t) {
			o(t, r)
		}
	}
}

// sessions are what log-ins gave, by user. They are for all tests.
var sessions = map[string][]option{}

// forgetting is what is known of resets: whether they end sessions, and no call of a user came since.
var forgetting struct{ end, fresh bool }

// loggedInAs makes a user of users, who has to log in, the one who calls. A
// session is for all tests, and renewed once where the service refuses it.
func loggedInAs(user string) option { return inSession(user, true) }

// refusedAs is that for a call that is meant to be refused.
func refusedAs(user string) option { return inSession(user, false) }

func inSession(user string, renews bool) option {
	return func(t *testing.T, r *request) {
		t.Helper()
		session, old := sessions[user]
		if !old {
			session = users[user](t)
			sessions[user] = session
		}
		for _, o := range session {
			o(t, r)
		}
		r.again = func(status int) bool { return renewed(user, status, old && renews) }
	}
}

// renewed reports whether a session was refused, and a call is to be sent in a new one.
func renewed(user string, status int, renews bool) bool {
	refused := renews && status == http.StatusUnauthorized
	if refused {
		delete(sessions, user)
		forgetting.end = forgetting.end || forgetting.fresh
	}
	forgetting.fresh = false
	return refused
}

// ownSessions has a test share no session with others.
func ownSessions(t *testing.T) {
	endSessions()
	t.Cleanup(endSessions)
}

func endSessions() { sessions = map[string][]option{} }

// afterReset ends the sessions that the service has forgotten.
func afterReset() {
	if forgetting.end {
		endSessions()
	}
	forgetting.fresh = true
}

// secret returns a variable of the environment. Without it the test fails: one
// that is skipped would look as if all were well.
func secret(t *testing.T, name string) value {
	t.Helper()
	text := strings.TrimSpace(os.Getenv(name))
	if text == "" {
		t.Fatalf("no secret to send: set %s in the environment, as the top of this file says", name)
	}
	return value{text}
}

// public returns a variable of the environment or, without it, a text that is
// no secret.
func public(name, text string) value {
	if own := os.Getenv(name); own != "" {
		text = own
	}
	return value{text}
}

// withBasic proves who calls by a name and a password.
func withBasic(name, password string) option {
	return func(_ *testing.T, r *request) {
		(&http.Request{Header: r.header}).SetBasicAuth(name, password)
	}
}

// elsewhere sends a request to another host.
func elsewhere(base string) option {
	return func(_ *testing.T, r *request) { r.base = base }
}

// withQuery adds a value to the query.
func withQuery(name, value string) option {
	return func(_ *testing.T, r *request) {
		mark := "?"
		if strings.Contains(r.target, "?") {
			mark = "&"
		}
		r.target += mark + url.QueryEscape(name) + "=" + url.QueryEscape(value)
	}
}

// wantLogin ends the test unless a log-in worked. Many are answered with a
// redirect to the page that comes next.
func (r *reply) wantLogin() {
	r.t.Helper()
	path, _, _ := strings.Cut(r.call, "?")
	if r.status < 200 || r.status > 399 {
		r.t.Fatalf("%s: the log-in was answered %d with body %s", path, r.status, excerpt(r.body))
	}
	if to := r.header.Get("Location"); r.status >= 300 && strings.Contains(to, "error") {
		r.t.Fatalf("%s: the log-in was answered %d and sends to %q", path, r.status, excerpt([]byte(to)))
	}
}

// made are the users who were made once.
var made = map[string]bool{}

// wantMade ends the test unless a user was made, or is there already.
func (r *reply) wantMade(user string) {
	r.t.Helper()
	there := r.status == http.StatusConflict || made[user] && r.status/100 == 4
	if r.status/100 != 2 && !there {
		r.t.Fatalf("%s: the user %s is not made: answered %d with body %s", r.call, user, r.status, excerpt(r.body))
	}
	made[user] = true
}

// cookies sends back what the answer set.
func (r *reply) cookies() option {
	return func(t *testing.T, to *request) {
		for _, c := range (&http.Response{Header: r.header}).Cookies() {
			if c.Value != "" && c.MaxAge >= 0 {
				withCookie(c.Name, c.Value)(t, to)
			}
		}
	}
}

// headed returns the value of a header.
func (r *reply) headed(name string) value {
	r.t.Helper()
	if r.header.Get(name) == "" {
		r.t.Fatalf("%s: want the header %s, but there is none", r.call, name)
	}
	return value{r.header.Get(name)}
}

// whole returns the body, which is a text, in JSON or not.
func (r *reply) whole() value {
	v, err := decode(string(r.body))
	if err != nil {
		v = strings.TrimSpace(string(r.body))
	}
	return value{v}
}
