package export_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
)

// loggedIn is a suite in which users log in in all ways: one test for each user, one of two users
// and an anonymous call, and one whose session is in cookies and is not that of all calls.
func loggedIn(url string) export.Suite {
	in := func(name, value string) model.Credential {
		return model.Credential{In: model.InHeader, Name: name, Value: value}
	}
	gil := model.User{Name: "gil", Login: &model.Login{
		Method: "GET", Path: "/basic", Headers: []model.Credential{{In: model.InHeader, Name: "Authorization", Value: "gil:${GIL_PASSWORD}", Basic: true}},
		Cookies: true, Token: &model.Token{Header: "X-Gil", In: model.InHeader, Name: "X-Gil", Template: "t {token}"},
	}}
	amy := model.User{Name: "amy", Sends: []model.Credential{in("Authorization", "amy:${AMY_PASSWORD}")}, Creates: []model.Login{{
		Method: "POST", Path: "/users", Body: &model.Payload{Media: "application/x-www-form-urlencoded"},
		Fields: []model.Field{{Name: "name", Value: "amy"}, {Name: "pw", Value: "${AMY_PASSWORD}"}},
	}}}
	amy.Sends[0].Basic = true
	s := export.Suite{BaseURL: "http://127.0.0.1:1", Reset: &model.Reset{Method: "POST", Path: "/__reset"}, Users: append(export.Keyholders(url), gil, amy)}
	for _, u := range s.Users {
		call := model.Call{Op: "GET /keys", User: u.Name, Args: []model.Arg{{In: model.InQuery, Name: "a", Value: "1"}}, Status: 200}
		if u.Name == "pat" || u.Name == "gil" {
			call.Args = append(call.Args, model.Arg{In: model.InCookie, Name: "own", Value: "1"})
		}
		s.Tests = append(s.Tests, model.Test{ID: u.Name, Calls: []model.Call{call, call, call}})
	}
	by := func(user string, status int) model.Call {
		return model.Call{Op: "GET /keys", User: user, Status: status}
	}
	s.Tests = append(s.Tests,
		model.Test{ID: "several", Calls: []model.Call{by("ray", 200), by("", 401), by("eve", 200)}},
		model.Test{ID: "mixed", Calls: []model.Call{by("kim", 200), by("", 401)}})
	return s
}

// runs are how suites are run in the formats that log in: with variables of the environment, on the
// service at a URL.
var runs = map[string]func(t *testing.T, dir, url string, env []string) (string, error){
	"curl": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runCurl(t, dir, append(env, "SONDE_BASE_URL="+url))
	},
	"pytest": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runPytest(t, dir, append(env, "SONDE_BASE_URL="+url)...)
	},
	"node": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runNode(t, dir, append(env, "SONDE_BASE_URL="+url)...)
	},
	"k6": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runK6(t, dir, append(env, "SONDE_BASE_URL="+url)...)
	},
	"junit5": func(t *testing.T, dir, url string, env []string) (string, error) {
		return runJava(t, dir, append(env, "SONDE_BASE_URL="+url)...)
	},
	"hurl": func(t *testing.T, dir, url string, env []string) (string, error) {
		args := []string{"--test", "--no-color", "--variable", "base_url=" + url}
		for _, pair := range env {
			args = append(args, "--secret", pair)
		}
		return outcome(t, dir, nil, "hurl", append(args, "sonde.hurl")...)
	},
	"postman": func(t *testing.T, dir, url string, env []string) (string, error) {
		args := []string{"run", "--color", "off", "--env-var", "base_url=" + url}
		for _, pair := range env {
			args = append(args, "--env-var", pair)
		}
		return outcome(t, dir, nil, "newman", append(args, "sonde.postman_collection.json")...)
	},
}

// Suites log their users in, again after each reset, with secrets of the environment alone.
func TestSuitesLogIn(t *testing.T) {
	for name, run := range runs {
		t.Run(name, func(t *testing.T) {
			s := export.Safe(t)
			suite := loggedIn(s.URL)
			dir, made := written(t, name, suite)
			want := len(suite.Tests)
			if name == "hurl" { // it sends cookies with every call
				want--
			}
			if len(made.Tests) != want {
				t.Errorf("got %v, want %d tests: %s", made.Tests, want, strings.Join(made.Lacks, "\n"))
			}
			env := append(slices.Clone(export.Keys), `GIL_PASSWORD=p"w`, "AMY_PASSWORD=p&w")
			for range 2 {
				if output, err := run(t, dir, s.URL, env); err != nil {
					t.Fatalf("%v in\n%s\n%s", err, output, made.Text)
				}
			}
			if output, err := run(t, dir, s.URL, append(env, "EVE_PASSWORD=wrong")); err == nil {
				t.Errorf("it passes with a wrong password:\n%s", output)
			}
		})
	}
}

// Files that cannot log in say what to do instead.
func TestFilesThatCannotLogInSaySo(t *testing.T) {
	for _, f := range format.All {
		made, err := f.Make(loggedIn("http://127.0.0.1:1"))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		said := strings.Contains(strings.Join(made.Lacks, "\n"), "The user eve is not logged in: set SONDE_TOKEN_EVE to what the log-in gives.")
		if want := f.Name == "har" || f.Name == "arazzo"; said != want {
			t.Errorf("%s: says %t that eve is not logged in, want %t: %s", f.Name, said, want, made.Lacks)
		}
	}
}
