package config_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/config"
)

func env(name string) (string, bool) {
	value, ok := map[string]string{"HOST": "staging.example", "EMPTY": ""}[name]
	return value, ok
}

func read(t *testing.T, text string) config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text), env)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEverything(t *testing.T) {
	got := read(t, `
spec: api/openapi.yaml
url: https://${HOST}/v1
allow-host: ["${HOST}", other.example]
service:
  command: go run ./cmd --port {port}
  dir: ..
  env: {MODE: test, DB_PASSWORD: "${DB_PASSWORD}"}
  port: 8080
  ready: {path: /health, status: 204, timeout: 1m}
  stop: {signal: int, timeout: 3}
  log: service.log
reset: {method: put, path: /reset, header: {X-Token: "${ADMIN}"}, body: '{"all":true}'}
budget: {calls: 20_000, time: 5m}
seed: 18446744073709551615
rate: 0.5
workers: 2
oracles: [-schema, hang]
security: true
restricted: [{path: /admin/**, method: delete, users: [root, clerk]}]
owners:
  - {path: "/orders/{orderId}", shared: admin}
  - {path: "/carts/{id}"}
values:
  - {value: hook.id, in: "/orgs/{org}/hooks", field: id, kind: Reference, is: organization-hook.id}
timeout: 3
insecure: true
tuning: {smart: 0.95, population: 5}
include: [{path: [/orders, /users/**], method: [get, post]}]
exclude: {tag: admin}
configs: {maxTime: 5m}
schema_version: 0.2.0
`)
	seed := uint64(1<<64 - 1)
	want := config.Config{
		Spec: "api/openapi.yaml", URL: "https://staging.example/v1", Hosts: []string{"staging.example", "other.example"},
		Service: &model.Service{
			Command: []string{"go", "run", "./cmd", "--port", "{port}"}, Dir: "..", Port: 8080, Log: "service.log",
			Env:   map[string]string{"MODE": "test", "DB_PASSWORD": "${DB_PASSWORD}"},
			Ready: model.ReadinessCheck{Path: "/health", Status: 204, Timeout: time.Minute},
			Stop:  model.ShutdownOptions{Signal: "INT", Timeout: 3 * time.Second},
		},
		Reset: &model.Reset{
			Method: "PUT", Path: "/reset", Header: map[string]string{"X-Token": "${ADMIN}"},
			Body: &model.Payload{Media: "application/json", Data: `{"all":true}`},
		},
		Limits: model.Limits{Calls: 20_000, Time: 5 * time.Minute}, Seed: &seed,
		Rate: 0.5, Timeout: 3 * time.Second, Insecure: true, Workers: 2,
		Oracles: []string{"-schema", "hang"}, Security: true,
		Restricted: []config.RestrictedScope{{
			ScopeRule: config.ScopeRule{Paths: []string{"/admin/**"}, Methods: []string{"DELETE"}}, Users: []string{"root", "clerk"},
		}},
		Owners: []model.OwnedResource{{Path: "/orders/{orderId}", Shared: []string{"admin"}}, {Path: "/carts/{id}"}},
		Values: []model.ValueCorrection{
			{Value: "hook.id", In: "/orgs/{org}/hooks", Field: "id", Kind: "reference", Is: "organization-hook.id"},
		},
		Tuning: []model.TuningChange{{Knob: model.KnobSmart, Value: 0.95}, {Knob: model.KnobPopulation, Value: 5}},
		Scope: config.OperationScope{
			Include: []config.ScopeRule{{Paths: []string{"/orders", "/users/**"}, Methods: []string{"GET", "POST"}}},
			Exclude: []config.ScopeRule{{Tags: []string{"admin"}}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if tuned := got.ApplyTuning(model.DefaultTuning()); tuned.Smart != 0.95 || tuned.Population != 5 || tuned.Random != 0.5 {
		t.Errorf("tuned: %+v", tuned)
	}
}

func TestShortForms(t *testing.T) {
	for text, want := range map[string]config.Config{
		"":                                  {},
		"# nothing":                         {},
		"url:":                              {},
		"reset: restart":                    {Reset: &model.Reset{Restart: true}},
		"reset: clean":                      {Reset: &model.Reset{Clean: true}},
		"reset: {clean: true}":              {Reset: &model.Reset{Clean: true}},
		"reset: DELETE /all?x=1":            {Reset: &model.Reset{Method: "DELETE", Path: "/all?x=1"}},
		"reset: {path: /r}":                 {Reset: &model.Reset{Method: "POST", Path: "/r"}},
		"reset: {command: [a, b]}":          {Reset: &model.Reset{Command: []string{"a", "b"}}},
		"service: {command: x, ready: /up}": {Service: &model.Service{Command: []string{"x"}, Ready: model.ReadinessCheck{Path: "/up"}}},
		"sut: {build: ./cmd, sql: true}": {
			Service: &model.Service{Command: []string{model.BinaryPlaceholder}, Build: &model.GoBuild{Package: "./cmd", SQL: true}},
		},
		"sut: {build: ./cmd, panics: true}": {
			Service: &model.Service{Command: []string{model.BinaryPlaceholder}, Build: &model.GoBuild{Package: "./cmd", Panics: true}},
		},
		"sut: {driver: 'http://a'}": {Driver: "http://a"},
		"sut: {driver: 'http://a:{port}', run: d, env: {A: b}}": {
			Driver: "http://a:{port}", Service: &model.Service{Command: []string{"d"}, Env: map[string]string{"A": "b"}},
		},
		`{"url": "http://a", "allow-host": "b"}`:  {URL: "http://a", Hosts: []string{"b"}},
		"budget: &a {calls: 3}\nconfigs: {x: *a}": {Limits: model.Limits{Calls: 3}},
		"budget: {<<: {calls: 3}, time: 1s}":      {Limits: model.Limits{Calls: 3, Time: time.Second}},
	} {
		if got := read(t, text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown key", "url: http://a\nserivce: {}", `line 2: unknown key "serivce" in the file: did you mean "service"?`},
		{"unknown key that is like none", "zzzzzz: 1", `unknown key "zzzzzz" in the file: it takes allow-host, auth`},
		{"spelled otherwise", "allowHost: a", `did you mean "allow-host"?`},
		{
			"unknown key inside", "auth:\n  - name: a\n    fixedHeader: []",
			`line 3: unknown key "fixedHeader" in a user: did you mean "fixedHeaders"?`,
		},
		{"unknown key in the template", "authTemplate:\n  loginEndpointAuth:\n    verbs: GET", `line 3: unknown key "verbs"`},
		{"twice", "url: a\nurl: b", `line 2: the key "url" is here twice`},
		{"no YAML", "url: [", "line "},
		{"no object", "just words", `the file takes the keys allow-host`},
		{"no number", "budget: {calls: many}", `line 1: a whole number from 0 to 2147483647 belongs here, not "many"`},
		{"no share", "tuning: {smart: 60}", `a number from 0 to 1 belongs here, not "60"`},
		{"no owner", "owners: [{path: /orders}]", "path names one resource that belongs to its creator"},
		{"no value", "values: {kind: cursor}", "values: value names the value as sonde groups --why does"},
		{"no correction", "values: {value: a.b}", `say what "a.b" is: a kind (identifier, reference`},
		{"no kind of value", "values: {value: a.b, kind: key}", `one of identifier, reference, cursor, credential, attribute belongs here`},
		{"no beginning of a path", "values: {value: a.b, kind: cursor, in: orgs}", "in is the beginning of a path, such as /orgs/{org}"},
		{"no rate", "rate: -1", `a number of requests a second belongs here, such as 10 or 0.5, not "-1"`},
		{"no finite rate", "rate: .inf", `a number of requests a second belongs here`},
		{"no population", "tuning: {population: 0}", "population is at least 1"},
		{"no time", "budget: {time: soon}", `a time such as 30s or 5m belongs here`},
		{"no such method", "reset: {method: FETCH, path: /}", "one of POST, GET, PATCH, DELETE, PUT belongs here"},
		{"two resets", "reset: {path: /r, restart: true}", "reset takes one of"},
		{"no reset", "reset: later", "reset is restart, clean or a request such as POST /reset"},
		{"a shell", "service: {command: 'a && b'}", "write a list"},
		{"no command", "service: {dir: .}", "service needs a command"},
		{
			"queries of what is not built", "sut: {run: x, sql: true}",
			"line 1: sql watches the queries of a Go service that is built: say build",
		},
		{
			"panics of what is not built", "sut: {run: x, panics: true}",
			"line 1: panics watches operations of a Go service that is built: say build",
		},
		{"two ways to see", "sut: {build: ., driver: 'http://a'}", "line 1: driver and build both measure coverage"},
		{"a driver on no port", "sut: {driver: 'http://a:{port}'}", "line 1: the driver's URL has {port}, and nothing here starts it"},
		{
			"a driver that is there, and started", "sut: {driver: 'http://a', env: {A: b}}",
			"line 1: the keys next to driver are for a driver that Sonde starts",
		},
		{
			"two places", "url: http://a\nsut: {driver: 'http://b'}",
			"url and driver are both there: the driver says where the service is, so leave out url",
		},
		{"two of a driver", "sut: {driver: 'http://b'}\nservice: {driver: 'http://b'}", "line 2: service and sut are the same"},
		{"a rule of nothing", "exclude: [{}]", "a rule names a path, a tag or a method"},
		{"a restriction to nothing", "restricted: [{users: [root]}]", "a rule names a path, a tag or a method"},
		{"a restriction to no user", "restricted: [{path: /admin}]", "users names those who may call the operations"},
		{"a secret that would be kept", "service:\n  command: x\n  env:\n    API_TOKEN: abc", `line 4: "API_TOKEN" looks like a secret`},
		{"not in the environment", "url: http://${NOWHERE}", `NOWHERE is not set in the environment: "http://${NOWHERE}" needs it`},
		{"no name", "auth: [{bearer: x}]", "a user needs a name"},
		{"two of a name", "auth: [{name: a, bearer: x}, {name: a, bearer: y}]", `there are two users "a"`},
		{"no credential", "auth: [{name: a}]", `user "a" has no credential`},
		{"no list", "auth: {name: a}", "auth is a list of users"},
		{"no header", "auth: [{name: a, fixedHeaders: [{name: 'a b', value: x}]}]", `"a b" is not a name of a header`},
		{
			"new users without an endpoint", "auth:\n- name: a\n  bearer: b\n  createUsers: {verb: POST}",
			"line 4: createUsers needs an endpoint such as /users",
		},
		{
			"new users with a token",
			"auth:\n- name: a\n  bearer: b\n  createUsers: {endpoint: /users, token: {}}",
			"line 4: unknown key \"token\"",
		},
		{"nowhere to log in", "auth: [{name: a, loginEndpointAuth: {expectCookies: true}}]", "needs an endpoint such as /login"},
		{"nothing of the log-in", "auth: [{name: a, loginEndpointAuth: {endpoint: /l}}]", "needs a token or expectCookies: true"},
		{
			"half a password",
			"auth: [{name: a, loginEndpointAuth: {endpoint: /l, expectCookies: true, payloadUserPwd: {username: a}}}]",
			"payloadUserPwd needs",
		},
		{
			"no pointer",
			"auth: [{name: a, loginEndpointAuth: {endpoint: /l, token: {extractSelector: a.b, sendName: X}}}]",
			"is not a JSON pointer",
		},
		{
			"no place",
			"auth: [{name: a, loginEndpointAuth: {endpoint: /l, token: {extractSelector: /a, sendName: X, sendTemplate: Bearer}}}]",
			"write {token} in it",
		},
		{"too many aliases", bomb(), "with its aliases expanded"},
		{"too deep", strings.Repeat("[", 2000), ""},
		{"in a circle", "a: &a [*a]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := config.Parse([]byte(tt.text), env)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one line with %q", err, tt.want)
			}
		})
	}
}

// bomb returns a short YAML file whose aliases expand to a very large document.
func bomb() string {
	text := "configs:\n  a0: &a0 [x]\n"
	for i := range 20 {
		text += fmt.Sprintf("  a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	return text
}

func TestScope(t *testing.T) {
	spec := &model.Spec{}
	for _, op := range []model.Operation{
		{Method: "GET", Path: "/orders", Tags: []string{"shop"}},
		{Method: "POST", Path: "/orders", Tags: []string{"shop"}},
		{Method: "GET", Path: "/orders/{id}/items"},
		{Method: "DELETE", Path: "/users/{id}", Tags: []string{"admin"}},
		{Method: "GET", Path: "/a[b"},
	} {
		op.ID = model.OpID(op.Method + " " + op.Path)
		spec.Operations = append(spec.Operations, &op)
	}
	for text, want := range map[string]string{
		"":                                 "GET /orders, POST /orders, GET /orders/{id}/items, DELETE /users/{id}, GET /a[b",
		"include: {path: /orders/**}":      "GET /orders, POST /orders, GET /orders/{id}/items",
		"include: {path: /orders/*/items}": "GET /orders/{id}/items",
		"include: {path: /*}":              "GET /orders, POST /orders, GET /a[b",
		"include: {path: '/a[b'}":          "GET /a[b",
		"include: [{tag: shop, method: get}, {tag: admin}]": "GET /orders, DELETE /users/{id}",
		"exclude: [{method: delete}, {tag: ''}]":            "GET /orders, POST /orders",
		"include: {path: /nothing}":                         "",
	} {
		var got []string
		for _, op := range read(t, text).Scope.Apply(spec).Operations {
			got = append(got, string(op.ID))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, config.FileName)
	if _, err := config.Load(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "sonde init") {
		t.Errorf("no file: got %v", err)
	}
	if err := os.WriteFile(path, []byte("spec: api.yaml\nservice: {command: x}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(path)
	if err != nil || c.Spec != filepath.Join(dir, "api.yaml") || c.Service.Dir != dir {
		t.Errorf("got %+v, %v; want paths that start from %s", c, err, dir)
	}
}
