package client_test

import (
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

// The user of a request is found by the credentials of an observed log-in, also if the request has a header without
// values.
func TestUserOfRequestWithEmptyHeader(t *testing.T) {
	t.Setenv("PW", "ann-secret-password")
	users := client.NewCallerIndex([]model.User{{Name: "ann", Login: &model.Login{
		Method: "POST", Path: "/login", Cookies: true,
		Headers: []model.Credential{{In: model.InHeader, Name: "X-Password", Value: "${PW}"}},
	}}})
	users.LearnLogin(model.Exchange{
		Request: model.Request{Method: "POST", URL: "/login", Header: map[string][]string{"X-Password": {"ann-secret-password"}}},
		Reply:   model.Reply{Status: 200, Header: map[string][]string{"Set-Cookie": {"sid=1"}}},
	})
	sent := model.Request{Method: "GET", URL: "/", Header: map[string][]string{"X-Empty": {}, "Cookie": {"sid=1"}}}
	if got := users.UserOf(sent); got != "ann" {
		t.Errorf("user %q, want ann", got)
	}
}
