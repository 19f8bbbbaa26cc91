package generate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// A token of a log-in is recognised in later requests, also if it is as long as a JWT with many claims.
func TestLongToken(t *testing.T) {
	token := "eyJhbGciOiJIUzI1NiJ9." + strings.Repeat("c2lkcm9sZQ4x", 150) + ".x7"
	login := served("POST", "/token", `{"email":"ann","password":"p1"}`, 200, `{"access_token":"`+token+`"}`)
	me := with(served("GET", "/me", "", 200, `{"name":"ann"}`), "Authorization", "Bearer "+token)
	l := newTimeline()
	for i, x := range []model.ServedRequest{login, me} {
		x.ID, x.At = strings.Repeat(string(rune('1'+i)), 32), l.begin.Add(time.Duration(i)*time.Second)
		l.Served = append(l.Served, x)
	}
	s := generate.Tests(l.Recording, spec("POST /token", "GET /me"), generate.Options{})
	if len(s.Users) != 1 || s.Users[0].Login == nil || s.Users[0].Login.Token.Pointer != "/access_token" {
		t.Errorf("users %+v", s.Users)
	}
}

// If the service makes outward calls at log-ins, each test logs in by itself. In a stub, the answers for the log-in
// come before the answers for the user's first call. If a token was refreshed, the test logs in with the password
// from the first log-in.
func TestLogInCallsOutward(t *testing.T) {
	find := func(n int) model.OutwardCall {
		return sentTo("users.example:80", "GET", "/users?name=ann", "", 200, fmt.Sprintf(`{"seen":%d}`, n))
	}
	register := served("POST", "/users", `{"name":"ann","password":"xK9q2"}`, 201, `{"id":7}`, find(0))
	login := served(
		"POST", "/login", `{"name":"ann","password":"xK9q2"}`, 200, `{"token":"tok-8a7f3e21c4","refresh_token":"kqxwvnzoabcd"}`, find(1),
	)
	refresh := served("POST", "/login", `{"refresh_token":"kqxwvnzoabcd"}`, 200, `{"token":"tok-77aa88bb99"}`, find(2))
	me := with(served("GET", "/me", "", 200, `{"name":"ann"}`, find(3)), "Authorization", "Bearer tok-77aa88bb99")
	s := generate.Tests(recording(register, login, refresh, me), spec("POST /users", "POST /login", "GET /me"), generate.Options{})
	if len(s.Users) != 1 || s.Users[0].Login == nil || s.Users[0].Login.Body.Data != `{"name":"ann","password":"xK9q2"}` {
		t.Fatalf("users %+v", s.Users)
	}
	test := of(t, s, "GET /me", 200)
	if got, want := setUp(test), []string{"POST /users 201", "GET /me 200"}; !slices.Equal(got, want) {
		t.Errorf("got calls %q, want %q", got, want)
	}
	var got []string
	for _, a := range test.Stubs[0].Answers {
		got = append(got, a.Body)
	}
	want := []string{`{"seen":0}`, `{"seen":1}`, `{"seen":3}`}
	if !slices.Equal(got, want) || test.Mock.Before != 2 || !test.Mock.OwnSessions {
		t.Errorf("got answers %q and %+v, want %q", got, test.Mock, want)
	}
	if other := of(t, s, "POST /users", 201); other.Mock.OwnSessions {
		t.Errorf("a test without a log-in has sessions of its own")
	}
	want = []string{"POST /login 200", "POST /login 200 /refresh_token=0/refresh_token"}
	if got := setUp(s.Tests[2]); !slices.Equal(got, want) {
		t.Errorf("got calls %q, want %q", got, want)
	}
}
