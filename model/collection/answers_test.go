package collection

import (
	"strings"
	"testing"
	"testing/fstest"
)

// A variable that a script of Postman sets to a value of the answer becomes a reference to the answer. Other scripts are
// left out.
func TestPostmanAnswers(t *testing.T) {
	const file = `{"info": {"name": "x", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": [
	{"name": "Login", "request": {"method": "POST", "url": "http://h/login"}, "event": [{"listen": "test", "script": {"exec": SCRIPT}}]},
	{"name": "Me", "request": {"url": "http://h/me/{{id}}", "header": [{"key": "Authorization", "value": "Bearer {{token}}"}]}}]}`
	const to, none = "Bearer {{request1.response.body.$", "Bearer {{token}}"
	for script, want := range map[string]struct {
		header string
		left   int
	}{
		`["pm.environment.set('token', pm.response.json().data.access_token)"]`:                {to + ".data.access_token}}", 0},
		`["// log in", "const j = pm.response.json();", "pm.globals.set(\"token\", j[0].t);"]`: {to + "[0].t}}", 0},
		`"var d = JSON.parse(responseBody); postman.setEnvironmentVariable('token', d.t);"`:    {to + ".t}}", 0},
		`["pm.environment.set('token', pm.response.json().t); pm.test('x', () => {})"]`:        {to + ".t}}", 1},
		`["pm.environment.set('token', other.t)"]`:                                             {none, 1},
		`["pm.environment.set('token', pm.response.headers.get('T'))"]`:                        {none, 1},
	} {
		c, err := ParsePostman([]byte(strings.Replace(file, "SCRIPT", script, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Requests[1].Header("Authorization"); got != want.header || len(c.Omissions) != want.left {
			t.Errorf("%s: got %q with %d omissions", script, got, len(c.Omissions))
		}
		if c.Requests[1].URL != "http://h/me/{{id}}" {
			t.Errorf("%s: got %s", script, c.Requests[1].URL)
		}
	}
}

// The same holds for the variables that Bruno takes from an answer.
func TestBrunoAnswers(t *testing.T) {
	c, err := ReadBruno(fstest.MapFS{
		"bruno.json": {Data: []byte(`{"version": "1", "name": "x", "type": "collection"}`)},
		"a.bru": {Data: []byte("meta {\n  name: A\n  seq: 1\n}\npost {\n  url: http://h/a\n}\n" +
			"vars:post-response {\n  id: res.body.items[0].id\n  n: res.status\n}\n")},
		"b.bru": {Data: []byte("meta {\n  name: B\n  seq: 2\n}\nget {\n  url: http://h/a/{{id}}/{{n}}\n}\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Requests[1].URL; got != "http://h/a/{{request1.response.body.$.items[0].id}}/{{n}}" || len(c.Omissions) != 1 {
		t.Errorf("got %q with %+v", got, c.Omissions)
	}
}
