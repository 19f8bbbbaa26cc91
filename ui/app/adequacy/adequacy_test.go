package adequacy_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/ui/app/adequacy"

	"github.com/google/go-cmp/cmp"
)

// things returns the analysis of a small API.
func things(t *testing.T) *analysis.Analysis {
	t.Helper()
	spec, err := openapi.Parse(t.Context(), "things.yaml", []byte(`openapi: 3.0.3
info: {title: Things, version: "1"}
servers: [{url: "https://api.example/v1"}]
paths:
  /things:
    post:
      responses:
        "201":
          description: ok
          content: {application/json: {schema: {type: object, properties: {thingId: {type: string}}}}}
  /things/{thingId}:
    get:
      parameters: [{name: thingId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
  /ping: {get: {responses: {"200": {description: ok}}}}
`), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Analyze(spec, analysis.Options{})
}

// har returns a HAR file with requests, each "METHOD URL".
func har(requests ...string) string {
	var entries []string
	for _, r := range requests {
		method, url, _ := strings.Cut(r, " ")
		entries = append(entries, `{"request":{"method":"`+method+`","url":"`+url+`"},"response":{"status":200}}`)
	}
	return `{"log":{"version":"1.2","entries":[` + strings.Join(entries, ",") + `]}}`
}

// Operations are read in the form that sonde seqs prints. Distilled seqs cover the missing ones.
func TestAssess(t *testing.T) {
	a := things(t)
	e := adequacy.NewEvidence(a.Spec, a.ValuesTable(), nil)
	if err := e.Read("-", strings.NewReader("POST /things, GET /things/{thingId}\nGET /nowhere\n")); err != nil {
		t.Fatal(err)
	}
	got, err := adequacy.Assess(t.Context(), a, e)
	if err != nil {
		t.Fatal(err)
	}
	if got.Operations.Covered != 2 || !slices.Equal(got.Operations.Missing, []model.OpID{"GET /ping"}) {
		t.Errorf("operations %+v", got.Operations)
	}
	if want := []model.Seq{{"GET /ping"}}; !cmp.Equal(got.Rest.Seqs, want) {
		t.Errorf("the rest is %v, want %v", got.Rest.Seqs, want)
	}
	if len(got.Seqs) != 2 || !slices.Equal(got.Scopes[1].Unknown, []model.OpID{"GET /nowhere"}) || got.Files != 1 {
		t.Errorf("%d files, seqs %+v, reaches %+v", got.Files, got.Seqs, got.Scopes)
	}
}

// Only requests to hosts of the service count: the hosts that the user names, otherwise those of the spec,
// otherwise the host with the most matching requests.
func TestHostsOfEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		hosts    []string
		requests []string
		want     int // number of operations in the seqs of the evidence
		assumed  []string
		others   map[string]int
		unknown  int
	}{
		"of the spec": {
			requests: []string{"GET https://API.example/v1/ping", "GET http://cdn.example/ping"},
			want:     1, others: map[string]int{"cdn.example": 1},
		},
		"the most frequent": {
			requests: []string{"GET http://127.0.0.1:80/ping", "POST http://127.0.0.1:80/things", "GET http://x.example/ping"},
			want:     2, assumed: []string{"127.0.0.1:80"}, others: map[string]int{"x.example": 1},
		},
		"named": {
			hosts:    []string{"X.example"},
			requests: []string{"GET http://127.0.0.1:80/ping", "GET http://x.example:8080/ping", "GET http://x.example/what"},
			want:     1, others: map[string]int{"127.0.0.1:80": 1}, unknown: 1,
		},
	} {
		a := things(t)
		e := adequacy.NewEvidence(a.Spec, a.ValuesTable(), c.hosts)
		if err := e.Read("-", strings.NewReader(har(c.requests...))); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, s := range e.Seqs {
			n += len(s.Seq)
		}
		if n != c.want || !slices.Equal(e.AssumedHosts, c.assumed) || !cmp.Equal(e.OtherHosts, c.others) || len(e.Unmatched) != c.unknown {
			t.Errorf("%s: %d operations, assumed %q, others %v, unmatched %v", name, n, e.AssumedHosts, e.OtherHosts, e.Unmatched)
		}
	}
}

func TestEvidenceErrors(t *testing.T) {
	a := things(t)
	e := adequacy.NewEvidence(a.Spec, a.ValuesTable(), nil)
	if err := e.Read("no-such-file", nil); err == nil || e.Files != 0 {
		t.Errorf("error %v, %d files", err, e.Files)
	}
}
