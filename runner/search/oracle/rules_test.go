package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// api returns a small API that declares all of its answers.
func api() model.Plan {
	text := &model.Schema{Type: "string"}
	thing := &model.Schema{Name: "Thing", Type: "object", Properties: []model.Property{{Name: "name", Required: true, Schema: text}}}
	asJSON := []model.Content{{Media: "application/json", Schema: thing}}
	id := []model.Parameter{{Name: "id", In: model.InPath, Required: true, Schema: text}}
	op := func(method, path string, secured bool, responses ...model.Response) *model.Operation {
		o := &model.Operation{ID: model.OpID(method + " " + path), Method: method, Path: path, Secured: secured, Responses: responses}
		if strings.Contains(path, "{id}") {
			o.Params = id
		}
		if secured {
			o.Schemes = []string{"key"}
		}
		return o
	}
	lacks := op("GET", "/lacks", true, model.Response{Status: "200"})
	lacks.Schemes = []string{"key", "none"}
	return model.Plan{
		Spec: &model.Spec{
			SecuritySchemes: []model.SecurityScheme{{Name: "key", Kind: "apiKey", In: model.InQuery, Key: "api_key"}},
			Operations: []*model.Operation{
				op("POST", "/things", false, model.Response{Status: "201", Contents: asJSON}, model.Response{Status: "4XX"}),
				op(
					"GET", "/things/{id}", false, model.Response{Status: "200", Contents: asJSON},
					model.Response{Status: "404"}, model.Response{Status: "503"},
				),
				op("PUT", "/things/{id}", false, model.Response{Status: "default"}),
				op("DELETE", "/things/{id}", false, model.Response{Status: "204"}, model.Response{Status: "202"}),
				op("GET", "/secrets", true, model.Response{Status: "200"}, model.Response{Status: "401"}),
				op("GET", "/healthz", true, model.Response{Status: "200"}),
				lacks,
				op("POST", "/login", true, model.Response{Status: "200"}),
				op("POST", "/log", false, model.Response{Status: "201"}),
				op("GET", "/limits", false, model.Response{Status: "5XX", Contents: asJSON}, model.Response{Status: "default"}),
			},
		},
		Owners: []model.OwnedResource{{Path: "/things/{thing}", Shared: []string{"root"}}},
	}
}

const (
	post, get, put, del = "POST /things", "GET /things/{id}", "PUT /things/{id}", "DELETE /things/{id}"
	tent, boot          = `{"name":"tent"}`, `{"name":"boot"}`
)

var (
	made         = step{op: post, user: "ann", url: "/things", status: 201, location: "/things/1", answer: tent}
	read         = step{op: get, user: "ann", url: "/things/1", status: 200, answer: tent}
	deletedWords = step{op: del, user: "ann", url: "/things/1", status: 204}
)

func TestFindings(t *testing.T) {
	status := func(s step, status int, answer string) step {
		s.status, s.answer = status, answer
		return s
	}
	asRoot := func(s *step) { s.user = "root" }
	is := func(answer string) step { return with(read, func(s *step) { s.answer = answer }) }
	declared := step{op: "GET /limits", user: "ann", url: "/limits"}
	refused := step{op: put, user: "ann", url: "/things/1", body: boot, status: 403}
	for _, c := range []struct {
		name  string
		calls []step
		want  string // the violated oracles with their calls
	}{
		{"all is well", []step{made, read, deletedWords}, ""},
		{"a 500", []step{status(read, 500, `{"error":"oops"}`)}, "server-error 0"},
		{"a 503 that is declared", []step{status(read, 503, "")}, ""},
		{"a 503 that is not", []step{status(made, 503, "")}, "server-error 0"},
		{"a 500 by default", []step{status(refused, 500, "")}, "server-error 0"},
		{"a 500 that is declared", []step{status(declared, 500, `{"name":"x"}`)}, "declared-server-error 0"},
		{"a 504 of a declared class", []step{status(declared, 504, `{"name":"x"}`)}, ""},
		{"a declared 500 with another schema", []step{status(declared, 500, `{"name":7}`)}, "declared-server-error 0 schema 0"},
		{"a declared 503 with another schema", []step{status(declared, 503, `{"name":7}`)}, "schema 0"},
		{
			"a declared 500 with a stack trace",
			[]step{status(declared, 500, `{"name":"goroutine 7 [running]:"}`)},
			"stack-trace 0 declared-server-error 0",
		},
		{"a 503 that asks for fewer calls", []step{with(status(made, 503, ""), func(s *step) { s.retryAfter = "3" })}, ""},
		{"a 501", []step{status(read, 501, "")}, "server-error 0"},
		{"a 501 to a path that no operation has", []step{with(status(read, 501, ""), func(s *step) { s.url = "/things/" })}, ""},
		{"a status that is not declared", []step{status(read, 409, `{}`)}, "undeclared-status 0"},
		{"a status of a class", []step{status(made, 409, `{}`)}, ""},
		{"a status by default", []step{status(refused, 418, "")}, ""},
		{"too many requests", []step{status(read, 429, "")}, ""},
		{"a request that reaches another operation", []step{with(status(read, 405, ""), func(s *step) { s.url = "/things/" })}, ""},
		{"one with an escaped slash", []step{with(status(read, 301, ""), func(s *step) { s.url = "/things/a%2Fb" })}, ""},
		{"another content type", []step{with(read, func(s *step) { s.media = "text/html" })}, "undeclared-content-type 0"},
		{"no JSON", []step{with(read, func(s *step) { s.answer = "<html>" })}, "schema 0"},
		{"nothing", []step{with(read, func(s *step) { s.answer = "" })}, "schema 0"},
		{"another schema", []step{with(read, func(s *step) { s.answer = `{"name":7}` })}, "schema 0"},
		{
			"neither Location nor id",
			[]step{with(made, func(s *step) { s.location, s.answer = "", `{"name":"tent","ok":true}` }), status(made, 201, `{"ok":1}`)},
			"schema 1",
		},
		{"no way to find it", []step{{op: post, url: "/things", status: 201}}, "creation-without-location 0 schema 0"},
		{"an id in the answer", []step{{op: post, url: "/things", status: 201, answer: `{"name":"x","id":3}`}}, ""},
		{"an id that the client chose", []step{{op: post, url: "/things", status: 201, body: `{"id":3}`, answer: `{"name":"x"}`}}, ""},
		{"a creation without elements", []step{{op: "POST /log", url: "/log", status: 201}}, ""},
		{"a Location that is none", []step{with(made, func(s *step) { s.location = "/things/{id}" })}, "location-not-a-uri 0"},
		{"a Location with a blank", []step{with(made, func(s *step) { s.location = "/things/a b" })}, "location-not-a-uri 0"},
		{"a relative Location", []step{with(made, func(s *step) { s.location = "1" })}, ""},
		{"read after it was deleted", []step{made, read, deletedWords, read}, "readable-after-delete 3"},
		{"no read before the deletion", []step{made, deletedWords, read}, ""},
		{"another is read", []step{made, read, deletedWords, with(read, func(s *step) { s.url = "/things/2" })}, ""},
		{
			"made again",
			[]step{
				made, read, deletedWords,
				{op: put, user: "ann", url: "/things/1", status: 201, answer: tent, location: "/things/1"},
				read,
			},
			"",
		},
		{"to be deleted later", []step{made, read, status(deletedWords, 202, ""), read}, ""},
		{
			"to be deleted later, as it says",
			[]step{made, read, status(deletedWords, 200, `{"state":"scheduled"}`), read},
			"undeclared-status 2",
		},
		{"nothing was deleted", []step{made, read, status(deletedWords, 200, `{"deleted": 0}`), read}, "undeclared-status 2"},
		{"deleted by another user", []step{made, read, with(deletedWords, func(s *step) { s.user = "root" }), read}, ""},
		{"read by another user", []step{with(made, asRoot), with(read, asRoot), with(deletedWords, asRoot), read}, ""},
		{"of before the test", []step{{op: "GET /limits", user: "ann", url: "/limits", status: 200}, read, deletedWords, read}, ""},
		{"deleted twice", []step{made, deletedWords, read, deletedWords, read}, ""},
		{
			"marked as deleted",
			[]step{made, read, deletedWords, with(read, func(s *step) { s.answer = `{"name":"tent","deletedAt":"now"}` })},
			"",
		},
		{
			"marked by a time",
			[]step{made, is(`{"name":"tent","endedAt":null}`), deletedWords, is(`{"name":"tent","endedAt":"2026-05-31T10:00:00Z"}`)},
			"",
		},
		{"marked in another way", []step{made, is(`{"name":"tent","open":true}`), deletedWords, is(`{"name":"tent","open":false}`)}, ""},
		{
			"marked before",
			[]step{made, is(`{"name":"tent","state":"archived"}`), deletedWords, is(`{"name":"tent","state":"archived"}`)},
			"",
		},
		{
			"a time of its own",
			[]step{
				made, is(`{"name":"tent","updatedAt":"a","deletedAt":null}`), deletedWords,
				is(`{"name":"tent","updatedAt":"b","deletedAt":null}`),
			},
			"readable-after-delete 3",
		},
		{
			"a counter of its own",
			[]step{made, is(`{"name":"tent","n":1}`), is(`{"name":"tent","n":2}`), deletedWords, is(`{"name":"tent","n":3}`)},
			"readable-after-delete 4",
		},
		{
			"a deletion that failed",
			[]step{made, read, with(status(deletedWords, 202, ""), func(s *step) { s.url = "/things/1?dry=1" }), read},
			"",
		},
		{"refused and done", []step{made, read, refused, with(read, func(s *step) { s.answer = boot })}, "write-refused-but-applied 3"},
		{"refused and not done", []step{made, read, refused, read}, ""},
		{
			"refused, and it was so before",
			[]step{
				made, with(read, func(s *step) { s.answer = `{"name":"boot","n":1}` }), refused,
				with(read, func(s *step) { s.answer = `{"name":"boot","n":2}` }),
			},
			"",
		},
		{"refused, then allowed", []step{made, read, refused, status(refused, 200, ""), with(read, func(s *step) { s.answer = boot })}, ""},
		{
			"refused, and a time of its own",
			[]step{
				made, is(`{"name":"tent","updated_at":"a"}`),
				with(refused, func(s *step) { s.body = `{"updated_at":"b"}` }),
				is(`{"name":"tent","updated_at":"b"}`),
			},
			"",
		},
		{"refused, and seen by another user", []step{made, read, refused, with(is(boot), asRoot)}, ""},
		{
			"another user deletes it",
			[]step{made, read, with(deletedWords, func(s *step) { s.user = "bob" }), status(read, 404, `{}`)},
			"other-users-resource 3",
		},
		{"another user seems to delete it", []step{made, read, with(deletedWords, func(s *step) { s.user = "bob" }), read}, ""},
		{"deleted, and not read again", []step{made, with(deletedWords, func(s *step) { s.user = "bob" })}, ""},
		{
			"another user's, without data",
			[]step{
				with(made, func(s *step) { s.answer = "" }),
				with(status(read, 200, `{"items":[],"total":0}`), func(s *step) { s.user = "bob" }),
			},
			"schema 0 schema 1",
		},
		{"another user's", []step{made, with(read, func(s *step) { s.user = "bob" })}, "other-users-resource 1"},
		{"an anonymous caller reads it", []step{made, with(read, func(s *step) { s.user = "" })}, "other-users-resource 1"},
		{"an admin reads it", []step{made, with(read, func(s *step) { s.user = "root" })}, ""},
		{"an admin made it", []step{with(made, func(s *step) { s.user = "root" }), with(read, func(s *step) { s.user = "bob" })}, ""},
		{"another user is refused", []step{made, with(status(read, 404, ""), func(s *step) { s.user = "bob" })}, ""},
		{"a secret for an anonymous caller", []step{{op: "GET /secrets", url: "/secrets", status: 200}}, "auth-ignored 0"},
		{"a secret for a user", []step{{op: "GET /secrets", url: "/secrets", status: 200, user: "ann"}}, ""},
		{"a secret for a key", []step{{op: "GET /secrets", url: "/secrets?api_key=x", status: 200}}, ""},
		{
			"a secret for an anonymous caller, refused by the message",
			[]step{{op: "GET /secrets", url: "/secrets", status: 200, answer: `{"message":"Not authorized"}`}},
			"",
		},
		{
			"a secret for an anonymous caller, refused by an error",
			[]step{{op: "GET /secrets", url: "/secrets", status: 200, answer: `{"error":"no token"}`}},
			"",
		},
		{"a page to log in", []step{{op: "GET /secrets", url: "/secrets", status: 200, answer: `<form>`, media: "text/html"}}, ""},
		{"health, which all may ask for", []step{{op: "GET /healthz", url: "/healthz", status: 200}}, ""},
		{"a scheme that the spec lacks", []step{{op: "GET /lacks", url: "/lacks", status: 200}}, ""},
		{"the door", []step{{op: "POST /login", url: "/login", status: 200}}, ""},
		{"a text about a stack trace", []step{is(`{"name":"goroutine 7 [running]:"}`)}, ""},
		{"a stack trace with a 2xx", []step{is(`{"name":"x","stack":"goroutine 7 [running]:"}`)}, "stack-trace 0"},
		{
			"a stack trace that the client sent before",
			[]step{
				{op: put, user: "ann", url: "/things/1", status: 200, body: `{"name":"goroutine 7 [running]:"}`},
				status(refused, 403, `{"name":"goroutine 7 [running]:"}`),
			},
			"",
		},
		{"a stack trace", []step{status(made, 400, `{"error":"goroutine 7 [running]:\nmain.go"}`)}, "stack-trace 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range findingsOf(t, api(), c.calls...) {
				got = append(got, fmt.Sprintf("%s %d", f.Oracle, f.Call))
				if f.Expected == "" || f.Signature == "" {
					t.Errorf("%+v says too little", f)
				}
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}

// Each oracle can be disabled separately.
func TestSwitch(t *testing.T) {
	p := api()
	bad := with(read, func(s *step) { s.status, s.answer = 500, "" })
	for turns, want := range map[string]int{"": 1, "-server-error": 0, "-all": 0, "-all server-error": 1, "-schema": 1} {
		p.Oracles = strings.Fields(turns)
		if got := findingsOf(t, p, bad); len(got) != want {
			t.Errorf("%q: %+v, want %d", turns, got, want)
		}
	}
	if _, err := oracle.ParseSwitches([]string{"-nonsense"}); err == nil || !strings.Contains(err.Error(), `"nonsense"`) {
		t.Errorf("error %v", err)
	}
	var names []string
	for _, o := range oracle.AllOracles() {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != 38 {
		t.Errorf("oracles %q", names)
	}
}

func TestStackTraces(t *testing.T) {
	j := func(answer string) (languages []string) {
		for _, f := range findingsOf(t, api(), step{op: put, url: "/things/1", status: 400, answer: answer, media: "text/plain"}) {
			languages = append(languages, strings.TrimPrefix(f.Signature, "400 "))
		}
		return languages
	}
	for _, c := range []struct{ name, answer, want string }{
		{"Go", "panic: x\n\ngoroutine 1 [running]:\nmain.main()", "Go"},
		{"Go, a frame", "\t/srv/app/main.go:12 +0x1d", "Go"},
		{"Java", "java.lang.NullPointerException\n\tat com.shop.Cart.add(Cart.java:42)", "Java"},
		{"Java in JSON", `{"trace":"x\n\tat com.shop.Cart$Item.<init>(Cart.kt:42)"}`, "Java"},
		{"Python", "Traceback (most recent call last):\n  File", "Python"},
		{"Python in JSON", `{"e":"File \"/srv/app.py\", line 3, in f"}`, "Python"},
		{"Node", "Error: x\n    at Object.<anonymous> (/srv/app/index.js:3:7)", "Node"},
		{"Node, its own", "    at node:internal/main/run:12:34", "Node"},
		{".NET", "   at Shop.Cart.Add(Int32 id) in C:\\src\\Cart.cs:line 42", ".NET"},
		{".NET, its own", "   at System.Linq.Enumerable.First[T](IEnumerable`1 source)", ""},
		{".NET, plain", "   at System.Int32.Parse(String s)", ".NET"},
		{"a sentence", "Meet us at Cafe.Central(Vienna) at 10:30:15, see main.go or app.py, line 3", ""},
		{"a time", "open at /10:30", ""},
		{"a time with seconds", "open at /10:30:15, see at /a:1:2", ""},
		{"Node, TypeScript", "    at run (file:///app/src/main.ts:3:7)", "Node"},
		{"a name of .NET", "look at System.Text(the one with JSON) or at Microsoft.Azure(cloud)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(j(c.answer), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestSignature(t *testing.T) {
	for _, c := range []struct{ name, a, b string }{
		{"numbers", "no product 17", "no product 4"},
		{"UUIDs", `{"error":"no cart 0f8fad5b-d9cb-469f-a165-70867728950e"}`, `{"error":"no cart 7c9e6679-7425-40de-944b-e07fc1f90ae7"}`},
		{"times", "at 2026-05-31T10:00:00Z", "at 2027-01-01T23:59:59.5+02:00"},
		{"what is quoted", `cannot read "a b"`, `cannot read "c"`},
		{"ids", "key ab12cd34 is taken", "key x9y8z7 is taken"},
		{"what is next to the message", `{"error":"oops","id":"abc"}`, `{"error":"oops","id":"xyz"}`},
		{"a message inside", `{"error":{"message":"oops","at":1}}`, `{"error":{"message":"oops","at":2}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if a, b := oracle.Signature([]byte(c.a)), oracle.Signature([]byte(c.b)); a != b || a == "" {
				t.Errorf("%q and %q", a, b)
			}
		})
	}
	if a, b := oracle.Signature([]byte(`{"error":"nil map"}`)), oracle.Signature([]byte(`{"error":"division by zero"}`)); a == b {
		t.Errorf("both are %q", a)
	}
}

// A finding that compares answers names the earlier calls with these answers.
func TestComparedCalls(t *testing.T) {
	refused := step{op: put, user: "ann", url: "/things/1", body: boot, status: 403}
	written := step{op: put, user: "ann", url: "/things/1", body: tent, status: 200}
	is := func(answer string) step { return with(read, func(s *step) { s.answer = answer }) }
	missed := with(read, func(s *step) { s.status, s.answer = 404, "" })
	other := step{op: "GET /limits", user: "ann", url: "/limits", status: 200}
	byRival := with(deletedWords, func(s *step) { s.user = "bob" })
	for name, c := range map[string]struct {
		calls []step
		want  []int
	}{
		"readable-after-delete":     {[]step{made, other, read, other, deletedWords, other, read}, []int{2, 4}},
		"write-refused-but-applied": {[]step{made, read, other, refused, is(boot)}, []int{1, 3}},
		"dangling-location":         {[]step{other, made, missed}, []int{1}},
		"get-with-side-effects":     {[]step{read, read, other, is(boot)}, []int{0, 1, 2}},
		"non-idempotent-put":        {[]step{other, written, read, read, written, is(boot)}, []int{1, 2, 3, 4}},
		"other-users-resource":      {[]step{made, other, read, byRival, missed}, []int{0, 2, 3}},
		"server-error":              {[]step{made, with(read, func(s *step) { s.status = 500 })}, nil},
	} {
		all := findingsWith(t, api(), nil, c.calls...)
		at := slices.IndexFunc(all, func(f oracle.Finding) bool { return f.Oracle == name })
		if at < 0 || !slices.Equal(all[at].Compared, c.want) {
			t.Errorf("%s: got %+v, want one that compares %v", name, all, c.want)
		}
	}
}
