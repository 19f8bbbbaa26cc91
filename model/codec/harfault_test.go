package codec_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
)

// faulty returns two faults. The first fault has two calls; one of them has no exchange, as in a run of an older
// version. The second fault has a call without an answer.
func faulty() []model.Fault {
	post := model.Call{
		Op: "POST /a", User: "ann", Args: []model.Arg{
			{In: model.InHeader, Name: "X-Api-Key", Value: "hush"}, {In: model.InPath, Name: "id", Value: "7"},
		},
		Body: &model.Payload{Media: "application/json", Data: `{"x":1}`}, Status: 201,
	}
	get := model.Call{Op: "GET /a/{id}", Status: 500}
	return []model.Fault{
		{
			ID: "f1", Op: "GET /a/{id}", Oracle: model.ServerErrorOracle, Status: 500, Verdict: model.VerdictReproducible,
			Test: &model.Test{Calls: []model.Call{post, get}, Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "id"}}},
			Exchanges: []model.ExchangeExcerpt{
				{URL: "/a", Status: 201, Header: map[string][]string{"Location": {"/a/1"}}},
				{URL: "/a/1?q=%20", Status: 500, Body: "oops", Cut: true},
			},
		},
		{ID: "f2", Op: "GET /a/{id}", Oracle: "schema", Test: &model.Test{Calls: []model.Call{get}}},
		{
			ID:        "f3",
			Op:        "GET /a/{id}",
			Oracle:    "no-answer",
			Test:      &model.Test{Calls: []model.Call{get}},
			Exchanges: []model.ExchangeExcerpt{{URL: "/a/2", Err: "EOF"}},
		},
	}
}

// In a HAR file, the calls of faults come after the calls of tests, with a page for each fault.
func TestHARHasFaults(t *testing.T) {
	for _, c := range []struct{ base, want string }{
		{"http://shop.example/v1/", "http://shop.example/v1"},
		{"http://127.0.0.1:" + model.PortPlaceholder + "/v1", "http://127.0.0.1:1/v1"},
		{"http://localhost:" + model.PortPlaceholder + "/v1", "http://localhost/v1"},
	} {
		dir := t.TempDir()
		literalText(t, dir, played())
		log, err := codec.OpenRunHAR(dir)
		if err != nil {
			t.Fatal(err)
		}
		before := len(log.Entries)
		log.AddFaults(faulty(), c.base, noon)
		var b bytes.Buffer
		if err := log.Write(&b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "hush") {
			t.Errorf("a credential is in\n%s", b.String())
		}
		trails, err := codec.ReadRequestSeqs("har", bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		want := []codec.RequestSeq{
			{
				Name:  "f1 GET /a/{id}: 500, reproducible",
				Steps: []codec.RequestStep{{Method: "POST", URL: c.want + "/a"}, {Method: "GET", URL: c.want + "/a/1?q=%20"}},
			},
			{Name: "f3 GET /a/{id}: no-answer, not repeated", Steps: []codec.RequestStep{{Method: "GET", URL: c.want + "/a/2"}}},
		}
		if d := cmp.Diff(want, trails.All[len(trails.All)-2:]); d != "" {
			t.Errorf("faults of %s (-want +got):\n%s", c.base, d)
		}
		checkFaultEntries(t, b.Bytes(), before)
	}
}

// checkFaultEntries checks the entries of the faults. before is the number of entries that come before them.
func checkFaultEntries(t *testing.T, data []byte, before int) {
	t.Helper()
	type content struct{ Text, Comment string }
	type entry struct {
		Pageref, Comment string
		Response         struct {
			Status  int
			Comment string
			Content content
		}
		Request struct {
			PostData *struct{ MimeType, Text string }
		}
	}
	var file struct{ Log struct{ Entries []entry } }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	all := file.Log.Entries[before:]
	if len(all) != 3 {
		t.Fatalf("%d entries of faults, want 3", len(all))
	}
	if e := all[0]; e.Pageref != "f1" || e.Request.PostData == nil || e.Request.PostData.Text != `{"x":1}` ||
		!strings.HasSuffix(e.Comment, "sent as ann") {
		t.Errorf("the first call: %+v", e)
	}
	if e := all[1]; e.Response.Status != 500 || e.Response.Content != (content{Text: "oops", Comment: "more came than is kept here"}) {
		t.Errorf("the faulty call: %+v", e)
	}
	if e := all[2]; e.Response.Status != 0 || e.Response.Comment != "EOF" {
		t.Errorf("the call without an answer: %+v", e)
	}
}
