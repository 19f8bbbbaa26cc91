package format_test

import (
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
)

// members returns a suite whose users log in in different ways: ann gets a token, bob is created first, and
// eve gets cookies at another host. The third test logs ann out.
func members() export.Suite {
	ann := model.User{Name: "ann", Login: &model.Login{
		Method: "POST", Path: "/login", Body: &model.Payload{Media: "application/json"},
		Fields: []model.LoginField{{Name: "password", Value: "${ANN_PASSWORD}"}},
		Token:  &model.LoginToken{Pointer: "/token", In: model.InHeader, Name: "X-Token", Template: "{token}"},
	}}
	bob := model.User{Name: "bob", Creates: []model.Login{{
		Method: "POST", Path: "/users", Body: &model.Payload{Media: "application/json"},
		Fields: []model.LoginField{{Name: "name", Value: "bob"}},
	}}}
	bob.Sends = []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "bob:${BOB_PASSWORD}", Basic: true}}
	eve := model.User{Name: "eve", Login: &model.Login{Method: "GET", URL: "https://login.example/in?as=eve", Cookies: true}}
	by := func(user string) model.Call { return model.Call{Op: "GET /keys", User: user, Status: 200} }
	return export.Suite{
		Title: "Keys", BaseURL: "http://127.0.0.1:8080", Users: []model.User{ann, bob, eve},
		Tests: []model.Test{
			{ID: "t1", Calls: []model.Call{by("ann"), by("ann")}},
			{ID: "t2", Calls: []model.Call{by("bob")}},
			{ID: "t3", Calls: []model.Call{by("ann"), {Op: "POST /logout", User: "ann", Status: 204}}},
			{ID: "t4", Calls: []model.Call{by("eve")}},
		},
	}
}

// files returns the texts of all files of a suite in a format.
func files(t *testing.T, name string, s export.Suite) string {
	t.Helper()
	made, err := named(t, name).Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, f := range made.Files {
		text += string(f.Text)
	}
	return text
}

// Users are created, log in at the service or at another host, and send the result of their log-in: a
// token, a password or cookies. The log-in appears in the files as often as the format needs it: once if
// tests share it, and again after a test that ends the session.
func TestFormatsLogIn(t *testing.T) {
	for name, c := range map[string]struct {
		login  string // the log-in of ann
		logins int
		wants  []string
	}{
		"go-table": {`path: "/login"`, 2, []string{
			`{name: "annToken", pointer: "/token", header: ""}`, `header: []string{"X-Token: ${annToken.text}"}`,
			`basic:  "bob:${env BOB_PASSWORD.text}"`, `statuses: []string{"200-299", "409"}`,
			`path: "https://login.example/in?as=eve"`, `kind: "cookies"}`, `header: []string{"Cookie: ${eveCookies.text}"}`,
		}},
		"hurl": {"POST {{base_url}}/login", 2, []string{
			"# @cookie_storage_clear\nPOST {{base_url}}/login", `ann_token: jsonpath "$.token"`, "X-Token: {{ann_token}}",
			"[BasicAuth]\nbob: {{BOB_PASSWORD}}", `status toString matches "^([2-2][0-9][0-9]|409)$"`,
			"\nGET https://login.example/in?as=eve", `--secret ANN_PASSWORD="$ANN_PASSWORD"`,
		}},
		"pytest": {`"/login"`, 1, []string{
			"import reset, send, apart, user", `send("GET", "/keys", user("ann"))`, "    apart()\n",
			"def open_ann():", `ann_token = reply.field("/token")`, `return [header("X-Token", ann_token.text())]`,
			`made("bob", send("POST", "/users"`, `return [basic("bob:" + secret("BOB_PASSWORD").text())]`,
			`send("GET", "https://login.example/in?as=eve")`, "return [cookie(eve_cookies.text())]", "    begin(False)\n",
		}},
		"node": {`"/login"`, 1, []string{
			"import { reset, send, apart, user }", `await send("GET", "/keys", user("ann"))`, "  apart();\n",
			`users.set("ann", async () => {`, `const annToken = reply.field("/token");`, `return [header("X-Token", annToken.text())];`,
			`made("bob", await send("POST", "/users"`, `await send("GET", "https://login.example/in?as=eve")`,
			"return [cookie(eveCookies.text())];", "  begin(false);\n", "apart, user, refusedUser };",
		}},
		"k6": {`"/login"`, 1, []string{
			`users.set("ann", () => {`, `made("bob", send("POST", "/users"`, "return [cookie(eveCookies.text())];", "  begin(false);\n",
		}},
		"junit5": {`"/login"`, 1, []string{
			`USERS.put("ann", () -> {`, `Value annToken = reply.field("/token");`, `return List.of(header("X-Token", annToken.text()));`,
			`made("bob", send("POST", "/users"`, "return List.of(cookie(eveCookies.text()));", "        begin(false);\n",
		}},
		"curl": {"send POST /login", 1, []string{
			"\tsession ann\n", `send GET /keys -H 'X-Token: '"$(text "$ann_token")"`, "\tapart\n",
			"open_ann() {", `: "${ANN_PASSWORD:?no secret to send`, `keep ann_token "$(field /token)" || exit 1`,
			"\tmade bob\n", `send GET /keys -u bob:"$BOB_PASSWORD"`,
			"send GET 'https://login.example/in?as=eve'", `keep eve_cookies "$(cookies)" || exit 1`,
		}},
		"postman": {"{{base_url}}/login", 3, []string{
			`"name": "LogIn"`, `pm.collectionVariables.set(\"ann_token\", text(at(\"/token\")));`, `"value": "{{ann_token}}"`,
			`pm.variables.set(\"ANN_PASSWORD_json\", JSON.stringify(pm.variables.get(\"ANN_PASSWORD\")));`,
			`"url": "https://login.example/in?as=eve"`, `"status 200-299 or 409\"`, `"status 200-299 or 400-499\"`,
		}},
		"http": {"{{base_url}}/login", 3, []string{
			"### LogIn: 1. ", `client.global.set("ann_token", text(at("/token")));`, "X-Token: {{ann_token}}",
			`request.variables.set("ANN_PASSWORD_json", JSON.stringify(request.variables.get("ANN_PASSWORD")));`,
			"GET https://login.example/in?as=eve", `"status 200-299 or 409"`, `"status 200-299 or 400-499"`,
		}},
		"har": {`"url": "http://127.0.0.1:8080/login"`, 1, []string{
			`"title": "LogIn"`, `"url": "https://login.example/in?as=eve"`, `the masked value is /token in the answer to the log-in`,
			`the masked value is the cookies in the answer to the log-in`, `"value": "Basic ***"`,
		}},
		"arazzo": {"~1login/post", 2, []string{
			`"password": "$inputs.ANN_PASSWORD"`, `"annToken": "$response.body#/token"`, `"value": "$steps.call1.outputs.annToken"`,
			`"name": "Cookie",`, `"value": "$inputs.SONDE_COOKIES_EVE"`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			text := files(t, name, members())
			if got := strings.Count(text, c.login); got != c.logins {
				t.Errorf("%q is %d times in the files, want %d", c.login, got, c.logins)
			}
			for _, want := range c.wants {
				if !strings.Contains(text, want) {
					t.Errorf("no %s in\n%s", want, text)
				}
			}
		})
	}
}

// A session is not shared if a reset may end it, or if Hurl would send its cookies with every call.
func TestSharedLogIns(t *testing.T) {
	withToken, withReset := members(), members()
	withToken.Users, withToken.Tests = withToken.Users[:2], withToken.Tests[:3]
	withReset.Reset = &model.Reset{Method: "POST", Path: "/reset"}
	for name, c := range map[string]struct {
		format, login string
		suite         export.Suite
		want          int
	}{
		"Postman with a reset":    {"postman", "{{base_url}}/login", withReset, 2},
		"Postman without":         {"postman", "{{base_url}}/login", members(), 3},
		"Hurl with cookies":       {"hurl", "POST {{base_url}}/login", members(), 2},
		"Hurl with a token alone": {"hurl", "POST {{base_url}}/login", withToken, 2},
		"a script with a reset":   {"curl", "send POST /login", withReset, 1},
	} {
		if got := strings.Count(files(t, c.format, c.suite), c.login); got != c.want {
			t.Errorf("%s: %d log-ins in the file, want %d", name, got, c.want)
		}
	}
	text := files(t, "hurl", withToken)
	first, again := strings.Index(text, "POST {{base_url}}/login"), strings.LastIndex(text, "POST {{base_url}}/login")
	out := strings.Index(text, "# sonde:begin ListKeysThenLogout_204")
	if end := strings.Index(text, "# sonde:end head"); first > end || again < out {
		t.Errorf("want the log-in in the head, and again for the test that logs out, in\n%s", text)
	}
}

// Helpers perform the configured reset and then open sessions again that the reset may have ended.
func TestHelpersReset(t *testing.T) {
	s := members()
	for name, want := range map[string]string{
		"curl": "# none is configured", "pytest": `"""No reset is configured."""`,
	} {
		if text := files(t, name, s); !strings.Contains(text, want) {
			t.Errorf("%s without a reset: no %s in\n%s", name, want, text)
		}
	}
	s.Reset = &model.Reset{Method: "POST", Path: "/reset"}
	for name, want := range map[string]string{
		"curl":   "reset() {\n\tsend POST /reset\n\tsucceeds\n\trm -f \"$answer\"/session_*",
		"pytest": "    send(\"POST\", \"/reset\").succeeds()\n    begin(True)\n",
		"node":   "  (await send(\"POST\", \"/reset\")).succeeds();\n  begin(true);\n",
		"k6":     "  send(\"POST\", \"/reset\").succeeds();\n  begin(true);\n",
		"junit5": "        send(\"POST\", \"/reset\").succeeds();\n        begin(true);\n",
	} {
		if text := files(t, name, s); !strings.Contains(text, want) {
			t.Errorf("%s: no %s in\n%s", name, want, text)
		}
	}
}
