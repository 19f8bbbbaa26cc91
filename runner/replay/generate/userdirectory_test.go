package generate_test

import (
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
