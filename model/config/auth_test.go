package config_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"sonde/model"
)

// commons has the examples of the Web Fuzzing Commons, with literal secrets.
const commons = `
auth:
  - name: foo
    loginEndpointAuth:
      payloadRaw: "{\"username\": \"foo\", \"password\": \"123\"}"
  - name: bar
    loginEndpointAuth:
      payloadUserPwd:
        username: bar
        password: "456"
        usernameField: username
        passwordField: password
  - name: test
    loginEndpointAuth:
      externalEndpointURL: https://id.example/token
      verb: GET
      expectCookies: false
      headers:
        - name: Authorization
          value: "Basic dGVzdDp0ZXN0Cg=="
      token:
        extractFrom: header
        extractSelector: X-Auth-Token
        sendIn: query
        sendName: key

authTemplate:
  loginEndpointAuth:
    endpoint: /login
    verb: POST
    contentType: application/json
    expectCookies: true
`

func TestCommons(t *testing.T) {
	users := read(t, commons).Users
	want := []model.User{
		{Name: "foo", Login: &model.Login{
			Method: "POST", Path: "/login", Cookies: true, Body: &model.Payload{Media: "application/json", Data: "${SONDE_FOO_PAYLOAD}"},
		}, Secrets: map[string]string{"SONDE_FOO_PAYLOAD": `{"username": "foo", "password": "123"}`}},
		{Name: "bar", Login: &model.Login{
			Method: "POST", Path: "/login", Cookies: true, Body: &model.Payload{Media: "application/json"},
			Fields: []model.LoginField{{Name: "username", Value: "bar"}, {Name: "password", Value: "${SONDE_BAR_PASSWORD}"}},
		}, Secrets: map[string]string{"SONDE_BAR_PASSWORD": "456"}},
		{Name: "test", Login: &model.Login{
			Method: "GET", URL: "https://id.example/token",
			Headers: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Basic ${SONDE_TEST_AUTHORIZATION}"}},
			Token:   &model.LoginToken{Header: "X-Auth-Token", In: model.InQuery, Name: "key", Template: "{token}"},
		}, Secrets: map[string]string{"SONDE_TEST_AUTHORIZATION": "dGVzdDp0ZXN0Cg=="}},
	}
	for i := range want {
		if !reflect.DeepEqual(users[i], want[i]) {
			t.Errorf("got  %+v\nwant %+v", users[i], want[i])
		}
	}
	text, err := json.Marshal(users)
	for _, secret := range []string{"123", "456", "dGVzdDp0ZXN0Cg=="} {
		if err != nil || strings.Contains(string(text), secret) {
			t.Errorf("%q is in what would be written down: %s, %v", secret, text, err)
		}
	}
}

func TestForms(t *testing.T) {
	tests := []struct {
		name, entry string
		want        []model.Credential
	}{
		{
			"a header", `fixedHeaders: [{name: X-Key, value: "${KEY}"}]`,
			[]model.Credential{{In: model.InHeader, Name: "X-Key", Value: "${KEY}"}},
		},
		{
			"a literal token", `fixedHeaders: [{name: Authorization, value: " static token"}]`,
			[]model.Credential{{In: model.InHeader, Name: "Authorization", Value: "static ${SONDE_ANN_1_AUTHORIZATION}"}},
		},
		{"bearer", `bearer: "${T}"`, []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "Bearer ${T}"}}},
		{
			"basic", `basic: {username: ann, password: "${P}"}`,
			[]model.Credential{{In: model.InHeader, Name: "Authorization", Value: "ann:${P}", Basic: true}},
		},
		{
			"a key in the query", `apiKey: {in: query, name: key, value: hush}`,
			[]model.Credential{{In: model.InQuery, Name: "key", Value: "${SONDE_ANN_1_KEY}"}},
		},
		{
			"a key in a cookie", `apiKey: {in: cookie, name: key, value: "${K}"}`,
			[]model.Credential{{In: model.InCookie, Name: "key", Value: "${K}"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u := read(t, "auth: [{name: ann-1, "+tt.entry+"}]").Users[0]
			if !reflect.DeepEqual(u.Sends, tt.want) {
				t.Errorf("got %+v, want %+v", u.Sends, tt.want)
			}
		})
	}
}

// Versions of the format before 0.2 have other keys for the token.
func TestOldToken(t *testing.T) {
	u := read(t, `auth: [{name: a, loginEndpointAuth: {endpoint: login, payloadRaw: u=a&p=b,
  token: {extractFromField: /t, httpHeaderName: Authorization, headerPrefix: "JWT "}}}]`).Users[0]
	want := &model.LoginToken{Pointer: "/t", In: model.InHeader, Name: "Authorization", Template: "JWT {token}"}
	if !reflect.DeepEqual(u.Login.Token, want) {
		t.Errorf("got %+v, want %+v", u.Login.Token, want)
	}
	if u.Login.Path != "/login" || u.Login.Body.Media != "application/x-www-form-urlencoded" {
		t.Errorf("got %+v with %+v", u.Login, u.Login.Body)
	}
}
