package client

import (
	"strings"
	"testing"

	"sonde/model"
)

// A linked value replaces the value of the call in the same position and style.
func TestPutKeepsTheStyle(t *testing.T) {
	for _, c := range []struct {
		name, old string
		escaped   bool
		want      string
		in        model.Location
	}{
		{"simple", "x", false, "7", model.InPath},
		{"matrix", ";id=x", true, ";id=7", model.InPath},
		{"another matrix", ";other=x", true, "7", model.InPath},
		{"an id like the matrix style", ";id=x", false, "7", model.InPath},
		{"label", ".x", true, ".7", model.InPath},
		{"an id with a dot", ".x", false, "7", model.InPath},
		{"query", ".x", true, "7", model.InQuery},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := model.Call{Args: []model.Arg{{In: c.in, Name: "id", Value: c.old, Escaped: c.escaped}}}
			got, ok := put(call, call, model.Link{In: c.in, Name: "id"}, 7)
			if !ok || got.Args[0].Value != c.want || call.Args[0].Value != c.old {
				t.Errorf("got %q, want %q; the call before: %q", got.Args[0].Value, c.want, call.Args[0].Value)
			}
		})
	}
}

// A value that is too long to be an id is not put into a URL.
func TestPutKeepsURLsShort(t *testing.T) {
	for _, c := range []struct {
		in     model.Location
		length int
		want   bool
	}{{model.InPath, 2 << 10, true}, {model.InPath, 2<<10 + 1, false}, {model.InQuery, 1 << 20, false}, {model.InBody, 1 << 20, true}} {
		call := model.Call{Args: []model.Arg{{In: c.in, Name: "id"}}, Body: &model.Payload{Media: "application/json", Data: "{}"}}
		name := map[bool]string{true: "/id", false: "id"}[c.in == model.InBody]
		if _, ok := put(call, call, model.Link{In: c.in, Name: name}, strings.Repeat("x", c.length)); ok != c.want {
			t.Errorf("%d bytes go into the %s: %t", c.length, c.in, ok)
		}
	}
}

// A linked text becomes a number if the call itself has a number there. This is so even if another link has already
// replaced the number.
func TestPutKeepsTheKind(t *testing.T) {
	for _, c := range []struct{ own, before, want string }{
		{`{"id":1}`, `{"id":1}`, `{"id":7}`}, {`{"id":1}`, `{"id":"x"}`, `{"id":7}`}, {`{"id":"x"}`, `{"id":1}`, `{"id":"7"}`},
	} {
		body := func(data string) model.Call {
			return model.Call{Body: &model.Payload{Media: "application/json", Data: data}}
		}
		got, ok := put(body(c.before), body(c.own), model.Link{In: model.InBody, Name: "/id"}, "7")
		if !ok || got.Body.Data != c.want {
			t.Errorf("%s with %s: got %s, want %s", c.own, c.before, got.Body.Data, c.want)
		}
	}
}

func TestOwnIDIsTakenOutOfTheMatrix(t *testing.T) {
	call := model.Call{Args: []model.Arg{{In: model.InPath, Name: "id", Value: ";id=x%3By", Escaped: true}}}
	if got := pathArg(call, "id"); got != "x;y" {
		t.Errorf("got %q", got)
	}
}

// A value becomes the text of an element of XML, unless it would have to be escaped.
func TestPutIntoXML(t *testing.T) {
	for _, c := range []struct{ place, value, want string }{
		{"/of", "7", "<a><of>7</of></a>"}, {"/of", "a&b", ""}, {"/no", "7", ""},
	} {
		call := model.Call{Body: &model.Payload{Media: "application/xml", Data: "<a><of>x</of></a>"}}
		l := model.Link{In: model.InBody, Name: c.place}
		got, ok := put(call, call, l, c.value)
		if ok != (c.want != "") || ok && got.Body.Data != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.value, got.Body.Data, ok, c.want)
		}
		if has, _ := held(got, l); ok && has != c.value {
			t.Errorf("the call has %v, want %s", has, c.value)
		}
	}
}

// An open link takes the first key of a map, or the part of a URL that is the value of the path parameter. The
// pattern of the link finds the same value in later answers.
func TestFindAtHint(t *testing.T) {
	to := &model.Operation{ID: "GET /planets/{planetId}", Path: "/planets/{planetId}"}
	for _, c := range []struct{ name, body, hint, want string }{
		{"a key", `{"earth": {"moons": 1}, "mars": {"moons": 2}}`, "/*", "earth"},
		{"a URL", `{"name": "Ann", "home": "https://example.com/api/planets/mars/?x=1"}`, "/home", "mars"},
		{"a text that is no URL of a planet", `{"home": "https://example.com/people/7"}`, "/home", "https://example.com/people/7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := linkSource{
				from:  &model.Operation{ID: "GET /people", Path: "/people"},
				reply: model.Reply{Status: 200, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: []byte(c.body)},
				to:    to,
			}
			closed, got, ok := s.resolve(model.Link{In: model.InPath, Name: "planetId", Hint: c.hint})
			if !ok || got != c.want || closed.IsOpen() || closed.Hint != "" {
				t.Fatalf("got %v, %v by %+v, want %q", got, ok, closed, c.want)
			}
			if _, again, ok := s.resolve(closed); !ok || again != c.want {
				t.Errorf("again: got %v, %v by %+v, want %q", again, ok, closed, c.want)
			}
		})
	}
}
