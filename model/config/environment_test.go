package config_test

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"

	"github.com/google/go-cmp/cmp"
)

// staged is a file with two environments.
const staged = `spec: openapi.yaml
sut: {run: [./shop, "{port}"]}
reset: {restart: true}
headers: {X-Client: sonde, X-Tenant: local}
variables: {tenant: local, zone: eu, host: "${tenant}.${zone}.example.com"}
auth:
  - {name: ann, bearer: "${ANN_TOKEN}"}
  - {name: bob, bearer: "${BOB_TOKEN}"}
environments:
  staging:
    url: https://${host}:${STAGING_PORT}
    headers: {x-tenant: "${tenant}", X-Gate: "${GATE_KEY}"}
    users:
      - {name: bob, bearer: "${STAGING_TOKEN}"}
      - {name: cleo, apiKey: {name: X-Key, value: "${key}"}}
    variables: {tenant: t1, key: "${STAGING_KEY}"}
  local-only:
    variables: {tenant: t2}
  production:
    url: https://api.example.com
    production: true
`

// processEnv has the variables of the process.
func processEnv(name string) (string, bool) {
	values := map[string]string{"STAGING_PORT": "8443", "host": "not this one"}
	text, ok := values[name]
	return text, ok
}

func header(name, value string) model.Credential {
	return model.Credential{In: model.InHeader, Name: name, Value: value}
}

func parsed(t *testing.T, text, environment string) config.Config {
	t.Helper()
	c, err := config.ParseEnvironment([]byte(text), environment, processEnv)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEnvironments(t *testing.T) {
	for _, tt := range []struct {
		name, environment, url string
		starts, resets         bool
		production             bool
		headers                []model.Credential
		users                  []string // each with the value of its credential
		tenant                 string
	}{
		{
			name: "the top level", starts: true, resets: true, tenant: "local",
			headers: []model.Credential{header("X-Client", "sonde"), header("X-Tenant", "local")},
			users:   []string{"ann Bearer ${ANN_TOKEN}", "bob Bearer ${BOB_TOKEN}"},
		},
		{
			name: "the top level by name", environment: config.DefaultEnvironment, starts: true, resets: true, tenant: "local",
			headers: []model.Credential{header("X-Client", "sonde"), header("X-Tenant", "local")},
			users:   []string{"ann Bearer ${ANN_TOKEN}", "bob Bearer ${BOB_TOKEN}"},
		},
		{
			name: "all of its own", environment: "staging", url: "https://t1.eu.example.com:8443", tenant: "t1",
			headers: []model.Credential{header("X-Client", "sonde"), header("x-tenant", "t1"), header("X-Gate", "${GATE_KEY}")},
			users:   []string{"ann Bearer ${ANN_TOKEN}", "bob Bearer ${STAGING_TOKEN}", "cleo ${STAGING_KEY}"},
		},
		{
			name: "without a url", environment: "local-only", starts: true, resets: true, tenant: "t2",
			headers: []model.Credential{header("X-Client", "sonde"), header("X-Tenant", "local")},
			users:   []string{"ann Bearer ${ANN_TOKEN}", "bob Bearer ${BOB_TOKEN}"},
		},
		{
			name: "production", environment: "production", url: "https://api.example.com", production: true, tenant: "local",
			headers: []model.Credential{header("X-Client", "sonde"), header("X-Tenant", "local")},
			users:   []string{"ann Bearer ${ANN_TOKEN}", "bob Bearer ${BOB_TOKEN}"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := parsed(t, staged, tt.environment)
			if c.URL != tt.url || c.StartsService() != tt.starts || (c.Reset != nil) != tt.resets || c.Production != tt.production {
				t.Errorf("got url %q, starts %t, reset %v, production %t", c.URL, c.StartsService(), c.Reset, c.Production)
			}
			if diff := cmp.Diff(tt.headers, c.Headers); diff != "" {
				t.Error(diff)
			}
			var users []string
			for _, u := range c.Users {
				users = append(users, u.Name+" "+u.Sends[0].Value)
			}
			if diff := cmp.Diff(tt.users, users); diff != "" {
				t.Error(diff)
			}
			if got := c.Variables["tenant"]; got != tt.tenant {
				t.Errorf("the tenant is %q, want %q", got, tt.tenant)
			}
		})
	}
}

// A reset by a request is that of each environment, but production is never reset.
func TestEnvironmentReset(t *testing.T) {
	file := "url: http://127.0.0.1:1\nreset: POST /reset\nenvironments:\n  staging: {url: http://127.0.0.1:2}\n" +
		"  live: {url: http://127.0.0.1:3, production: true}\n"
	for environment, want := range map[string]bool{"": true, "staging": true, "live": false} {
		if got := parsed(t, file, environment).Reset != nil; got != want {
			t.Errorf("%q: reset %t, want %t", environment, got, want)
		}
	}
}

func TestEnvironmentList(t *testing.T) {
	want := []config.Environment{
		{Name: "default", Starts: true, Users: []string{"ann", "bob"}},
		{Name: "staging", URL: "https://t1.eu.example.com:8443", Users: []string{"ann", "bob", "cleo"}},
		{Name: "local-only", Starts: true, Users: []string{"ann", "bob"}},
		{Name: "production", URL: "https://api.example.com", Users: []string{"ann", "bob"}, Production: true},
	}
	for _, environment := range []string{"", "staging", "production"} {
		if diff := cmp.Diff(want, parsed(t, staged, environment).Environments); diff != "" {
			t.Errorf("%q: %s", environment, diff)
		}
	}
	if got := parsed(t, "url: http://a", "").Environments; got != nil {
		t.Errorf("a file without environments has %v", got)
	}
}

// A variable of the process environment that only another environment needs may be missing.
func TestOtherEnvironmentLacksVariable(t *testing.T) {
	file := "url: http://127.0.0.1:1\nenvironments:\n  staging: {url: \"https://${MISSING}\"}\n"
	if got := parsed(t, file, "").Environments[1].URL; got != "https://${MISSING}" {
		t.Errorf("got %q", got)
	}
	_, err := config.ParseEnvironment([]byte(file), "staging", processEnv)
	if err == nil || err.Error() != `line 3: MISSING is not set in the environment: "https://${MISSING}" needs it, or under variables` {
		t.Errorf("got %v", err)
	}
}

func TestEnvironmentErrors(t *testing.T) {
	in := func(environment string) string { return "environments:\n  staging:\n    " + environment + "\n" }
	for _, tt := range []struct{ name, file, environment, want string }{
		{"unknown name", staged, "stagin", `there is no environment "stagin": the file has staging, local-only, production`},
		{"no section", "url: http://a", "staging", `there is no environment "staging": the file has no section environments`},
		{"default is taken", "environments: {default: {url: http://a}}", "", "line 1: the environment default is the top level"},
		{"odd name", "environments: {\"a b\": {url: http://a}}", "", `line 1: "a b" is not a name of an environment`},
		{"twice", "environments:\n  a: {url: http://a}\n  a: {url: http://b}\n", "", `line 3: the key "a" is here twice`},
		{"a list", "environments: [a]", "", "line 1: environments takes names with their settings"},
		{"unknown key", in("link: http://a"), "", `line 3: unknown key "link" in environment staging`},
		{"a port", in("url: \"http://127.0.0.1:{port}\""), "", "line 3: url has {port}, and Sonde starts no service of an environment"},
		{"production without url", in("production: true"), "", "line 2: environment staging is production and has no url"},
		{"users twice", in("{users: [], auth: []}"), "", "line 3: users and auth are the same"},
		{"user twice", in("users: [{name: a, bearer: \"${A}\"}, {name: a, bearer: \"${B}\"}]"), "", `line 3: there are two users "a"`},
		{"user without credential", in("users: [{name: a}]"), "", `line 3: user "a" has no credential`},
		{"secret header", in("headers: {X-Auth-Token: abc}"), "", `line 3: "X-Auth-Token" looks like a secret`},
		{"header twice", in("headers: {X-A: b, x-a: c}"), "", "line 3: the header x-a is here twice"},
		{"odd header", in("headers: {\"X A\": b}"), "", `line 3: "X A" is not a name of a header`},
		{"header of the request", in("headers: {Host: b}"), "", "line 3: the header Host follows from the request"},
		{"header with a line break", in("headers: {X-A: \"b\\nc\"}"), "", "line 3: the header X-A has a value that no header can carry"},
		{"empty header", in("headers: {X-A: ~}"), "", "line 3: the header X-A has no value"},
		{"secret variable", in("variables: {apiKey: abc}"), "", `line 3: "apiKey" looks like a secret`},
		{"odd variable", in("variables: {\"a-b\": c}"), "", `line 3: "a-b" is not a name of a variable`},
		{"cycle", in("variables: {a: \"${b}\", b: \"x${c}\", c: \"${a}\"}"), "", "line 3: the variable a refers to itself (a → b → c → a)"},
		{"self", "variables:\n  TENANT: ${TENANT}\n", "", "line 2: the variable TENANT refers to itself (TENANT → TENANT)"},
		{"cycle across levels", "variables: {a: \"${b}\", b: c}\nenvironments:\n  e: {variables: {b: \"${a}\"}}", "", "refers to itself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.ParseEnvironment([]byte(tt.file), tt.environment, processEnv)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// Variables that multiply are refused before they fill the memory.
func TestVariablesThatMultiply(t *testing.T) {
	var file strings.Builder
	file.WriteString("variables:\n  a0: aaaaaaaaaa\n")
	for i := range 9 {
		prefix := "${a" + string(rune('0'+i)) + "}"
		file.WriteString("  a" + string(rune('1'+i)) + ": \"" + strings.Repeat(prefix, 10) + "\"\n")
	}
	_, err := config.Parse([]byte(file.String()), processEnv)
	if err == nil || !strings.Contains(err.Error(), "is longer than 64 KiB") {
		t.Errorf("got %v", err)
	}
	long := "variables: {a: " + strings.Repeat("a", 60_000) + "}\nallow-host: [" + strings.Repeat("\"${a}\", ", 200) + "b]\n"
	_, err = config.Parse([]byte(long), processEnv)
	if err == nil || !strings.Contains(err.Error(), "too large with its variables replaced") {
		t.Errorf("got %v", err)
	}
}

// FuzzEnvironment chooses an environment of an arbitrary file. The result has no variable of the file left in its URL
// and headers, and the file lists the environment.
func FuzzEnvironment(f *testing.F) {
	f.Add([]byte(staged), "staging")
	f.Add([]byte("environments: {a: {url: \"${b}\", variables: {b: \"${c}\", c: \"${b}\"}}}"), "a")
	f.Add([]byte("variables: [a]\nenvironments: ~"), "default")
	f.Fuzz(func(t *testing.T, data []byte, environment string) {
		c, err := config.ParseEnvironment(data, environment, processEnv)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		for _, h := range c.Headers {
			for _, name := range model.SecretNames(h.Value) {
				if _, ok := c.Variables[name]; ok {
					t.Errorf("%s is left in %q", name, h.Value)
				}
			}
		}
		if c.Environment != "" && len(c.Environments) < 2 {
			t.Errorf("%q is not listed: %+v", c.Environment, c.Environments)
		}
		if c.Production && (c.StartsService() || c.Reset != nil) {
			t.Errorf("production would be started or reset: %+v", c)
		}
	})
}
