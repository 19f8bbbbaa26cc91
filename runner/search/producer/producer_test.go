package producer

import (
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
)

func text(format string) *model.Schema { return &model.Schema{Type: "string", Format: format} }

func in(where model.Location, name string, s *model.Schema) model.Parameter {
	return model.Parameter{In: where, Name: name, Required: true, Schema: s}
}

func op(id string, params ...model.Parameter) *model.Operation {
	method, path, _ := strings.Cut(id, " ")
	return &model.Operation{ID: model.OpID(id), Method: method, Path: path, Params: params}
}

// flows is an API whose spec does not say which answer has the value of "flow".
func flows() []*model.Operation {
	return []*model.Operation{
		op("GET /login/api"),
		op("POST /login", in(model.InQuery, "flow", text(""))),
		op("GET /settings/api"),
		op("GET /people"),
		op("GET /people/{handle}", in(model.InPath, "handle", text(""))),
		op("PUT /people/{handle}", in(model.InPath, "handle", text(""))),
		op("GET /rooms/{number}", in(model.InPath, "number", &model.Schema{Type: "integer"})),
		op("GET /keys/{key}", in(model.InPath, "key", text("uuid"))),
	}
}

func newIndex() *Index {
	ops := flows()
	return New(&model.Spec{Operations: ops}, match.New(ops, match.DefaultMode))
}

func observe(x *Index, op model.OpID, body string) []Place {
	return x.Observe(op, model.Reply{Status: 200, Body: []byte(body)})
}

// candidates returns the producers of the first consumer of an operation, the most likely first.
func candidates(x *Index, op model.OpID) (all []string) {
	for _, c := range x.Candidates(x.Consumers(op)[0]) {
		all = append(all, fmt.Sprint(c.Op, " ", c.Pointer, c.Header, " ", c.Value))
	}
	return all
}

// If the spec does not say which answer has the value of an input, the best candidate is the identifier in the answer
// of the operation with the most similar path.
func TestNearestProducerComesFirst(t *testing.T) {
	x := newIndex()
	observe(x, "GET /settings/api", `{"id": "s1", "state": "open"}`)
	observe(x, "GET /login/api", `{"id": "l1", "state": "open"}`)
	got := candidates(x, "POST /login")
	if len(got) < 2 || got[0] != "GET /login/api /id l1" || got[1] != "GET /settings/api /id s1" {
		t.Errorf("candidates %q, want the id of /login/api and then that of /settings/api", got)
	}
}

// The best candidate for the parameter of an element is the field with the same name in the answer of its collection.
// Without such a field, the best candidate is the identifier in this answer, whatever its name is.
func TestCollectionProducesItsElements(t *testing.T) {
	x := newIndex()
	observe(x, "GET /people", `{"total": 2, "people": [{"id": 7, "nick": "ann"}, {"id": 8}]}`)
	if got := candidates(x, "GET /people/{handle}"); len(got) == 0 || got[0] != "GET /people /people/0/id 7" {
		t.Errorf("candidates %q, want the id of the first person", got)
	}
	observe(x, "GET /people", `{"people": [{"id": 7, "handle": "ann"}]}`)
	if got := candidates(x, "GET /people/{handle}"); got[0] != "GET /people /people/0/handle ann" {
		t.Errorf("candidates %q, want the handle of the first person", got)
	}
}

// A producer must have a value that the schema of the consumer allows.
func TestCandidatesHaveTheConsumersType(t *testing.T) {
	x := newIndex()
	observe(x, "GET /people", `[{"id": "12", "name": "b7", "key": "8D3E1c6a-91a4-4f0e-8f29-0d6e2b7c1a55"}]`)
	if got := candidates(x, "GET /rooms/{number}"); len(got) != 1 || got[0] != "GET /people /0/id 12" {
		t.Errorf("candidates of an integer %q, want the id alone", got)
	}
	if got := candidates(x, "GET /keys/{key}"); len(got) != 1 || !strings.Contains(got[0], "/0/key") {
		t.Errorf("candidates of a UUID %q, want the key alone", got)
	}
	limit := 3
	for _, c := range []struct {
		schema *model.Schema
		value  string
		want   bool
	}{
		{&model.Schema{}, "a", true},
		{&model.Schema{Type: "number"}, "1.5", true},
		{&model.Schema{Type: "number"}, "a", false},
		{&model.Schema{Type: "boolean"}, "true", false},
		{text("date-time"), "a", false},
		{&model.Schema{Type: "string", MaxLength: &limit}, "abcd", false},
		{&model.Schema{Type: "string", MinLength: 3}, "ab", false},
		{&model.Schema{Type: "string", Pattern: "^u_"}, "u_1", true},
		{&model.Schema{Type: "string", Pattern: "^u_"}, "v_1", false},
		{&model.Schema{Type: "string", Pattern: "("}, "v_1", true}, // not a pattern of Go
	} {
		get := op("GET /x/{id}", in(model.InPath, "id", c.schema))
		spec := &model.Spec{Operations: []*model.Operation{get}}
		consumer := New(spec, match.New(spec.Operations, match.DefaultMode)).Consumers(get.ID)
		if got := len(consumer) > 0 && consumer[0].accepts(c.value); got != c.want {
			t.Errorf("%+v accepts %q: %v", c.schema, c.value, got)
		}
	}
}

// Values are taken only from successful answers. Times, secrets, long texts and deeply nested values are left out.
func TestPlacesOfAnAnswer(t *testing.T) {
	long := strings.Repeat("x", maxText+1)
	for body, want := range map[string]int{
		`{"id": "a", "n": 3, "none": null, "yes": true, "empty": ""}`:                    2,
		`{"at": "2026-11-28T01:02:03Z", "password": "p", "accessToken": "s", "id": "a"}`: 1,
		`null`: 0,
		`{"text": "a\nb", "long": "` + long + `"}`: 0,
		`[[[[["deep"]]]]]`:                         0,
		`[]`:                                       0,
		`"bare"`:                                   1,
		`not JSON`:                                 0,
		``:                                         0,
	} {
		if got := observe(newIndex(), "GET /people", body); len(got) != want {
			t.Errorf("%.60s has the places %v, want %d", body, got, want)
		}
	}
	x := newIndex()
	if got := x.Observe("GET /people", model.Reply{Status: 404, Body: []byte(`{"id": 1}`)}); got != nil {
		t.Errorf("a refusal has the places %v", got)
	}
	if got := observe(x, "GET /nowhere", `{"id": 1}`); got != nil {
		t.Errorf("an unknown operation has the places %v", got)
	}
	location := map[string][]string{"Location": {"/people/ann?x=1"}}
	got := x.Observe("GET /people", model.Reply{Status: 201, Header: location})
	if len(got) != 1 || got[0].Header != "Location" || candidates(x, "GET /people/{handle}")[0] != "GET /people Location ann" {
		t.Errorf("the Location has the places %v", got)
	}
}

// A URL in an answer is a producer of the values in its path. These values belong to the operation to which the URL
// leads. A value in XML has the same place as in JSON.
func TestPlacesInOtherFormats(t *testing.T) {
	for _, c := range []struct {
		reply model.Reply
		want  string // the candidates for the parameter "handle"
	}{
		{model.Reply{Header: map[string][]string{"Location": {"/people/ann"}}}, "[ POST /login  Location ann]"},
		{model.Reply{Header: map[string][]string{"Link": {"</people/ann>; rel=item"}}}, "[pattern POST /login  Link ann]"},
		{model.Reply{Header: map[string][]string{"Location": {"/nowhere/ann"}}}, "[ POST /login  Location ann]"},
		{model.Reply{Body: []byte(`{"links": {"self": "http://h/people/ann"}}`)}, "[pattern POST /login /links/self  ann]"},
		{model.Reply{Body: []byte(`<person><handle>ann</handle></person>`)}, "[ POST /login /handle  ann]"},
	} {
		x := newIndex()
		c.reply.Status = 200
		x.Observe("POST /login", c.reply)
		var got []string
		for _, p := range x.Candidates(x.Consumers("PUT /people/{handle}")[0])[:1] {
			word := map[bool]string{true: "pattern"}[p.Pattern != ""]
			got = append(got, fmt.Sprint(word, " ", p.Op, " ", p.Pointer, " ", p.Header, " ", p.Value))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%+v: candidates %q, want %s", c.reply, got, c.want)
		}
	}
}

// The number of answers, and of places in each answer, is limited.
func TestProducersAreBounded(t *testing.T) {
	x := newIndex()
	var wide strings.Builder
	for i := range 2 * maxPlaces {
		fmt.Fprintf(&wide, `,"k%d":%d`, i, i)
	}
	for i := range 2 * maxAnswers {
		got := observe(x, "GET /people", fmt.Sprintf(`{"id":"p%d"%s}`, i, wide.String()))
		if len(got) > maxPlaces || (i >= maxAnswers) != (got == nil) {
			t.Fatalf("answer %d has %d places", i, len(got))
		}
	}
	if len(x.producers) != maxPlaces {
		t.Errorf("%d producers, want %d", len(x.producers), maxPlaces)
	}
	if got := observe(x, "GET /login/api", `"`+strings.Repeat("x", maxBody)+`"`); got != nil {
		t.Errorf("an answer of more than %d bytes has the places %v", maxBody, got)
	}
}

// Representation returns the members of an element from the last answer about the element or its collection. Answers
// about other resources have no effect.
func TestRepresentation(t *testing.T) {
	x := newIndex()
	names := []string{"nick", "traits", "other"}
	observe(x, "GET /settings/api", `{"nick": "s", "traits": {}, "other": 1}`)
	if got := x.Representation("PUT /people/{handle}", names); got != nil {
		t.Errorf("representation %v of something else", got)
	}
	observe(x, "GET /people", `{"items": [{"nick": "ann", "id": 1}]}`)
	if got := fmt.Sprint(x.Representation("PUT /people/{handle}", names)); got != "map[nick:ann]" {
		t.Errorf("representation %s, want the nick of the first person", got)
	}
	observe(x, "GET /people/{handle}", `{"nick": "ann", "traits": {"mail": "a@b.c"}, "other": null}`)
	if got := fmt.Sprint(x.Representation("PUT /people/{handle}", names)); got != "map[nick:ann traits:map[mail:a@b.c]]" {
		t.Errorf("representation %s, want nick and traits", got)
	}
	observe(x, "GET /people", `[]`)
	if got := x.Representation("PUT /people/{handle}", []string{"id"}); fmt.Sprint(got) != "map[id:1]" {
		t.Errorf("an empty list replaces a longer one: %v", got)
	}
}

// Consumers are ordered: the parameters of the path from its end, then other required inputs, then optional ones.
func TestOrderOfConsumers(t *testing.T) {
	optional := in(model.InQuery, "after", text(""))
	optional.Required = false
	ops := []*model.Operation{op("GET /owners/{owner}/repos/{repo}", in(model.InPath, "owner", text("")), optional,
		in(model.InHeader, "tenant", text("")), in(model.InPath, "repo", text("")),
		in(model.InQuery, "kind", &model.Schema{Type: "string", Enum: []any{"a"}}))}
	var got []string
	for _, c := range New(&model.Spec{Operations: ops}, match.New(ops, match.DefaultMode)).Consumers(ops[0].ID) {
		got = append(got, c.Name)
	}
	if want := "[repo owner tenant after]"; fmt.Sprint(got) != want {
		t.Errorf("consumers %v, want %s", got, want)
	}
}
