package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// typed returns the content of a form with a name and a way to authenticate. change, if not nil, makes further
// changes to the content.
func typed(name string, way model.AuthMethod, change func(*model.UserForm)) model.UserForm {
	t := NewUserForm(nil, nil)
	t.Name, t.Method, t.Secret = name, way, "open barley"
	if change != nil {
		change(&t)
	}
	return t
}

var userForms = []model.UserForm{
	typed("bearer", model.AuthByBearer, nil),
	typed("basic", model.AuthByBasic, func(t *model.UserForm) { t.Username = "ann" }),
	typed("header", model.AuthByHeader, func(t *model.UserForm) { t.Key = "X-Session" }),
	typed("key", model.AuthByKey, func(t *model.UserForm) { t.In, t.Key = model.InQuery, "api_key" }),
	typed("cookie", model.AuthByKey, func(t *model.UserForm) { t.In, t.Key = model.InCookie, "sid" }),
	typed("json", model.AuthByLogin, func(t *model.UserForm) { t.Username = "ann" }),
	typed("form", model.AuthByLogin, func(t *model.UserForm) {
		t.Username, t.Form, t.LoginPath, t.Token = "ann", true, "/auth/login", "X-Token"
	}),
	typed("grant", model.AuthByLogin, func(t *model.UserForm) {
		t.Username, t.Form, t.LoginPath, t.Token = "ann", true, "/token", "/access_token"
		t.Constants = []model.LoginField{{Name: "grant_type", Value: "password"}}
	}),
	typed("cookies", model.AuthByLogin, func(t *model.UserForm) { t.Username, t.Token = "ann", model.CookiesToken }),
	typed("elsewhere", model.AuthByLogin, func(t *model.UserForm) { t.Username, t.LoginPath = "ann", "http://127.0.0.1:9/token" }),
}

// A user from a form has no literal secret. InsertUser writes this user into a file and keeps all users of the file.
func TestTypedUsersAreWritten(t *testing.T) {
	files := map[string]string{
		"empty":    "",
		"no users": "# mine\nurl: http://127.0.0.1:8080  # here\n\nseed: 7",
		"users": "url: http://127.0.0.1:8080\nauth:  # who calls\n  # the first\n  - name: joe\n    bearer: ${PATH}\n\n" +
			"# how long\nbudget: {calls: 100}\n",
		"not indented":  "auth:\n- name: joe\n  bearer: ${PATH}\nseed: 7\n",
		"far indented":  "auth:\n    - name: joe\n      bearer: ${PATH}\n# end",
		"with returns":  "url: http://127.0.0.1:8080\r\nauth:\r\n  - name: joe\r\n    bearer: ${PATH}\r\nseed: 7\r\n",
		"auth is empty": "auth:\n# no users yet\nseed: 7\n",
	}
	for name, file := range files {
		for _, form := range userForms {
			t.Run(name+"/"+form.Name, func(t *testing.T) {
				u, err := UserFromForm(form, nil, os.Environ())
				if err != nil {
					t.Fatal(err)
				}
				if text := fmt.Sprint(u.SecretTexts()); strings.Contains(text, "barley") || len(u.Secrets) != 1 {
					t.Errorf("texts %s with %d secrets", text, len(u.Secrets))
				}
				out, err := InsertUser([]byte(file), u)
				if err != nil {
					t.Fatal(err)
				}
				c, err := Parse(out, os.LookupEnv)
				if err != nil {
					t.Fatalf("%v in\n%s", err, out)
				}
				got := c.Users[len(c.Users)-1]
				want := u
				want.Secrets, got.Secrets = nil, nil
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s\nin\n%s", d, out)
				}
				rest := string(out)
				for line := range strings.Lines(file) {
					_, after, ok := strings.Cut(rest, strings.TrimRight(line, "\n"))
					if !ok {
						t.Fatalf("%q is gone or moved in\n%s", line, out)
					}
					rest = after
				}
				if _, err := InsertUser(out, u); err == nil {
					t.Error("a user is written twice")
				}
			})
		}
	}
}

func TestUsersThatCannotBeWritten(t *testing.T) {
	u, err := UserFromForm(typed("ann", model.AuthByBearer, nil), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"auth: [{name: joe, bearer: \"${PATH}\"}]\n": "its auth is written in one line",
		"auth: nonsense\n":                           "auth",
		"url: [\n":                                   "",
	} {
		if out, err := InsertUser([]byte(file), u); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q; text %s", file, err, want, out)
		}
	}
}

func TestTypedByMistake(t *testing.T) {
	others := []model.User{{Name: "joe"}}
	for want, form := range map[string]model.UserForm{
		"needs a name":                typed(" ", model.AuthByBearer, nil),
		`a user "joe" already`:        typed("joe", model.AuthByBearer, nil),
		"the token is empty":          typed("ann", model.AuthByBearer, func(t *model.UserForm) { t.Secret = " " }),
		"control character":           typed("ann", model.AuthByBearer, func(t *model.UserForm) { t.Secret = "a\nb" }),
		"NOT_THERE is not set":        typed("ann", model.AuthByBearer, func(t *model.UserForm) { t.Secret = "${NOT_THERE}" }),
		"header needs a name":         typed("ann", model.AuthByHeader, func(t *model.UserForm) { t.Key = "a b" }),
		"is not a name of an API key": typed("ann", model.AuthByKey, func(t *model.UserForm) { t.Key = "a b" }),
		"does not begin with a slash": typed("ann", model.AuthByLogin, func(t *model.UserForm) { t.LoginPath, t.Username = "login", "a" }),
		"needs a user name":           typed("ann", model.AuthByLogin, nil),
		"with {token} in it":          typed("ann", model.AuthByLogin, func(t *model.UserForm) { t.Send, t.Username = "Bearer", "a" }),
		"a JSON pointer":              typed("ann", model.AuthByLogin, func(t *model.UserForm) { t.Token, t.Username = "a b", "a" }),
	} {
		u, err := UserFromForm(form, others, nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "barley") {
			t.Errorf("%s: error %v, user %+v", want, err, u)
		}
	}
}

// The form of a service with the password flow of OAuth 2 has the request of that flow.
func TestUserFormOfOAuth2(t *testing.T) {
	spec := &model.Spec{SecuritySchemes: []model.SecurityScheme{{Name: "o", Kind: "oauth2", Flow: "password", TokenURL: "token"}}}
	spec.Operations = []*model.Operation{{
		ID: "GET /me", Method: "GET", Path: "/me", Secured: true, Schemes: []string{"o"}, Alternatives: [][]string{{"o"}},
	}}
	form := NewUserForm(spec, nil)
	if form.Method != model.AuthByLogin || form.LoginPath != "/token" || !form.Form || form.Token != "/access_token" ||
		form.UsernameField != "username" || form.PasswordField != "password" {
		t.Fatalf("got %+v", form)
	}
	form.Username, form.Secret = "ann", "open barley"
	u, err := UserFromForm(form, nil, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"grant_type", "username", "password"}, fieldNames(u.Login.Fields)); d != "" {
		t.Error(d)
	}
}

func fieldNames(all []model.LoginField) (names []string) {
	for _, f := range all {
		names = append(names, f.Name)
	}
	return names
}
