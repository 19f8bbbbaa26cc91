package results

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/model/openapi"
	"sonde/ui/app/adequacy"
	"sonde/ui/app/practice"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
	"sonde/ui/console"

	"github.com/google/go-cmp/cmp"
)

// things returns the analysis of an API that creates and reads things.
func things(t *testing.T) *analysis.Analysis {
	t.Helper()
	spec, err := openapi.Parse(t.Context(), "things.yaml", []byte(`openapi: 3.0.3
info: {title: Things, version: "1"}
paths:
  /things:
    post:
      summary: Add a thing
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

// same fails the test if two texts differ, and shows the lines that differ.
func same(t *testing.T, got, want string) {
	t.Helper()
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("want and got (-+):\n%s", d)
	}
}

func TestPrintAnalysis(t *testing.T) {
	var out bytes.Buffer
	if err := PrintAnalysis(t.Context(), &out, things(t).Spec); err != nil {
		t.Fatal(err)
	}
	same(t, out.String(), `Things 1
OpenAPI 3.0, 3 operations

Operations
POST /things  Add a thing
GET /things/{thingId}
GET /ping

Groups: operations that pass values to each other
group 1: 2 operations, 1 value
  POST /things
  GET /things/{thingId}
    thing.id
group 2: 1 operation, 0 values
  GET /ping

Graph: what depends on what
POST /things
  → GET /things/{thingId}  thing.id
GET /things/{thingId}
GET /ping

Set-up order
  1  /things  POST /things

Who does what
  resource  create  read            update  delete  actions
  /things   POST    GET /{thingId}  -       -       -
  /ping     -       GET             -       -       -

Operations that need data from outside
  none

Values that no operation takes
  none

Cycles
  none

Seqs: few calls in an order that passes values on
POST /things
GET /ping
POST /things, GET /things/{thingId}
`)
}

// The evidence of a group has the places at which each value is taken and emitted.
func TestPrintEvidence(t *testing.T) {
	groups := GroupReports(things(t))
	var out bytes.Buffer
	if err := PrintEvidence(&out, groups); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"1 value exchanged", "POST /things           emits  body /thingId",
		"GET /things/{thingId}  takes  path thingId",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if last := groups[len(groups)-1]; len(last.Exchanged) != 0 || !slices.Equal(last.Operations, []model.OpID{"GET /ping"}) {
		t.Errorf("the last group is %+v", last)
	}
}

// In the JSON, an empty list is not null, and edges are grouped by operation.
func TestDataflowJSON(t *testing.T) {
	var out bytes.Buffer
	if err := dataflow(things(t)).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var r graphReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Operations) != 3 || len(r.Edges) != 1 || r.Edges[0].From != "POST /things" || r.Edges[0].To != "GET /things/{thingId}" {
		t.Errorf("operations %v, edges %+v", r.Operations, r.Edges)
	}
	if r.Cycles == nil || r.Unemitted == nil || r.Reduced != nil {
		t.Errorf("got %s", out.String())
	}
}

// If a picture leaves something out, its note says what, and which flags would show it.
func TestPictureLimits(t *testing.T) {
	x := dataflow(things(t))
	whole, err := x.Picture(PictureLimits{Nodes: DotNodes, Edges: DotEdges})
	if err != nil || len(whole.Nodes) != 3 || len(whole.Edges) != 1 || whole.Note != "" || whole.Title != "Things" {
		t.Errorf("the whole is %+v, error %v", whole, err)
	}
	part, err := x.Picture(PictureLimits{Nodes: 1, Edges: 1})
	if err != nil || len(part.Nodes) != 1 || !strings.HasPrefix(part.Note, "Not shown: 2 operations") ||
		!strings.Contains(part.Note, "--tag") {
		t.Errorf("a part is %+v, error %v", part, err)
	}
	if got := x.SizeText(); got != "3 operations" {
		t.Errorf("its size is %q", got)
	}
	x.Resources = true
	if got := x.SizeText(); !strings.HasSuffix(got, "resources") && !strings.HasSuffix(got, "resource") {
		t.Errorf("its size is %q", got)
	}
}

// A spec without a title is called untitled, and a problem has a line number.
func TestPrintCheck(t *testing.T) {
	var out bytes.Buffer
	spec := &model.Spec{Title: " \u200b", Version: "2", Format: "OpenAPI 3.1", Problems: []model.Problem{
		{Line: 7, Pointer: "/paths", Text: "it is empty"},
		{Pointer: "/info", Text: "it has no title\x1b"},
	}}
	if err := PrintCheck(&out, spec); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, "untitled 2\nOpenAPI 3.1, 0 operations\n2 problems:\n  line 7 /paths  it is empty\n") ||
		strings.Contains(got, "\x1b") {
		t.Errorf("got %q", got)
	}
}

func TestPrintSeqs(t *testing.T) {
	var out, notes bytes.Buffer
	list := distil.Listing{Seqs: []model.Seq{{"POST /a", "GET /a"}, {"GET /b"}}, GaveUp: true}
	if err := PrintSeqs(console.Streams{Out: &out, Err: &notes}, list); err != nil {
		t.Fatal(err)
	}
	same(t, out.String(), "POST /a, GET /a\nGET /b\n")
	if !strings.Contains(notes.String(), "2 seqs, more exist") {
		t.Errorf("notes %q", notes.String())
	}
}

// fault returns a fault of one call with its response.
func fault(id string, severity model.Severity, oracle string) model.Fault {
	return model.Fault{
		ID:       id,
		Op:       "POST /a",
		Oracle:   oracle,
		Severity: severity,
		Status:   500,
		Expected: "a status below 500",
		Text:     "boom",
		Count:    2,
		Calls:    1,
		Test: &model.Test{Calls: []model.Call{{
			Op:     "POST /a",
			Status: 500,
			Body:   &model.Payload{Media: "application/json", Data: `{"x":1}`},
		}}},
		Exchanges: []model.ExchangeExcerpt{{URL: "/a", Status: 500, Body: "boom"}},
	}
}

// Errors come before warnings, and notes are only counted. The last call of each fault is shown.
func TestFaultTable(t *testing.T) {
	var out bytes.Buffer
	table := NewFaultTable(console.NewTable(&out), t.TempDir())
	table.AddFaults([]model.Fault{
		fault("f1", model.SeverityWarning, "slow"),
		fault("f2", model.SeverityError, "server-error"),
		fault("f3", model.SeverityNote, "header"),
		fault("f4", model.SeverityNote, "header"),
	})
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if first, second := strings.Index(text, "f2 POST /a"), strings.Index(text, "f1 POST /a"); first < 0 || second < first {
		t.Errorf("the error is not first:\n%s", text)
	}
	for _, want := range []string{
		"2: 1 error, 1 warning; not counted: 0 flaky, 2 notes", "2: 2 header; --json lists them",
		"seen 2 times; expected a status below 500",
		"request: POST /a", `body:    {"x":1}`, "answer:  500 boom",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if got := TallyText(model.FaultTally{}); got != "none" {
		t.Errorf("no fault: %q", got)
	}
}

// If a fault cannot be repeated, PrintCurl writes a note. If this is the only fault, PrintCurl returns an error.
func TestPrintCurl(t *testing.T) {
	lost := fault("f2", model.SeverityError, "server-error")
	lost.Test = nil
	h := codec.RunHeader{BaseURL: "http://127.0.0.1:1"}
	var out, notes bytes.Buffer
	s := console.Streams{Out: &out, Err: &notes}
	if err := PrintCurl(s, h, []model.Fault{lost}); err == nil {
		t.Error("a fault without its calls was printed")
	}
	if err := PrintCurl(s, h, []model.Fault{fault("f1", model.SeverityError, "server-error"), lost}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.HasPrefix(text, "# f1: POST /a") || !strings.Contains(text, "curl") ||
		!strings.Contains(text, "http://127.0.0.1:1/a") {
		t.Errorf("got %q", text)
	}
	if !strings.Contains(notes.String(), "f2") {
		t.Errorf("notes %q", notes.String())
	}
}

func TestPrintFaults(t *testing.T) {
	var out, notes bytes.Buffer
	s := console.Streams{Out: &out, Err: &notes}
	if err := PrintFaults(s, export.Report{}, nil); err != nil || notes.String() != "sonde: the run found no fault\n" || out.Len() > 0 {
		t.Errorf("none: wrote %q, noted %q, error %v", out.String(), notes.String(), err)
	}
	two := []model.Fault{fault("f1", model.SeverityError, "a"), fault("f2", model.SeverityError, "b")}
	if err := PrintFaults(s, export.Report{}, two); err != nil || strings.Count(out.String(), "POST /a\nfault: ") != 2 {
		t.Errorf("two: error %v\n%s", err, out.String())
	}
}

// Names that were looked up successfully have no line. Hosts beyond the limit are only counted.
func TestHostLines(t *testing.T) {
	hosts := []model.HostSummary{
		{Host: "a.example", Protocol: model.DNS, Count: 2, Outcomes: map[string]int{"answer": 2}},
		{Host: "a.example:443", Protocol: model.HTTP, TLS: true, Count: 3, Outcomes: map[string]int{"answer": 2, "reset": 1}},
		{Host: "127.0.0.1:1", Protocol: model.TCP, Inward: true, Count: 1, Outcomes: map[string]int{"open": 1}},
	}
	want := []string{
		"a.example:443 (http with TLS): 2 × answer, 1 × reset",
		"127.0.0.1:1 (tcp, its own port): 1 × open",
	}
	if got := HostLines(hosts); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var many []model.HostSummary
	for range maxHosts + 2 {
		many = append(many, hosts[1])
	}
	if got := HostLines(many); len(got) != maxHosts+1 || got[maxHosts] != "and 2 more" {
		t.Errorf("many: %q", got)
	}
	if got := HostReports(hosts); len(got) != 3 || got[1].Host != "a.example:443" || !got[1].TLS || got[1].Outcomes["reset"] != 1 {
		t.Errorf("JSON: %+v", got)
	}
}

func TestKeptTestsText(t *testing.T) {
	for want, s := range map[string]model.Summary{
		"3 kept": {Tests: 3},
		"3 kept, 2 of them played again, 1 flaky":                {Tests: 3, Replayed: 2, FlakyTests: 1},
		"3 kept, 1 depend on earlier state and are not exported": {Tests: 3, EarlierState: 1},
		"3 kept, 1,200 calls spared":                             {Tests: 3, RemovedCalls: 1200},
		"3 kept, 1 assertion dropped that did not hold again":    {Tests: 3, DroppedChecks: 1},
	} {
		if got := KeptTestsText(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Operations that never succeeded are named up to a limit, and the others are counted.
func TestWarningLines(t *testing.T) {
	all := []model.Warning{{Kind: model.WarnRate, Text: "too fast"}}
	for range maxWarnings + 3 {
		all = append(all, model.Warning{Kind: model.WarnNever2xx, Text: "never"})
	}
	all = append(all, model.Warning{Kind: model.WarnRate, Text: "too slow"})
	got := WarningLines(all)
	if len(got) != maxWarnings+3 || got[0] != "too fast" || got[maxWarnings+1] != "too slow" ||
		!strings.HasPrefix(got[len(got)-1], "3 more operations never answered 2xx") {
		t.Errorf("got %q", got)
	}
	if got := WarningLines(nil); got != nil {
		t.Errorf("no warning: %q", got)
	}
}

// The text of an assessment lists what is covered, what is missing, and which seqs would cover the missing
// operations.
func TestPrintAdequacy(t *testing.T) {
	a := things(t)
	e := adequacy.NewEvidence(a.Spec, a.ValuesTable(), nil)
	if err := e.Read("-", strings.NewReader("POST /things, GET /things/{thingId}\nGET /nowhere\n")); err != nil {
		t.Fatal(err)
	}
	found, err := adequacy.Assess(t.Context(), a, e)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := PrintAdequacy(&out, found); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"operations  2 of 3  called", "(not in the spec: GET /nowhere)", "\noperations not called:\n  GET /ping\n",
		"1 seq would cover the rest; fewer cannot:\nGET /ping\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	r := NewAdequacyReport(found)
	if r.Operations.Covered != 2 || r.Operations.Of != 3 || len(r.Seqs) != 2 || len(r.Rest.Seqs) != 1 || r.Unmatched == nil {
		t.Errorf("JSON: %+v", r)
	}
	if !slices.Equal(r.Seqs[0].Groups, []int{1}) {
		t.Errorf("groups are numbered from 1, got %v", r.Seqs[0].Groups)
	}
}

// Notes have the reasons why seqs failed, and the end of the budget.
func TestPrintPractice(t *testing.T) {
	r := practice.Report{
		Seqs:      []practice.CalledSeq{{Operations: model.Seq{"GET /a"}, Statuses: []int{200}}},
		SeqCounts: usecase.SeqCounts{Listed: 3, Practical: 1, Successful: 1, Failed: 1, Barred: 1},
		Share:     1.0 / 3,
		Reasons:   []usecase.ObstacleCount{{Obstacle: usecase.Obstacle{Op: "GET /b", Status: 404}, Seqs: 2}},
		Outcome:   practice.Outcome{UsedUp: true},
	}
	var out, notes bytes.Buffer
	if err := PrintPractice(console.Streams{Out: &out, Err: &notes}, r); err != nil {
		t.Fatal(err)
	}
	same(t, out.String(), "GET /a 200\n")
	for _, want := range []string{
		"practical: 1 of 3 listed seqs (33%), 1 of them with 2xx throughout", "1 broke off, 1 begins with one that did not succeed:",
		"2 seqs: GET /b answered 404", "the budget is used up: all listed seqs were reached",
	} {
		if !strings.Contains(notes.String(), want) {
			t.Errorf("%q is not in\n%s", want, notes.String())
		}
	}
}

// A comparison has a column for each rule. The curves are compared at the calls that both rules have made.
func TestPrintComparison(t *testing.T) {
	c := practice.Comparison{
		Rules: []usecase.RuleListing{
			{
				Rule: distil.RuleDC, SeqCounts: usecase.SeqCounts{Listed: 4, Practical: 3, Successful: 2, Failed: 1},
				Reachable: 3, Operations: 3, Calls: 40,
				Reasons: []usecase.ObstacleCount{{Obstacle: usecase.Obstacle{Op: "GET /b", Status: 404}, Seqs: 1}},
				Curve:   []usecase.ListingPoint{{Calls: 4, Practical: 1, Operations: 1}, {Calls: 20, Practical: 3, Operations: 3}},
			},
			{
				Rule: distil.RuleSC, SeqCounts: usecase.SeqCounts{Listed: 2001, Practical: 7, Barred: 1, Open: 1993},
				More: true, Reachable: 3, Operations: 2, Calls: 1200,
				Curve: []usecase.ListingPoint{{Calls: 15, Practical: 1, Operations: 1}},
			},
		},
		Outcome: practice.Outcome{UsedUp: true, Summary: model.Summary{Calls: 1220}},
	}
	var out, notes bytes.Buffer
	if err := PrintComparison(console.Streams{Out: &out, Err: &notes}, c); err != nil {
		t.Fatal(err)
	}
	same(t, out.String(), `                  DC                    SC
listed            4                     2,001+
practical         3 (75%)               7 (0%)
  2xx throughout  2                     0
failed            1                     0
barred            0                     1
open              0                     1,993
operations        3 of 3                2 of 3
calls             40                    1,200
after 10 calls    1 seq, 1 operation    0 seqs, 0 operations
after 20 calls    3 seqs, 3 operations  1 seq, 1 operation
after 40 calls    3 seqs, 3 operations  1 seq, 1 operation
`)
	for _, want := range []string{
		"DC: 1 broke off, 0 begin with one that did not succeed:", "  1 seq: GET /b answered 404",
		"SC: 0 broke off, 1 begins with one that did not succeed:", "1,220 calls sent", "the budget is used up with 1,993 seqs open",
	} {
		if !strings.Contains(notes.String(), want) {
			t.Errorf("%q is not in\n%s", want, notes.String())
		}
	}
}

// shop returns the analysis of an API with a log-in, a tree of resources and a cycle.
func shop(t *testing.T) *analysis.Analysis {
	t.Helper()
	spec, err := service.LoadDemo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Analyze(spec, analysis.Options{})
}

// Each view of the dataflow has all its sections. Resources are in their order of creation.
func TestDataflowViews(t *testing.T) {
	sections := []string{
		"\nSet-up order\n", "\nOperations that need data from outside\n", "\nValues that no operation takes\n", "\nCycles\n",
	}
	for name, view := range map[string]DataflowView{
		"operations": {},
		"reduced":    {Reduce: true},
		"resources":  {Resources: true},
		"both":       {Resources: true, Reduce: true},
	} {
		x := dataflow(shop(t))
		x.DataflowView = view
		var out bytes.Buffer
		if err := x.Print(&out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, want := range sections {
			if strings.Count(out.String(), want) != 1 {
				t.Errorf("%s: the section %q is there %d times", name, want, strings.Count(out.String(), want))
			}
		}
		_, order, _ := strings.Cut(out.String(), "\nSet-up order\n")
		products, carts := strings.Index(order, "/products "), strings.Index(order, "/carts/{cartId}/items ")
		if products < 0 || carts < products {
			t.Errorf("%s: products at %d, items of carts at %d", name, products, carts)
		}
		g, err := x.Picture(PictureLimits{Nodes: DotNodes, Edges: DotEdges})
		if err != nil || len(g.Nodes) == 0 || g.Note != "" {
			t.Errorf("%s: a picture of %d nodes, note %q, error %v", name, len(g.Nodes), g.Note, err)
		}
	}
}

// The JSON of the reduced graph has nodes, and every edge connects two of them.
func TestReducedJSON(t *testing.T) {
	x := dataflow(shop(t))
	x.Reduce = true
	var out bytes.Buffer
	if err := x.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var r graphReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Reduced == nil || len(r.Reduced.Nodes) == 0 || len(r.Reduced.Edges) > len(r.Edges) {
		t.Fatalf("reduced to %+v", r.Reduced)
	}
	for _, e := range r.Reduced.Edges {
		if e.From == e.To || e.From >= len(r.Reduced.Nodes) || e.To >= len(r.Reduced.Nodes) {
			t.Errorf("an edge from %d to %d of %d nodes", e.From, e.To, len(r.Reduced.Nodes))
		}
	}
	if len(r.Resources) == 0 || len(r.SetUp) == 0 {
		t.Errorf("%d resources, %d steps", len(r.Resources), len(r.SetUp))
	}
}

// Long lists of operations are truncated, with the number of operations left out.
func TestCutLists(t *testing.T) {
	ops := []model.OpID{"GET /a", "GET /a/{id}", "GET /a/{id}/b", "GET /c", "GET /d"}
	if got, want := cell("/a", ops), "GET, GET /{id}, GET /{id}/b, +2"; got != want {
		t.Errorf("a cell is %q, want %q", got, want)
	}
	if got := cell("/a", nil); got != "-" {
		t.Errorf("an empty cell is %q", got)
	}
	if got, want := firstOf(ops), "GET /a, GET /a/{id}, GET /a/{id}/b, +2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for rows, want := range map[int]string{0: "  none\n", 1: "", textRows + 2: "  and 2 more: --format json has them all\n"} {
		var out bytes.Buffer
		rest(&out, rows)
		if out.String() != want {
			t.Errorf("%d rows: got %q, want %q", rows, out.String(), want)
		}
	}
}
