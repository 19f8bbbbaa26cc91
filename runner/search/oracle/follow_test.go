package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// of returns the calls of the findings of one oracle.
func of(name string, all []oracle.Finding) []int {
	var calls []int
	for _, f := range all {
		if f.Oracle == name {
			calls = append(calls, f.Call)
			if f.Expected == "" || f.Actual == "" || f.Signature == "" {
				panic(fmt.Sprintf("%+v says too little", f))
			}
		}
	}
	return calls
}

// A Location is dangling only if the user who created the resource does not find it there, and no
// call can have removed it.
func TestDanglingLocation(t *testing.T) {
	gone404 := with(read, func(s *step) { s.status, s.answer = 404, `{}` })
	at := func(location string) step { return with(made, func(s *step) { s.location = location }) }
	for _, c := range []struct {
		name  string
		calls []step
		want  []int
	}{
		{"there is nothing", []step{made, gone404}, []int{1}},
		{"it is gone", []step{made, with(gone404, func(s *step) { s.status = 410 })}, []int{1}},
		{"relative to the collection", []step{with(at("1"), func(s *step) { s.url = "/things/" }), gone404}, []int{1}},
		{"there is something", []step{made, read}, nil},
		{"reading in between", []step{made, {op: "GET /limits", user: "ann", url: "/limits", status: 200}, gone404}, []int{2}},
		{"it leads elsewhere", []step{at("/things/2"), gone404}, nil},
		{"it leads to another host", []step{at("http://cdn.example/things/1"), gone404}, nil},
		{"it has a query", []step{at("/things/1?version=2"), gone404}, nil},
		{"no Location", []step{at(""), gone404}, nil},
		{"to be made later", []step{with(made, func(s *step) { s.status = 202 }), gone404}, nil},
		{"it was deleted", []step{made, deletedWords, gone404}, nil},
		{"something else was done", []step{made, {op: "POST /log", user: "ann", url: "/log", status: 201}, gone404}, nil},
		{"something else was refused", []step{made, {op: "POST /log", user: "ann", url: "/log", status: 400}, gone404}, []int{2}},
		{"another user", []step{made, with(gone404, func(s *step) { s.user = "bob" })}, nil},
		{"it is refused", []step{made, with(gone404, func(s *step) { s.status = 403 })}, nil},
		{"it fails, which is another fault", []step{made, with(gone404, func(s *step) { s.status = 500 })}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := of("dangling-location", findingsOf(t, api(), c.calls...)); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// A PUT is reported as not idempotent only if its repetition changes a property that the PUT sets.
func TestNonIdempotentPut(t *testing.T) {
	write := step{op: put, user: "ann", url: "/things/1", status: 200, body: `{"name":"a","n":1,"tags":["x"],"in":{"n":1},"version":1}`}
	is := func(answer string) step { return with(read, func(s *step) { s.answer = answer }) }
	story := func(once, before, again string) []step { return []step{write, is(once), is(before), write, is(again)} }
	const one = `{"name":"a","n":1,"tags":["x"],"in":{"n":1},"version":1,"updatedAt":"a","views":1}`
	change := func(old, now string) string { return strings.Replace(one, old, now, 1) }
	for _, c := range []struct {
		name  string
		calls []step
		want  []int
	}{
		{"the same", story(one, one, one), nil},
		{"a number grows", story(one, one, change(`"n":1,"tags"`, `"n":2,"tags"`)), []int{4}},
		{"a list grows", story(one, one, change(`["x"]`, `["x","x"]`)), []int{4}},
		{"a part grows", story(one, one, change(`"in":{"n":1}`, `"in":{"n":2}`)), []int{4}},
		{"a property goes", story(one, one, `{"name":"a"}`), []int{4}},
		{"a version, which the request has", story(one, one, change(`"version":1`, `"version":2`)), nil},
		{"a time", story(one, one, change(`"a","views"`, `"b","views"`)), nil},
		{"what the request does not set", story(one, one, change(`"views":1`, `"views":2`)), nil},
		{"what reading changes", story(one, change(`"n":1,"tags"`, `"n":2,"tags"`), change(`"n":1,"tags"`, `"n":3,"tags"`)), nil},
		{"parts made anew", story(`{"tags":[{"id":1,"t":"x"}]}`, `{"tags":[{"id":1,"t":"x"}]}`, `{"tags":[{"id":2,"t":"x"}]}`), nil},
		{"created, then replaced", slices.Concat([]step{with(write, func(s *step) { s.status = 201 })}, story(one, one, one)[1:]), nil},
		{
			"refused the second time",
			[]step{write, is(one), is(one), with(write, func(s *step) { s.status = 412 }), is(change(`"n":1,"tags"`, `"n":2,"tags"`))},
			nil,
		},
		{
			"another value",
			[]step{write, is(one), is(one), with(write, func(s *step) { s.body = `{"n":2}` }), is(change(`"n":1,"tags"`, `"n":2,"tags"`))},
			nil,
		},
		{
			"another user",
			[]step{write, is(one), is(one), with(write, func(s *step) { s.user = "bob" }), is(change(`"n":1,"tags"`, `"n":2,"tags"`))},
			nil,
		},
		{
			"a view of it",
			[]step{write, is(one), is(one), write, with(is(change(`"n":1,"tags"`, `"n":2,"tags"`)), func(s *step) { s.url += "?at=2" })},
			nil,
		},
		{"no JSON", story("x", "x", "y"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := of("non-idempotent-put", findingsOf(t, api(), c.calls...)); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// A GET is reported to have side effects only if it changes the answer to another GET. The other GET must have got
// the same answer twice before.
func TestGetWithSideEffects(t *testing.T) {
	is := func(answer string) step { return with(read, func(s *step) { s.answer = answer }) }
	other := step{op: "GET /limits", user: "ann", url: "/limits", status: 200, answer: `{"name":"x"}`}
	a, b := is(`{"name":"a","readAt":"1"}`), is(`{"name":"b","readAt":"1"}`)
	missing := with(read, func(s *step) { s.status = 404 })
	for _, c := range []struct {
		name  string
		calls []step
		want  []int
	}{
		{"the same", []step{a, a, other, a}, nil},
		{"another answer", []step{a, a, other, b}, []int{3}},
		{"it is gone", []step{a, a, other, missing}, []int{3}},
		{"a time", []step{a, a, other, is(`{"name":"a","readAt":"2"}`)}, nil},
		{"its own call changes it", []step{a, b, other, is(`{"name":"c"}`)}, nil},
		{"not asked twice", []step{a, other, b}, nil},
		{"nothing in between", []step{a, a, b}, nil},
		{"the other was called between the first two", []step{a, other, a, other, b}, nil},
		{"a write in between", []step{a, a, other, {op: "POST /log", user: "ann", url: "/log", status: 201}, b}, nil},
		{"a refused write in between", []step{a, a, other, {op: "POST /log", user: "ann", url: "/log", status: 400}, b}, nil},
		{"the other failed", []step{a, a, with(other, func(s *step) { s.status = 404 }), b}, nil},
		{"another user", []step{a, a, other, with(b, func(s *step) { s.user = "bob" })}, nil},
		{"another URL", []step{a, a, other, with(b, func(s *step) { s.url = "/things/2" })}, nil},
		{"a refusal", []step{a, a, other, with(b, func(s *step) { s.status = 401 })}, nil},
		{"no JSON", []step{is("x"), is("x"), other, is("y")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := of("get-with-side-effects", findingsOf(t, api(), c.calls...)); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// strict returns an API with one operation that requires many inputs.
func strict() model.Plan {
	text, number, flag := &model.Schema{Type: "string"}, &model.Schema{Type: "integer"}, &model.Schema{Type: "boolean"}
	list := &model.Schema{Type: "array", Items: number}
	either := &model.Schema{OneOf: []*model.Schema{text, list}}
	body := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "id", Required: true, Schema: &model.Schema{Type: "integer", ReadOnly: true}},
		{Name: "kind", Required: true, Schema: &model.Schema{Type: "string", Default: "x"}},
		{Name: "name", Required: true, Schema: text},
		{Name: "n", Schema: number},
		{Name: "on", Schema: flag},
		{Name: "list", Schema: list},
		{Name: "either", Schema: either},
	}}
	params := []model.Parameter{
		{Name: "limit", In: model.InQuery, Required: true, Schema: number},
		{Name: "dry", In: model.InQuery, Schema: flag},
		{Name: "q", In: model.InQuery, Schema: text},
		{Name: "X-Trace", In: model.InHeader, Required: true, Schema: text},
		{Name: "api_key", In: model.InQuery, Required: true, Schema: text},
		{Name: "filter", In: model.InQuery, Required: true, Schema: &model.Schema{Type: "object"}},
	}
	scheme := model.SecurityScheme{Name: "key", Kind: "apiKey", In: model.InQuery, Key: "api_key"}
	p := model.Plan{Spec: &model.Spec{SecuritySchemes: []model.SecurityScheme{scheme}}}
	for _, method := range []string{"POST", "PATCH"} {
		p.Spec.Operations = append(p.Spec.Operations, &model.Operation{
			ID: model.OpID(method + " /a"), Method: method, Path: "/a", Params: params,
			Body:      &model.RequestBody{Required: true, Contents: []model.Content{{Media: "application/json", Schema: body}}},
			Responses: []model.Response{{Status: "default"}},
		})
	}
	return p
}

// A request has a defect only if the request as it was sent lacks something that even a lenient
// service needs.
func TestInvalidRequestAccepted(t *testing.T) {
	right := step{op: "POST /a", url: "/a?limit=1", status: 200, body: `{"name":"x"}`, header: "X-Trace: 1", answer: `{"done":true}`}
	body := func(text string) step { return with(right, func(s *step) { s.body = text }) }
	url := func(text string) step { return with(right, func(s *step) { s.url = text }) }
	for _, c := range []struct {
		name string
		call step
		want string
	}{
		{"all is right", right, ""},
		{"it is refused", with(body(`{}`), func(s *step) { s.status = 400 }), ""},
		{"no name", body(`{}`), "missing required"},
		{"null for the name", body(`{"name":null}`), "wrong type"},
		{"null for what may be missing", body(`{"name":"x","n":null}`), ""},
		{"more than is declared", body(`{"name":"x","more":1}`), ""},
		{"an id, which is the service's to give", body(`{"name":"x","id":"y"}`), ""},
		{"a number for a text", body(`{"name":7}`), "wrong type"},
		{"a text for a number", body(`{"name":"x","n":"y"}`), "wrong type"},
		{"a number that is a text", body(`{"name":"x","n":"7"}`), ""},
		{"a fraction", body(`{"name":"x","n":1.5}`), "wrong type"},
		{"a whole fraction", body(`{"name":"x","n":1.0}`), ""},
		{"a boolean by number", body(`{"name":"x","on":1}`), ""},
		{"a boolean that is none", body(`{"name":"x","on":"maybe"}`), "wrong type"},
		{"an item that is none", body(`{"name":"x","list":["x"]}`), "wrong type"},
		{"one of two", body(`{"name":"x","either":[1]}`), ""},
		{"none of two", body(`{"name":"x","either":{}}`), "wrong type"},
		{"a list", body(`[]`), "wrong type"},
		{"no JSON", body(`{"`), "not JSON"},
		{"what is masked", body(`{"***":"x"}`), ""},
		{"an error by another name", with(body(`{}`), func(s *step) { s.answer = `{"error":"no name"}` }), ""},
		{"no success", with(body(`{}`), func(s *step) { s.answer = `{"success":false}` }), ""},
		{"several statuses", with(body(`{}`), func(s *step) { s.status = 207 }), ""},
		{"no limit", url("/a"), "missing required"},
		{"a limit that is none", url("/a?limit=x"), "wrong type"},
		{"a number out of range", url("/a?limit=1e999"), ""},
		{"an empty limit", url("/a?limit="), ""},
		{"a flag", url("/a?limit=1&dry=yes"), ""},
		{"no flag", url("/a?limit=1&dry=x"), "wrong type"},
		{"any text", url("/a?limit=1&q=%00"), ""},
		{"another path", url("/a/b?limit=x"), ""},
		{"no header", with(right, func(s *step) { s.header = "" }), "missing required"},
		{"a form", with(body("n=x"), func(s *step) { s.kind = "application/x-www-form-urlencoded" }), ""},
		{"a part of it", with(body(`{"n":1}`), func(s *step) { s.op = "PATCH /a" }), ""},
		{"a part of another type", with(body(`{"n":"x"}`), func(s *step) { s.op = "PATCH /a" }), "wrong type"},
		{"null removes a part", with(body(`{"name":null}`), func(s *step) { s.op = "PATCH /a" }), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range findingsOf(t, strict(), c.call) {
				got = append(got, f.Signature)
				if f.Oracle != "invalid-request-accepted" || f.Expected == "" || f.Actual == "" {
					t.Errorf("got %+v", f)
				}
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}
