package answer

import (
	"fmt"
	"strings"
	"testing"

	"sonde/model"
)

func op(id string, query ...string) *model.Operation {
	method, path, _ := strings.Cut(id, " ")
	o := &model.Operation{ID: model.OpID(id), Method: method, Path: path}
	for _, name := range query {
		o.Params = append(o.Params, model.Parameter{In: model.InQuery, Name: name})
	}
	return o
}

// api returns a spec of things; each thing has a state and parts.
func api() *model.Spec {
	return &model.Spec{Servers: []string{"http://a.example/api/v1"}, Operations: []*model.Operation{
		op("POST /things"), op("GET /things", "cursor"), op("GET /things/latest"), op("DELETE /things/{thingId}"),
		op("GET /things/{thingId}/state"),
		op("GET /things/{thingId}/parts/{part}"), op("GET /files/{name}.{ext}"),
	}}
}

func describe(all []URLValue) string {
	var lines []string
	for _, v := range all {
		pattern := ""
		if v.Pattern != "" {
			pattern = " by pattern"
		}
		lines = append(lines, fmt.Sprintf("%s%s: %s %s=%s of %s", v.Header, pattern, v.In, v.Name, v.Value, v.Op.ID))
	}
	return strings.Join(lines, "; ")
}

// A value in a header belongs to a parameter of the path template that the URL matches.
func TestInHeaders(t *testing.T) {
	urls := NewURLs(api())
	for _, c := range []struct{ header, text, want string }{
		{"Location", "http://127.0.0.1:80/api/v1/things/137", "Location: path thingId=137 of DELETE /things/{thingId}"},
		{"Location", "/things/a%20b/", "Location: path thingId=a b of DELETE /things/{thingId}"},
		{"Location", "/proxy/to/things/137", "Location: path thingId=137 of DELETE /things/{thingId}"},
		{"Location", "things/137#top", "Location: path thingId=137 of DELETE /things/{thingId}"},
		{"Location", "/things/137/state", "Location by pattern: path thingId=137 of GET /things/{thingId}/state"},
		{
			"Content-Location", "/api/v1/things/137/parts/wheel?x=1",
			"Content-Location by pattern: path thingId=137 of GET /things/{thingId}/parts/{part}; " +
				"Content-Location: path part=wheel of GET /things/{thingId}/parts/{part}",
		},
		{"Location", "/things?id=137", "Location by pattern: path thingId=137 of DELETE /things/{thingId}"},
		{"Location", "/things?x=2", ""},
		{"Location", "/things", ""},
		{"Location", "/things/latest", ""},
		{"Location", "/nowhere/137", ""},
		{"Location", "mailto:a@b.c", ""},
		{"Location", "http://[", ""},
		{
			"Link", `</things?cursor=c7&limit=2>; rel="next", </things?cursor=c1>; rel=prev`,
			"Link by pattern: query cursor=c7 of GET /things",
		},
		{
			"Link", `<https://h/things/1>; rel=up, <https://h/things/137>; title="a"; rel="edit self"; type="x"`,
			"Link by pattern: path thingId=137 of DELETE /things/{thingId}; Link by pattern: path thingId=137 of DELETE /things/{thingId}",
		},
		{"Link", `</things/137/state?x=1>;REL=Item`, "Link by pattern: path thingId=137 of GET /things/{thingId}/state"},
		{"Link", `</things/137>`, ""},
		{"Etag", "/things/137", ""},
	} {
		header := map[string][]string{c.header: {c.text}}
		all := urls.InHeaders(header)
		if got := describe(all); got != c.want {
			t.Errorf("%s: %s:\ngot  %s\nwant %s", c.header, c.text, got, c.want)
		}
		for _, v := range all {
			if v.Pattern == "" {
				continue
			}
			if got, ok := URLPart(c.text, v.Pattern); got != v.Value || !ok {
				t.Errorf("%s: the pattern %q finds %q, want %q", c.text, v.Pattern, got, v.Value)
			}
		}
	}
}

func TestInText(t *testing.T) {
	urls := NewURLs(api())
	for text, want := range map[string]string{
		"https://h/api/v1/things/137": " by pattern: path thingId=137 of DELETE /things/{thingId}",
		"/files/a.png": " by pattern: path name=a of GET /files/{name}.{ext}; " +
			"by pattern: path ext=png of GET /files/{name}.{ext}",
		"things/137":      "",
		"see /things/137": "",
		"/":               "",
		"":                "",
	} {
		if got := strings.ReplaceAll(describe(urls.InText(text)), ";  by", "; by"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// The id is the segment after the path of the operation that needs the id, or after the path of the operation that
// answered. It may also be in the query after such a path.
func TestElementInURL(t *testing.T) {
	create := op("POST /things")
	for _, c := range []struct {
		text, to string
		in       model.Location
		name     string
		want     string
		isLast   bool
	}{
		{"/things/137", "GET /things/{thingId}", model.InPath, "thingId", "137", true},
		{"http://h/api/things/137/", "GET /things/{thingId}/parts", model.InPath, "thingId", "137", true},
		{"/things/137/state", "GET /things/{thingId}", model.InPath, "thingId", "137", false},
		{"/v2/things/a%2Fb/state?x=1", "POST /orders", model.InBody, "/thing", "a/b", false},
		{"/things?x=1&id=137", "GET /things/{thingId}", model.InPath, "thingId", "137", false},
		{"/things/?thing_id=137#x", "GET /things/{thingId}", model.InPath, "thingId", "137", false},
		{"/objects/137", "GET /things/{thingId}", model.InPath, "thingId", "137", true},
		{"137", "GET /{thingId}", model.InPath, "thingId", "137", true},
		{"/", "GET /{thingId}", model.InPath, "thingId", "", true},
	} {
		pattern, value, ok := ElementInURL(c.text, create, op(c.to), c.in, c.name)
		if value != c.want || ok != (c.want != "") || (pattern == "") != c.isLast {
			t.Errorf("%s for %s: got %q by %q, %v, want %q", c.text, c.to, value, pattern, ok, c.want)
		}
		if got, _ := URLPart(c.text, pattern); pattern != "" && got != c.want {
			t.Errorf("%s: %q finds %q, want %q", c.text, pattern, got, c.want)
		}
	}
}

// Hostile headers do not cause a panic, and each returned pattern finds the returned value.
func FuzzInHeaders(f *testing.F) {
	for _, text := range []string{"/things/137/state", "</things?cursor=1>; rel=next", `<//%zz>; rel="self`, "http://[::1/things/1?id=%"} {
		f.Add(text)
	}
	urls := NewURLs(api())
	f.Fuzz(func(t *testing.T, text string) {
		header := map[string][]string{"Location": {text}, "Link": {text}}
		for _, v := range urls.InHeaders(header) {
			if v.Header != "Link" {
				continue
			}
			if got, ok := URLPart(text, v.Pattern); !ok || got != v.Value {
				t.Errorf("%q: %q finds %q, want %q", text, v.Pattern, got, v.Value)
			}
		}
		ElementInURL(text, urls.elements["things"], urls.elements["things"], model.InPath, "thingId")
	})
}
