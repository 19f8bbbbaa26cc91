package oracle

import (
	"strings"
	"testing"

	"sonde/model"
)

func TestSent(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{{ID: "GET /x", Method: "GET", Path: "/x"}}}
	cut := &model.Defect{CutShort: true, Text: "the body ended after 1 of 9 bytes"}
	for _, c := range []struct {
		name   string
		status int
		media  string
		body   string
		defect *model.Defect
		want   string
	}{
		{"cut short", 200, "application/json", "{", cut, "answer-cut-short 200"},
		{"an error that is cut short", 404, "application/json", "{", cut, ""},
		{"no gzip", 200, "application/json", "{}", &model.Defect{Text: "no gzip"}, "wrong-encoding 200 content"},
		{"JSON in Latin-1", 200, "application/json", "{\"a\":\"\xe9\"}", nil, "wrong-encoding 200 charset"},
		{
			"JSON in Latin-1 that says so", 200, "application/json; charset=iso-8859-1", "{\"a\":\"\xe9\"}", nil,
			"wrong-encoding 200 charset",
		},
		{"JSON in UTF-8 that says Latin-1", 200, "application/json; charset=ISO-8859-1", `{"a":"é"}`, nil, "wrong-encoding 200 charset"},
		{"text that says UTF-8", 200, "text/plain; charset=utf-8", "\xe9", nil, "wrong-encoding 200 charset"},
		{"JSON in UTF-8", 200, "application/json; charset=UTF-8", `{"a":"é"}`, nil, ""},
		{"JSON in ASCII that says Latin-1", 200, "application/json; charset=iso-8859-1", `{"a":1}`, nil, ""},
		{"text in Latin-1", 200, "text/plain; charset=iso-8859-1", "\xe9", nil, ""},
		{"bytes", 200, "application/octet-stream", "\xe9\xff", nil, ""},
		{"no type", 200, "", "\xe9\xff", nil, ""},
		{"nothing", 204, "application/json", "", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, err := NewRules(model.Plan{Spec: spec, Oracles: []string{"-all", "answer-cut-short", "wrong-encoding"}})
			if err != nil {
				t.Fatal(err)
			}
			x := model.Exchange{
				Request: model.Request{Method: "GET", URL: "/x"},
				Reply:   model.Reply{Status: c.status, Body: []byte(c.body), Defect: c.defect},
			}
			if c.media != "" {
				x.Reply.Header = map[string][]string{"Content-Type": {c.media}}
			}
			var got []string
			for _, f := range j.Findings(model.Test{Calls: []model.Call{{Op: "GET /x"}}}, []model.Exchange{x}) {
				got = append(got, f.Oracle+" "+f.Signature)
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			x.Reply.Truncated, x.Reply.Defect = true, nil
			if found := j.Findings(model.Test{Calls: []model.Call{{Op: "GET /x"}}}, []model.Exchange{x}); len(found) > 0 {
				t.Errorf("of what was not read to its end: %+v", found)
			}
		})
	}
}
