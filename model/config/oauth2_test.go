package config_test

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"

	"github.com/google/go-cmp/cmp"
)

func TestLoginsOfMoreKinds(t *testing.T) {
	bearer := &model.LoginToken{Pointer: "/access_token", In: model.InHeader, Name: "Authorization", Template: "Bearer {token}"}
	form := &model.Payload{Media: "application/x-www-form-urlencoded"}
	basic := func(value string) []model.Credential {
		return []model.Credential{{In: model.InHeader, Name: "Authorization", Value: value, Basic: true}}
	}
	for _, c := range []struct {
		name, text string
		want       model.Login
	}{
		{"client credentials", `oauth2: {
      tokenUrl: "https://id.example/token", clientId: shop, clientSecret: "${SECRET}", scope: "read write"}`, model.Login{
			Method:  "POST",
			URL:     "https://id.example/token",
			Headers: basic("shop:${SECRET}"),
			Body:    form,
			Token:   bearer,
			Fields:  []model.LoginField{{Name: "grant_type", Value: "client_credentials"}, {Name: "scope", Value: "read write"}},
		}},
		{"client credentials in the body", `oauth2: {
      tokenUrl: /token, clientId: "${ID}", clientSecret: "${SECRET}", style: post, audience: api}`, model.Login{
			Method: "POST", Path: "/token", Body: form, Token: bearer,
			Fields: []model.LoginField{
				{Name: "grant_type", Value: "client_credentials"},
				{Name: "audience", Value: "api"},
				{Name: "client_id", Value: "${ID}"},
				{Name: "client_secret", Value: "${SECRET}"},
			},
		}},
		{"a user's password", `oauth2: {
      tokenUrl: /token, username: ann, password: "${PW}", clientId: web, sendTemplate: "Token {token}"}`, model.Login{
			Method: "POST",
			Path:   "/token",
			Body:   form,
			Token:  &model.LoginToken{Pointer: "/access_token", In: model.InHeader, Name: "Authorization", Template: "Token {token}"},
			Fields: []model.LoginField{
				{Name: "grant_type", Value: "password"},
				{Name: "username", Value: "ann"},
				{Name: "password", Value: "${PW}"},
				{Name: "client_id", Value: "web"},
			},
		}},
		{"by GET with basic authentication", `loginEndpointAuth: {
      endpoint: /token, verb: GET, basic: {username: ann, password: "${PW}"},
      token: {extractSelector: /token, sendName: X-Token}}`, model.Login{
			Method:  "GET",
			Path:    "/token",
			Headers: basic("ann:${PW}"),
			Token:   &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "X-Token", Template: "{token}"},
		}},
		{"fields of a form", `loginEndpointAuth: {
      endpoint: /login, contentType: application/x-www-form-urlencoded, payloadFields: {user: ann, pin: "${PIN}", pet: "rex"},
      expectCookies: true}`, model.Login{
			Method:  "POST",
			Path:    "/login",
			Body:    form,
			Cookies: true,
			Fields: []model.LoginField{
				{Name: "user", Value: "ann"},
				{Name: "pin", Value: "${PIN}"},
				{Name: "pet", Value: "${SONDE_ANN_PET}"},
			},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			users := read(t, "auth:\n  - name: ann\n    "+c.text).Users
			if diff := cmp.Diff(&c.want, users[0].Login); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCreateUsers(t *testing.T) {
	form := "{endpoint: /users, contentType: application/x-www-form-urlencoded, " +
		"basic: {username: root, password: \"${ROOT}\"}, payloadFields: {name: ann, password: secret}}"
	want := model.Login{
		Method:  "POST",
		Path:    "/users",
		Headers: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "root:${ROOT}", Basic: true}},
		Body:    &model.Payload{Media: "application/x-www-form-urlencoded"},
		Fields:  []model.LoginField{{Name: "name", Value: "ann"}, {Name: "password", Value: "${SONDE_ANN_PASSWORD}"}},
	}
	for _, text := range []string{form, "[" + form + "]"} {
		users := read(t, "auth:\n  - {name: ann, bearer: \"${T}\", createUsers: "+text+"}").Users
		if diff := cmp.Diff([]model.Login{want}, users[0].Creates); diff != "" {
			t.Error(diff)
		}
	}
}

func TestWrongLogins(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`oauth2: {clientId: a, clientSecret: b}`, "oauth2 needs a tokenUrl"},
		{`oauth2: {tokenUrl: token, clientId: a, clientSecret: b}`, `tokenUrl "token" is neither a URL nor a path`},
		{`oauth2: {tokenUrl: /token, clientId: a}`, "oauth2 needs clientId and clientSecret"},
		{`oauth2: {tokenUrl: /token, username: a}`, "a username and no password"},
		{`oauth2: {tokenUrl: /token, clientId: a, clientSecret: b, sendTemplate: x}`, "no place for the token"},
		{`oauth2: {tokenUrl: /token, clientId: a, clientSecret: b, style: json}`, "json"},
		{
			`oauth2: {tokenUrl: /token, clientId: a, clientSecret: b}, loginEndpointAuth: {endpoint: /login, expectCookies: true}`,
			"keep one of them",
		},
		{
			`loginEndpointAuth: {endpoint: /login, payloadRaw: x, payloadFields: {a: b}, expectCookies: true}`,
			"takes one of payloadRaw, payloadUserPwd and payloadFields",
		},
		{`loginEndpointAuth: {endpoint: /login, payloadFields: [a], expectCookies: true}`, "payloadFields are names with values"},
		{
			`loginEndpointAuth: {endpoint: /login, contentType: text/plain, payloadFields: {a: b}, expectCookies: true}`,
			"cannot be written as",
		},
		{`loginEndpointAuth: {endpoint: /login, basic: {}, expectCookies: true}`, "basic needs username and password"},
	} {
		text := "auth:\n  - {name: ann, " + c.text + "}"
		if _, err := config.Parse([]byte(text), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}
