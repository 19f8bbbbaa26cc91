package export

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// outcome returns the report of a run with all kinds of faults.
func outcome() Report {
	order := &model.Test{
		Calls: []model.Call{
			{Op: "POST /orders", Body: &model.Payload{Media: "application/json", Data: `{"n":1}`}, User: "ann", Status: 201},
			{
				Op:     "GET /orders/{id}",
				Args:   []model.Arg{{In: model.InPath, Name: "id", Value: "7"}, {In: model.InQuery, Name: "q", Value: "a\nb"}},
				User:   "bob",
				Status: 200,
			},
			{
				Op:     "PUT /orders/{id}",
				Args:   []model.Arg{{In: model.InPath, Name: "id", Value: "8"}},
				Body:   &model.Payload{Media: "text/plain", Data: "x"},
				Status: 500,
			},
		},
		Links: []model.Link{
			{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "id"},
			{From: 0, To: 2, Param: "id", In: model.InPath, Name: "id"},
			{From: 1, To: 2, Pointer: "/total", In: model.InBody, Name: "/n"},
			{From: 1, To: 2, Pointer: model.WholeBody, In: model.InBody, Name: "/all"},
		},
	}
	order.Rows = []model.Row{{Table: "customers", Cells: []model.Cell{{Column: "name", Value: []byte(`"Ann"`)}}}}
	get := &model.Test{Calls: []model.Call{{Op: "GET /orders", Status: 200}}}
	return Report{
		Title: "Shop", Release: "0.1.0", Command: "sonde search shop.yaml --seed 3", BaseURL: "http://127.0.0.1:1", Seed: 3,
		Started:    time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC),
		Operations: []model.OpID{"GET /orders", "POST /orders", "GET /orders/{id}", "DELETE /orders/{id}"},
		Tests: []model.Test{
			{
				ID:    "t4",
				Calls: []model.Call{{Op: "GET /orders", Status: 200}, {Op: "GET /orders", Status: 400}, {Op: "GET /orders", Status: 200}},
			},
			{
				ID:    "t9",
				Calls: []model.Call{{Op: "POST /orders", Status: 201}, {Op: "DELETE /orders/{id}"}, {Op: "GET /orders", Status: 999}},
			},
		},
		Faults: []model.Fault{
			{
				Op:        "PUT /orders/{id}",
				Oracle:    "server-error",
				Severity:  model.SeverityError,
				Status:    500,
				Expected:  "a status below 500",
				Text:      "oops",
				Signature: "500 oops",
				Verdict:   model.VerdictReproducible,
				Count:     2,
				Merged:    12,
				Calls:     3,
				At:        9,
				Test:      order,
				ID:        "f1",
				Exchanges: []model.ExchangeExcerpt{
					{URL: "/orders", Status: 201, Header: map[string][]string{"Location": {"/orders/7"}}, Body: `{"total":3}`},
					{URL: "/orders/7?q=a%0Ab", Status: 200, Body: "x", Cut: true},
					{URL: "/orders/8", Status: 500, Body: "oops\nat line 3"},
				},
			},
			{
				Op: "GET /orders", Oracle: "schema", Severity: model.SeverityWarning, Status: 200,
				Expected: "/n to be an integer", Text: `"x"`,
				Signature: "/n type", Count: 1, Calls: 1, At: 2, Test: get, ID: "f2", Unrepeated: "no calls left",
				Exchanges: []model.ExchangeExcerpt{{URL: "/orders", Err: "the connection was closed"}},
			},
			{
				Op: "GET /orders", Oracle: "stack-trace", Severity: model.SeverityWarning, Status: 200,
				Expected: "no stack trace", Text: "at a.b(C.java:1)",
				Signature: "java", Verdict: model.VerdictFlaky, Count: 1, Calls: 1, At: 3, Test: get,
			},
			{
				Op: "POST /orders", Oracle: "undeclared-status", Severity: model.SeverityNote, Status: 418,
				Expected: "201 or 400", Text: "teapot",
				Signature: "418", Verdict: model.VerdictReproducible, Count: 5, Calls: 1, At: 4, Test: get,
			},
			{
				Op:        "POST /orders",
				Oracle:    "crash",
				Severity:  model.SeverityError,
				Expected:  "an answer",
				Text:      "service died",
				Signature: "died",
				Count:     1,
				Calls:     1,
				At:        5,
			},
		},
		Reproduce: func(f model.Fault) string {
			if f.ID != "f1" {
				return ""
			}
			return "base=http://127.0.0.1:1\ncurl \"$base\"/orders"
		},
		Summary: model.Summary{
			Calls: 2000, Targets: 10, Covered: 7, Operations: 5, With2xx: 3, Elapsed: 12500 * time.Millisecond,
			Warnings: []model.Warning{
				{Kind: model.WarnNever2xx, Op: "DELETE /orders/{id}", Text: "DELETE /orders/{id} never answered 2xx"},
			},
		},
	}
}

// vile returns the report of a run in which each text tries to end the element or string that contains it.
func vile() Report {
	evil := "]]>-->\"'&<a \r\n\x00\x1b[2J\u202e\u2028\ufffe\xff{"
	op := model.OpID("GET /" + evil)
	test := model.Test{
		ID: evil,
		Calls: []model.Call{
			{
				Op:     op,
				User:   evil,
				Args:   []model.Arg{{In: model.InPath, Name: evil, Value: evil}},
				Body:   &model.Payload{Media: evil, Data: evil},
				Status: 500,
			},
			{Op: op},
		},
		Links: []model.Link{{From: 0, To: 1, Header: evil, In: model.InPath, Name: evil}},
	}
	return Report{
		Title:      evil,
		Release:    evil,
		Command:    evil,
		BaseURL:    evil,
		Operations: []model.OpID{op},
		Tests:      []model.Test{test},
		Trouble:    []string{evil, evil},
		Faults: []model.Fault{
			{Op: op, Oracle: evil, Severity: model.SeverityError, Expected: evil, Text: evil, Signature: evil, Test: &test},
			{Op: op, Oracle: evil, Severity: model.SeverityNote, Expected: evil, Text: evil, Signature: evil, Test: &test},
		},
		Summary: model.Summary{Targets: 1, Warnings: []model.Warning{{Kind: model.WarningKind(evil), Text: evil}}},
	}
}

func TestReportGolden(t *testing.T) {
	at := time.Date(2031, 1, 2, 3, 4, 5, 6, time.UTC)
	for name, r := range map[string]Report{"outcome": outcome(), "vile": vile(), "none": {}} {
		var junit, wfc bytes.Buffer
		if err := WriteJUnit(&junit, r); err != nil {
			t.Fatal(err)
		}
		if err := WriteWFC(&wfc, r, at, TestPaths{"run/suite.json", "run/faults.json"}); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".xml", junit.Bytes())
		golden(t, name+".json", wfc.Bytes())
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "report", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("differs from %s (look at it, then run with -update): -want +got\n%s", path, diff)
	}
}
