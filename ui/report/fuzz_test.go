package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sonde/analysis/distil"
	"sonde/analysis/survey"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/report"
)

// bounds limit the time for reading one input of the fuzz test.
var bounds = openapi.Options{MaxTime: 5 * time.Second, MaxBytes: 1 << 16, MaxDepth: 100, MaxNodes: 20_000}

// FuzzSurvey reads arbitrary bytes as a spec. If they are one, it surveys the spec in every mode of matching, and
// writes each survey in every format.
func FuzzSurvey(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		spec, err := openapi.Parse(ctx, "fuzz.yaml", data, bounds)
		if err != nil {
			return
		}
		for _, values := range []match.Reading{match.PaperReading, match.ShallowReading, match.DeepReading} {
			for _, matching := range []match.Matching{match.MatchByName, match.MatchQualified} {
				o := survey.Options{Mode: match.Mode{Values: values, Match: matching}}
				cases, err := survey.ExamineSpec(ctx, "fuzz.yaml", spec, o)
				if err != nil {
					return // the survey took too long
				}
				for _, c := range cases {
					possible(t, c)
				}
				readable(t, report.Report{Survey: survey.Summarize(cases, survey.OmitCase), Options: o, Specs: 1})
			}
		}
	})
}

// possible checks that the numbers of a case are consistent. A case must not have more groups than operations, for
// example.
func possible(t *testing.T, c survey.Case) {
	t.Helper()
	if c.Operations < 1 || c.Groups < 1 || c.Groups > c.Operations {
		t.Errorf("%d groups of %d operations", c.Groups, c.Operations)
	}
	for _, l := range []survey.Listing{c.DC, c.SC, c.Needed} {
		if l.Seqs > distil.DefaultLimit || l.Covered > c.Operations || l.Touched < l.Seqs || l.Touched > distil.DefaultLength*l.Seqs {
			t.Errorf("of %d operations and %d groups: %+v", c.Operations, c.Groups, l)
		}
	}
	if c.DC.Seqs > c.SC.Seqs || c.Needed.Seqs > c.DC.Seqs {
		t.Errorf("more seqs with more conditions: %+v", c)
	}
}

// readable writes a report in every format, and checks that it can be parsed.
func readable(t *testing.T, r report.Report) {
	t.Helper()
	out := map[report.Format][]byte{}
	for _, f := range []report.Format{report.TextFormat, report.CSVFormat, report.JSONFormat, report.HTMLFormat} {
		var b bytes.Buffer
		if err := report.WriteReport(&b, f, r, 80); err != nil {
			t.Fatal(err)
		}
		out[f] = b.Bytes()
	}
	rows, err := csv.NewReader(bytes.NewReader(out[report.CSVFormat])).ReadAll()
	if err != nil || len(rows) != 1+len(r.Survey.Cases) {
		t.Errorf("csv: %d rows of %d cases, error %v", len(rows), len(r.Survey.Cases), err)
	}
	if !json.Valid(out[report.JSONFormat]) {
		t.Error("json is not valid")
	}
	if text := string(out[report.TextFormat]); !utf8.ValidString(text) || strings.Contains(text, "\x1b") {
		t.Errorf("text: %q", text)
	}
}

// seeds are small specs with features that are hard to survey.
var seeds = []string{
	`{"swagger":"2.0","paths":{"/a":{"get":{"tags":["t","t"],` +
		`"parameters":[{"name":"user_id","in":"query","required":true,"type":"string"}],` +
		`"responses":{"200":{"schema":{"type":"array","items":{"type":"object","properties":{"team_id":{"type":"string"}}}}}}}},` +
		`"/b":{"get":{"tags":["t"],"parameters":[{"name":"team_id","in":"query","required":true,"type":"string"}],` +
		`"responses":{"200":{}}}}}}`,
	"openapi: 3.0.0\npaths:\n  /products/{id}:\n    get:\n" +
		"      parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n" +
		"      responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}\n" +
		"    delete:\n      tags: [\"</script>\\x1b[31m\\u202e,\\\"\"]\n      responses: {'204': {}}\n" +
		"components: {schemas: {P: {type: object, properties: {id: {type: string}, next: {$ref: '#/components/schemas/P'}}}}}\n",
	"openapi: 3.1.0\npaths:\n  /x:\n    post: {requestBody: {content: {application/json: {schema: " +
		"{type: array, items: {oneOf: [{type: object, properties: {a: {}}}, true]}}}}}, responses: {default: {}}}\n",
	"swagger: '2.0'\npaths:\n  /y/{a}: {get: {tags: [yes, no, 'on']}}\n" +
		"  /y/{b}: {get: {tags: [yes]}, put: {}, head: {}, options: {}, patch: {}}\n",
	`{"openapi":"3.0.0","paths":{}}`,
}
