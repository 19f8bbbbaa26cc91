package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model/config"
)

// drafted returns the section about users in the file that sonde init writes for a specification, and the
// configuration that is read from the file.
func drafted(t *testing.T, spec string) (text string, read config.Config) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sonde.yaml")
	if code, _, errs := run(t, "init", spec, "-o", file); code != 0 {
		t.Fatalf("exit code %d, errors %s", code, errs)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	read, err = config.Load(file)
	if err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	_, text, found := strings.Cut(string(data), "# Who calls")
	if !found {
		t.Fatalf("no users in\n%s", data)
	}
	text, _, _ = strings.Cut("# Who calls"+text, "# How long")
	return text, read
}

// sonde init finds the log-ins of small specifications. A line of want that begins with ! must not be in
// the file.
func TestInitFindsLogins(t *testing.T) {
	const body = "requestBody: {content: {application/json: {schema: {type: object, properties: "
	for _, c := range []struct {
		name, schemes, security, paths string
		want                           []string
	}{
		{
			"the right one of several tokens", "jwt: {type: http, scheme: bearer}", "[{jwt: []}]", `
  /auth/login: {post: {security: [], ` + body + `{email: {type: string}, password: {type: string}}}}}},
    responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {csrfToken:
        {type: string}, refreshToken: {type: string}, tokenType: {type: string}, idToken: {type: string},
        accessToken: {type: string}}}}}}}}}`,
			[]string{
				"endpoint: /auth/login",
				"extractSelector: /accessToken, sendIn: header, sendName: Authorization, sendTemplate: \"Bearer {token}\"",
				"usernameField: email, passwordField: password", "!fixedHeaders",
			},
		},
		{
			"a token deep in the answer, fields deep in the body", "jwt: {type: http, scheme: bearer}", "[{jwt: []}]", `
  /sessions: {post: {` + body + `{user: {type: object, properties: {login: {type: string}, password: {type: string}}}}}}}},
    responses: {'201': {description: ok, content: {application/json: {schema: {type: object, properties: {data:
        {type: object, properties: {token: {type: string}}}}}}}}}}}`,
			[]string{
				`payloadRaw: "{\"user\":{\"login\":\"${SONDE_USERNAME}\",\"password\":\"${SONDE_PASSWORD}\"}}"`,
				"extractSelector: /data/token,",
			},
		},
		{
			"GET with basic authentication", "jwt: {type: http, scheme: bearer}\n    pw: {type: http, scheme: basic}", "[{jwt: []}]", `
  /token: {get: {security: [{pw: []}], responses: {'200': {description: ok, content: {application/json: {schema:
      {type: object, properties: {token: {type: string}}}}}}}}}`,
			[]string{
				"endpoint: /token\n      verb: GET\n      basic: {username: \"${SONDE_USERNAME}\", password: \"${SONDE_PASSWORD}\"}",
				"extractSelector: /token,", "!user\n    basic", "!asks for pw",
			},
		},
		{
			"a form and an API key", "key: {type: apiKey, in: header, name: X-Auth-Token}", "[{key: []}]", `
  /login: {post: {security: [], requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object,
      required: [realm, username, password], properties: {realm: {type: string, enum: [main, other]}, username:
      {type: string}, password: {type: string}}}}}},
    responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties:
        {x_auth_token: {type: string}}}}}}}}}`,
			[]string{
				"contentType: application/x-www-form-urlencoded",
				`payloadFields: {username: "${SONDE_USERNAME}", password: "${SONDE_PASSWORD}", realm: main}`,
				`sendName: X-Auth-Token, sendTemplate: "{token}"`, "!apiKey",
			},
		},
		{
			"a session cookie", "sid: {type: apiKey, in: cookie, name: sid}", "[{sid: []}]", `
  /login: {post: {security: [], ` + body +
				`{username: {type: string}, password: {type: string}}}}}}, responses: {'204': {description: ok}}}}`,
			[]string{"expectCookies: true", "!apiKey", "!token:"},
		},
		{
			"OAuth 2 with client credentials", "o: {type: oauth2, flows: {clientCredentials: {tokenUrl: " +
				"'https://id.example/token', scopes: {}}, implicit: {authorizationUrl: " +
				"'https://id.example/a', scopes: {}}}}", "[{o: []}]", "",
			[]string{
				`oauth2: {tokenUrl: "https://id.example/token", clientId: "${SONDE_CLIENT_ID}", clientSecret: "${SONDE_CLIENT_SECRET}"}`,
				"!fixedHeaders",
			},
		},
		{
			"OAuth 2 with a user's password at a relative URL", "o: {type: oauth2, flows: {password: {tokenUrl: token, " +
				"scopes: {}}}}", "[{o: []}]", "",
			[]string{`oauth2: {tokenUrl: /token, username: "${SONDE_USERNAME}", password: "${SONDE_PASSWORD}"}`},
		},
		{
			"alternatives, of which one is chosen", "key: {type: apiKey, in: header, name: X-Key}\n" +
				"    q: {type: apiKey, in: query, name: key}\n" +
				"    jwt: {type: http, scheme: bearer}", "[{key: []}, {q: []}, {jwt: []}]", "",
			[]string{
				`fixedHeaders:`, `{name: Authorization, value: "Bearer ${SONDE_TOKEN}"}`, "!    apiKey:",
				"takes key (apiKey) instead", "takes q (apiKey) instead",
			},
		},
		{
			"two schemes that belong together", "key: {type: apiKey, in: query, name: key}\n" +
				"    jwt: {type: http, scheme: bearer}", "[{key: [], jwt: []}]", "",
			[]string{`value: "Bearer ${SONDE_TOKEN}"`, `apiKey: {in: query, name: key, value: "${SONDE_API_KEY}"}`, "!instead"},
		},
		{
			"an undefined scheme", "", "[{nowhere: []}]", `
  /login: {post: {` + body + `{username: {type: string}, password:
      {type: string}}}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {type: object,
      properties: {token: {type: string}}}}}}}}}`,
			[]string{"endpoint: /login", `sendTemplate: "Bearer {token}"`},
		},
		{
			"a user who is made first", "jwt: {type: http, scheme: bearer}", "[{jwt: []}]", `
  /register: {post: {` + body + `{fullName: {type: string}, email: {type: string, format: email}, password:
      {type: string}}, required: [fullName, email, password]}}}}, responses: {'201': {description: ok}}}}
  /login: {post: {` + body + `{email: {type: string}, password:
      {type: string}}}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {type: object,
      properties: {token: {type: string}}}}}}}}}`,
			[]string{
				"# createUsers:\n    #   endpoint: /register\n    #   verb: POST\n" +
					"    #   payloadFields: {email: \"${SONDE_USERNAME}\", password: \"${SONDE_PASSWORD}\", fullName: " +
					"sonde}",
			},
		},
		{
			"a new password is no log-in", "jwt: {type: http, scheme: bearer}", "[{jwt: []}]", `
  /users/auth: {post: {` + body + `{username: {type: string}, newPassword:
      {type: string}}}}}}, responses: {'200': {description: ok, content: {application/json: {schema: {type: object,
      properties: {token: {type: string}}}}}}}}}`,
			[]string{`value: "Bearer ${SONDE_TOKEN}"`, "!/users/auth"},
		},
		{
			"a log-in that needs unknown input", "jwt: {type: http, scheme: bearer}", "[{jwt: []}]", `
  /login: {post: {` + body + `{username: {type: string}, password: {type: string}, captcha: {type: string}},
      required: [captcha]}}}}, responses: {'200': {description: ok, content: {application/json: {schema:
      {type: object, properties: {token: {type: string}}}}}}}}}`,
			[]string{`value: "Bearer ${SONDE_TOKEN}"`, "!captcha"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := "openapi: 3.0.3\ninfo: {title: Small, version: \"1\"}\ncomponents:\n  securitySchemes:\n    " +
				c.schemes + "\nsecurity: " + c.security +
				"\npaths:\n  /things: {get: {responses: {'200': {description: ok}}}}" + c.paths + "\n"
			file := filepath.Join(t.TempDir(), "spec.yaml")
			if err := os.WriteFile(file, []byte(spec), 0o600); err != nil {
				t.Fatal(err)
			}
			text, read := drafted(t, file)
			if len(read.Users) != 1 {
				t.Errorf("%d users", len(read.Users))
			}
			for _, want := range c.want {
				if not, found := strings.CutPrefix(want, "!"); found == strings.Contains(text, not) {
					t.Errorf("%q in\n%s", want, text)
				}
			}
		})
	}
}

// sonde init finds the log-ins of real specifications.
func TestInitOnRealSpecifications(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "specs", "emb")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no specifications of others in %s", folder)
	}
	for name, want := range map[string][]string{
		"reservations-api.json": {"endpoint: /api/user/login", "extractSelector: /accessToken,", `sendTemplate: "Bearer {token}"`},
		"realworld-app.json":    {"endpoint: /users/login", "extractSelector: /user/token,", `sendTemplate: "Token {token}"`},
		"cyclotron.json":        {"# The spec has POST /users/login, which looks like a log-in", "# auth:"},
		"spacex-api.json":       {"asks for spacexKeyAuth as well", "# auth:"},
		"features-service.json": {"# auth:"},
		"market.json":           {"# auth:"},
		"scout-api.json":        {"# auth:"},
	} {
		t.Run(name, func(t *testing.T) {
			text, read := drafted(t, filepath.Join(folder, name))
			if active := len(read.Users) > 0; active == strings.Contains(text, "# auth:") {
				t.Errorf("users %+v and\n%s", read.Users, text)
			}
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("%q is not in\n%s", w, text)
				}
			}
		})
	}
}
