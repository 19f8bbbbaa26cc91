package config_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"

	"github.com/google/go-cmp/cmp"
)

// The users of a driver have the form of those in sonde.yaml. Their secrets get names that no other user has, and are
// never stored.
func TestDriverUsers(t *testing.T) {
	users, err := config.ParseDriverUsers(
		json.RawMessage(`[
			{"name": "ann", "bearer": "hush-1"},
			{"name": "bob", "loginEndpointAuth": {"endpoint": "/login", "verb": "POST", "expectCookies": true,
				"payloadRaw": "{\"word\": \"hush-2 \ud83d\ude00\"}"}}
		]`), nil,
		[]model.User{{
			Name:  "Ann",
			Sends: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${SONDE_ANN_TOKEN}"}},
		}},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []model.User{
		{
			Name:    "ann",
			Sends:   []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${SONDE_ANN_TOKEN_2}"}},
			Secrets: map[string]string{"SONDE_ANN_TOKEN_2": "hush-1"}, OwnSecrets: true,
		},
		{
			Name: "bob",
			Login: &model.Login{
				Method: "POST", Path: "/login", Cookies: true,
				Body: &model.Payload{Media: "application/json", Data: "${SONDE_BOB_PAYLOAD}"},
			},
			Secrets: map[string]string{"SONDE_BOB_PAYLOAD": `{"word": "hush-2 😀"}`}, OwnSecrets: true,
		},
	}
	if diff := cmp.Diff(want, users); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if stored, err := json.Marshal(users); err != nil || strings.Contains(string(stored), "hush") {
		t.Errorf("%v: %s", err, stored)
	}
	users, err = config.ParseDriverUsers(
		json.RawMessage(`[{"name": "eve", "loginEndpointAuth": {"payloadUserPwd": {"username": "eve", "password": "hush"}}}]`),
		json.RawMessage(`{"loginEndpointAuth": {"endpoint": "/login", "verb": "PUT", "expectCookies": true,
			"payloadUserPwd": {"usernameField": "name", "passwordField": "word"}}}`), nil,
	)
	if err != nil || len(users) != 1 || users[0].Login.Method != "PUT" {
		t.Errorf("with a template: %+v, %v", users, err)
	}
	if users, err := config.ParseDriverUsers(nil, nil, nil); users != nil || err != nil {
		t.Errorf("no users: %+v, %v", users, err)
	}
}

// A driver cannot read environment variables, and the errors have no credentials.
func TestHostileDriverUsers(t *testing.T) {
	many := strings.Repeat(`{"name": "a", "bearer": "b"},`, 20_000)
	for _, c := range []struct{ name, auth, want string }{
		{"a variable", `[{"name": "a", "bearer": "${HOME}"}]`, "a text refers to an environment variable"},
		{"a variable in a key", `[{"name": "a", "loginEndpointAuth": {"payloadFields": {"${HOME}": "x"}}}]`, "refers to an env"},
		{"wrong kind", `[{"name": "a", "basic": "ann:hush"}]`, "basic takes the keys password, username, not a text"},
		{"no list", `"hush"`, "auth is a list of users, each with a name, not a text"},
		{"an escape", `[{"name": "a\u001b[2J", "bearer": "hush"}]`, "a user's name has characters that cannot be printed"},
		{"a long name", fmt.Sprintf(`[{"name": %q, "bearer": "hush"}]`, strings.Repeat("a", 101)), "more than 100 bytes"},
		{"a header", `[{"name": "a", "fixedHeaders": [{"name": "X: y\r\nZ", "value": "hush"}]}]`, "is not a name of a header"},
		{"unknown key", `[{"name": "a", "password": "hush"}]`, `unknown key "password" in a user`},
		{"no credential", `[{"name": "a"}]`, `user "a" has no credential`},
		{"deep", strings.Repeat("[", 80) + strings.Repeat("]", 80), "it is nested deeper than 64 levels"},
		{"many", "[" + strings.TrimSuffix(many, ",") + "]", "it has more than 20000 values"},
		{"large", `["` + strings.Repeat("a", 1<<20) + `"]`, "more than the limit of 1024 KiB"},
		{"not JSON", `[hush`, "its auth is not JSON"},
	} {
		_, err := config.ParseDriverUsers(json.RawMessage(c.auth), nil, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: got error %.200v, want %s", c.name, err, c.want)
		}
	}
}

func FuzzDriverUsers(f *testing.F) {
	f.Add(`[{"name": "ann", "bearer": "hush"}]`, `{"loginEndpointAuth": {"endpoint": "/login"}}`)
	f.Add(`[{"name": "b", "basic": {"username": "b", "password": "${X}"}}, null]`, `[]`)
	f.Fuzz(func(t *testing.T, auth, template string) {
		users, err := config.ParseDriverUsers(json.RawMessage(auth), json.RawMessage(template), nil)
		if err != nil {
			return
		}
		for _, u := range users {
			for _, text := range u.SecretTexts() {
				for _, name := range model.SecretNames(text) {
					if _, own := u.Secrets[name]; !own {
						t.Errorf("user %q reads %s", u.Name, name)
					}
				}
			}
		}
	})
}
