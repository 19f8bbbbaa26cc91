package export

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
	"sonde/runner/target/client"
)

// written returns the text of parts, which must all be literal.
func written(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// TestExportsSendWhatTheClientSends plays tests of two calls, the second of which may take the id of the
// first. It compares the client's requests with the exported ones.
func TestExportsSendWhatTheClientSends(t *testing.T) {
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.RequestURI+" "+r.Header.Get("Cookie"))
	}))
	defer server.Close()
	c, err := client.New(server.URL, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	spec := &model.Spec{Operations: []*model.Operation{{ID: "PUT /a/{id}/b", Method: "PUT", Path: "/a/{id}/b"}}}
	rapid.Check(t, func(t *rapid.T) {
		test := mirrored(t)
		sent = nil
		played, _ := c.PlayTest(context.Background(), spec, test)
		calls, _, _ := bind(played, nil, nil)
		for i, s := range calls {
			var cookies []string
			for _, k := range s.cookies {
				cookies = append(cookies, k.name+"="+k.value.text)
			}
			if got := written(s.path) + " " + strings.Join(cookies, "; "); got != sent[i] {
				t.Fatalf("call %d: the client sends %q, the export %q", i, sent[i], got)
			}
		}
	})
}

func mirrored(t *rapid.T) model.Test {
	text := rapid.StringMatching(`(\.|;id=|;)?[a-c/?#%,&=+ é|\[\]-]{1,6}`)
	styled := rapid.SampledFrom([]string{".", ";id=", ";id=a;id=", "a%2Cb,", ".%2E."})
	test := model.Test{}
	for range 2 {
		id := model.Arg{In: model.InPath, Name: "id", Value: text.Draw(t, "id")}
		id.Escaped = rapid.Bool().Draw(t, "escaped")
		if id.Escaped {
			id.Value = styled.Draw(t, "style") + model.EscapePath(id.Value)
		}
		test.Calls = append(test.Calls, model.Call{Op: "PUT /a/{id}/b", Args: []model.Arg{
			id,
			{In: model.InQuery, Name: "q[" + text.Draw(t, "name"), Value: text.Draw(t, "query")},
			{In: model.InQuery, Name: "l", Value: "a%2Cb,c", Escaped: true},
			{In: model.InCookie, Name: "c", Value: text.Draw(t, "cookie")},
		}})
	}
	if rapid.Bool().Draw(t, "linked") {
		test.Links = []model.Link{{From: 0, To: 1, Param: "id", In: model.InPath, Name: "id"}}
	}
	return test
}

// If a value from an answer replaces a path parameter, the prefix of the parameter's style stays before it: ;id=x
// becomes ;id= and the value.
func TestLinkedValueIsLed(t *testing.T) {
	for old, want := range map[model.Arg]string{
		{In: model.InPath, Name: "id", Value: ";id=x", Escaped: true}: `"/a/;id="+value.path()`,
		{In: model.InPath, Name: "id", Value: ".x,y", Escaped: true}:  `"/a/."+value.path()`,
		{In: model.InPath, Name: "id", Value: "x,y", Escaped: true}:   `"/a/"+value.path()`,
		{In: model.InPath, Name: "id", Value: ";id=x"}:                `"/a/"+value.path()`,
		{In: model.InPath, Name: "id", Value: ".x"}:                   `"/a/"+value.path()`,
	} {
		test := model.Test{
			Calls: []model.Call{{Op: "POST /a", Status: 201}, {Op: "GET /a/{id}", Args: []model.Arg{old}, Status: 200}},
			Links: []model.Link{{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "id"}},
		}
		calls, sources, _ := bind(test, nil, nil)
		sources[0].name = "value"
		if got := strings.ReplaceAll(expr(calls[1].path, quoted), " ", ""); got != want {
			t.Errorf("%+v: got %s, want %s", old, got, want)
		}
	}
}
