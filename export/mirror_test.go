package export

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
	"sonde/runner/client"
)

// written returns what the parts of a shot are when all of them are literal.
func written(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// TestExportsSendWhatTheClientSends plays tests of two calls, the second of
// which may take the first one's own id, and compares each request with the
// exported one.
func TestExportsSendWhatTheClientSends(t *testing.T) {
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
		played, _ := c.Play(context.Background(), spec, test)
		shots, _ := bind(played)
		for i, s := range shots {
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
	test := model.Test{}
	for range 2 {
		test.Calls = append(test.Calls, model.Call{Op: "PUT /a/{id}/b", Args: []model.Arg{
			{In: model.InPath, Name: "id", Value: text.Draw(t, "id")},
			{In: model.InQuery, Name: "q[" + text.Draw(t, "name"), Value: text.Draw(t, "query")},
			{In: model.InCookie, Name: "c", Value: text.Draw(t, "cookie")},
		}})
	}
	if rapid.Bool().Draw(t, "linked") {
		test.Links = []model.Link{{From: 0, To: 1, Param: "id", In: model.InPath, Name: "id"}}
	}
	return test
}
