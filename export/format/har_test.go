package format

import (
	"testing"

	"sonde/export"
	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// An entry has the URL as sent and the query unescaped, without secrets.
func TestEntriesOfArchives(t *testing.T) {
	key := export.TextPart{Variable: "KEY", Escaping: export.EscapeQuery}
	r := export.Request{
		Method: "PUT", Path: append(literal("/a%20b?q=it%27s&odd=%zz&key="), key), Basic: literal("ann:secret"),
		Headers: []export.MessageField{{Name: "X-Mode", Value: literal("dark")}},
		Body: &export.RequestBody{Media: "application/json", Parts: []export.TextPart{
			{Text: `{"pw": `}, {Variable: "PW", Escaping: export.EscapeJSON}, {Text: "}"},
		}},
	}
	e := harCall(export.Script{BaseURL: "http://127.0.0.1:1"}, export.TestCase{Name: "Case"}, export.TestStep{Request: r, Status: 204})
	want := harRequest{
		Method: "PUT", URL: "http://127.0.0.1:1/a%20b?q=it%27s&odd=%zz&key=***", Version: "HTTP/1.1", Cookies: []harPair{},
		Headers: []harPair{{"X-Mode", "dark"}, {"Authorization", "Basic ***"}},
		Query:   []harPair{{"q", "it's"}, {"odd", "%zz"}, {"key", "***"}},
		Post:    &harPost{Media: "application/json", Text: `{"pw": "***"}`, Params: []harPair{}},
		Head:    -1, Body: len(`{"pw": "***"}`),
	}
	if diff := cmp.Diff(want, e.Request); diff != "" || e.Page != "Case" || e.Response.Status != 204 {
		t.Errorf("page %q, status %d, -want +got\n%s", e.Page, e.Response.Status, diff)
	}
}

// The comment on an entry names the source of each linked value: the file has the value of the run, which
// may differ in the next run.
func TestCommentsOfArchives(t *testing.T) {
	for want, p := range map[string]export.TextPart{
		`"7" is /id of the body in answer 2 of the test`:         {Original: "7", Capture: &export.Capture{Pointer: "/id", Step: 1}},
		`"7" is the body in answer 1 of the test`:                {Original: "7", Capture: new(export.Capture)},
		`"7" is the end of Location in answer 1 of the test`:     {Original: "7", Capture: &export.Capture{Header: "Location"}},
		"the masked value is /token in the answer to the log-in": {Capture: &export.Capture{Pointer: "/token"}},
		"the masked value is the header X-Key in the answer to the log-in": {
			Capture: &export.Capture{Kind: export.CaptureHeader, Header: "X-Key"},
		},
		"the masked value is the body in the answer to the log-in":    {Capture: &export.Capture{Kind: export.CaptureBody}},
		"the masked value is the cookies in the answer to the log-in": {Capture: &export.Capture{Kind: export.CaptureCookies}},
	} {
		if p.Original == "" {
			p.Original = model.MaskedSecret
		}
		if got := harLinks(export.Request{Path: []export.TextPart{{Text: "/a/"}, p}}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
