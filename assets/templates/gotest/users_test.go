package gotest

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// as sends a call with the credentials of a user.
func as(user string) option {
	return func(t *testing.T, r *request) {
		t.Helper()
		for _, o := range users[user](t) {
			o(t, r)
		}
	}
}

// sessions are the credentials from log-ins, by user. The tests share the sessions.
var sessions = map[string][]option{}

// sessionState says whether a reset ends sessions, and whether no user has called since the last reset.
var sessionState struct{ endedByReset, isAfterReset bool }

// loggedInAs sends a call in the session of a user who has to log in. The tests share the session. If the service
// refuses the session, the user logs in again, and the call is sent once more.
func loggedInAs(user string) option { return inSession(user, true) }

// refusedAs is like loggedInAs, but for a call that the service should refuse: the session is not renewed.
func refusedAs(user string) option { return inSession(user, false) }

func inSession(user string, mayRenew bool) option {
	return func(t *testing.T, r *request) {
		t.Helper()
		session, isOld := sessions[user]
		if !isOld {
			session = users[user](t)
			sessions[user] = session
		}
		for _, o := range session {
			o(t, r)
		}
		r.resend = func(status int) bool { return needsNewSession(user, status, isOld && mayRenew) }
	}
}

// needsNewSession reports whether the service refused the session, so that the call must be sent again in a new
// session.
func needsNewSession(user string, status int, mayRenew bool) bool {
	refused := mayRenew && status == http.StatusUnauthorized
	if refused {
		delete(sessions, user)
		sessionState.endedByReset = sessionState.endedByReset || sessionState.isAfterReset
	}
	sessionState.isAfterReset = false
	return refused
}

// ownSessions makes a test log in anew: it does not share sessions with other tests.
func ownSessions(t *testing.T) {
	endSessions()
	t.Cleanup(endSessions)
}

func endSessions() { sessions = map[string][]option{} }

// afterReset records that the service was reset. It removes all sessions if a reset ends them.
func afterReset() {
	if sessionState.endedByReset {
		endSessions()
	}
	sessionState.isAfterReset = true
}

// secret returns an environment variable. If the variable is not set, the test fails, because a skipped test would
// look like success.
func secret(t *testing.T, name string) value {
	t.Helper()
	text := strings.TrimSpace(os.Getenv(name))
	if text == "" {
		t.Fatalf("no secret to send: set %s in the environment, as the top of this file says", name)
	}
	return value{text}
}

// public returns an environment variable or, if the variable is not set, text, which is not secret.
func public(name, text string) value {
	if override := os.Getenv(name); override != "" {
		text = override
	}
	return value{text}
}

// withBasic sends a name and a password by basic authentication.
func withBasic(name, password string) option {
	return func(_ *testing.T, r *request) {
		(&http.Request{Header: r.header}).SetBasicAuth(name, password)
	}
}

// withBaseURL sends a request to another base URL.
func withBaseURL(base string) option {
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

// wantLogin ends the test unless a log-in worked. A redirect counts as success unless its URL contains "error",
// because many services answer a log-in with a redirect to the next page.
func (r *reply) wantLogin() {
	r.t.Helper()
	path, _, _ := strings.Cut(r.call, "?")
	if r.status < 200 || r.status > 399 {
		r.t.Fatalf("%s: the log-in was answered %d with body %s", path, r.status, excerpt(r.body))
	}
	if to := r.header.Get("Location"); r.status >= 300 && strings.Contains(to, "error") {
		r.t.Fatalf("%s: the log-in was answered %d and redirects to %q", path, r.status, excerpt([]byte(to)))
	}
}

// createdUsers has the users that the tests have created.
var createdUsers = map[string]bool{}

// wantCreated ends the test unless a user was created or already exists.
func (r *reply) wantCreated(user string) {
	r.t.Helper()
	exists := r.status == http.StatusConflict || createdUsers[user] && r.status/100 == 4
	if r.status/100 != 2 && !exists {
		r.t.Fatalf("%s: the user %s was not created: answered %d with body %s", r.call, user, r.status, excerpt(r.body))
	}
	createdUsers[user] = true
}

// cookies returns an option that sends the cookies of this answer, without those that the answer deletes.
func (r *reply) cookies() option {
	return func(t *testing.T, to *request) {
		for _, c := range (&http.Response{Header: r.header}).Cookies() {
			expired := c.MaxAge == 0 && !c.Expires.IsZero() && !c.Expires.After(time.Now())
			if c.Value != "" && c.MaxAge >= 0 && !expired {
				withCookie(c.Name, c.Value)(t, to)
			}
		}
	}
}

// headerValue returns the value of a header. The test ends if the answer has no such header.
func (r *reply) headerValue(name string) value {
	r.t.Helper()
	if r.header.Get(name) == "" {
		r.t.Fatalf("%s: want the header %s, but there is none", r.call, name)
	}
	return value{r.header.Get(name)}
}

// bodyValue returns the whole body as a value: a text, or the text of a JSON string.
func (r *reply) bodyValue() value {
	v, err := decode(string(r.body))
	if err != nil {
		v = strings.TrimSpace(string(r.body))
	}
	return value{v}
}
