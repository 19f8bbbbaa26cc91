package gotest

import "testing"

// An export writes defaultURL, defaultValues, users and service before the tests.
var defaultURL = ""

var defaultValues = map[string]string{}

var users = map[string]func(t *testing.T) []option{
	"alice": func(*testing.T) []option {
		return []option{withHeader("Authorization", public("GOTEST_ALICE", "Bearer alice").text())}
	},
	"bob": func(t *testing.T) []option {
		return []option{withBasic("bob", secret(t, "GOTEST_BOB").text()), withQuery("key", secret(t, "GOTEST_KEY").text())}
	},
	"eve": func(t *testing.T) []option {
		login := call(t, "POST", "/login", withJSON(`{"password": `+secret(t, "GOTEST_EVE").json()+`}`))
		login.wantLogin()
		return []option{
			withHeader("Authorization", "Bearer "+login.field("/token").text()),
			withHeader("X-Csrf", login.headerValue("X-Csrf").text()), login.cookies(),
		}
	},
	"ken": func(t *testing.T) []option {
		login := call(t, "POST", "/login", withBody("text/plain", "ken"))
		login.wantLogin()
		return []option{withHeader("Authorization", login.bodyValue().text())}
	},
}
