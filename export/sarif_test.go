package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sarifMembers are the members of each kind of object by the specification of SARIF 2.1.0. A member with a "!" is
// required, or GitHub requires it. Only members that Sonde may write are listed.
var sarifMembers = map[string][]string{
	"log":              {"$schema", "version!", "runs!"},
	"run":              {"tool!", "invocations", "originalUriBaseIds", "artifacts", "results!"},
	"tool":             {"driver!"},
	"driver":           {"name!", "version", "rules!"},
	"rule":             {"id!", "name", "shortDescription!", "fullDescription!", "help!", "defaultConfiguration!", "properties"},
	"configuration":    {"level!"},
	"invocation":       {"commandLine", "startTimeUtc", "executionSuccessful!", "toolExecutionNotifications"},
	"notification":     {"level!", "message!"},
	"message":          {"text!"},
	"base":             {"description!"},
	"artifact":         {"location!", "roles!"},
	"artifactLocation": {"uri!", "uriBaseId", "index!"},
	"result": {
		"ruleId!", "ruleIndex!", "level!", "message!", "locations!", "occurrenceCount", "partialFingerprints!", "properties!",
	},
	"location":         {"physicalLocation", "logicalLocations!"},
	"physicalLocation": {"artifactLocation!", "region"},
	"region":           {"startLine!"},
	"logicalLocation":  {"fullyQualifiedName!"},
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// sarifObject checks the members of an object, and returns it.
func sarifObject(t failer, kind string, value any) map[string]any {
	t.Helper()
	object, ok := value.(map[string]any)
	if !ok {
		t.Fatalf("%s is %T, not an object", kind, value)
	}
	for _, member := range sarifMembers[kind] {
		name, required := strings.CutSuffix(member, "!")
		if _, has := object[name]; required && !has {
			t.Fatalf("%s lacks %s: %v", kind, name, object)
		}
	}
	for name := range object {
		if !slices.Contains(sarifMembers[kind], name) && !slices.Contains(sarifMembers[kind], name+"!") {
			t.Fatalf("%s must not have %s", kind, name)
		}
	}
	return object
}

// sarifList returns the elements of a member of an object, each of them checked. The member may be missing.
func sarifList(t failer, kind string, value any) (all []map[string]any) {
	t.Helper()
	list, ok := value.([]any)
	if !ok && value != nil {
		t.Fatalf("%T is no list of kind %s", value, kind)
	}
	for _, e := range list {
		all = append(all, sarifObject(t, kind, e))
	}
	return all
}

func sarifLevelOf(t failer, value any) {
	t.Helper()
	if level, _ := value.(string); !slices.Contains([]string{"none", "note", "warning", "error"}, level) {
		t.Fatalf("%v is no level", value)
	}
}

// sarifMessageOf checks a message: its braces must be doubled and its brackets escaped, so that it has neither
// arguments nor links.
func sarifMessageOf(t failer, value any) {
	t.Helper()
	text, _ := sarifObject(t, "message", value)["text"].(string)
	rest := strings.NewReplacer("{{", "", "}}", "", `\\`, "", `\[`, "", `\]`, "").Replace(text)
	if text == "" || strings.ContainsAny(rest, `{}[]\`) || strings.ContainsFunc(text, unicode.IsControl) {
		t.Fatalf("message %q", text)
	}
}

// checkSARIF checks a file by the rules of SARIF 2.1.0, and returns its results.
func checkSARIF(t failer, data []byte) []map[string]any {
	t.Helper()
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("no JSON: %v", err)
	}
	log := sarifObject(t, "log", value)
	runs := sarifList(t, "run", log["runs"])
	if log["version"] != "2.1.0" || len(runs) != 1 {
		t.Fatalf("version %v, %d runs", log["version"], len(runs))
	}
	run := runs[0]
	if _, ok := run["results"].([]any); !ok {
		t.Fatalf("results are %v, want a list", run["results"])
	}
	driver := sarifObject(t, "driver", sarifObject(t, "tool", run["tool"])["driver"])
	rules := sarifList(t, "rule", driver["rules"])
	checkSARIFRules(t, rules)
	for _, i := range sarifList(t, "invocation", run["invocations"]) {
		for _, n := range sarifList(t, "notification", i["toolExecutionNotifications"]) {
			sarifLevelOf(t, n["level"])
			sarifMessageOf(t, n["message"])
		}
	}
	bases, _ := run["originalUriBaseIds"].(map[string]any)
	for _, base := range bases {
		sarifMessageOf(t, sarifObject(t, "base", base)["description"])
	}
	artifacts := sarifList(t, "artifact", run["artifacts"])
	results := sarifList(t, "result", run["results"])
	for _, r := range results {
		checkSARIFResult(t, r, rules)
		for _, l := range sarifList(t, "location", r["locations"]) {
			sarifList(t, "logicalLocation", l["logicalLocations"])
			if l["physicalLocation"] != nil {
				checkSARIFPlace(t, sarifObject(t, "physicalLocation", l["physicalLocation"]), artifacts, bases)
			}
		}
	}
	return results
}

func checkSARIFRules(t failer, rules []map[string]any) {
	t.Helper()
	known := map[any]bool{}
	for _, rule := range rules {
		if known[rule["id"]] || rule["id"] == "" {
			t.Fatalf("a second or empty rule %q", rule["id"])
		}
		known[rule["id"]] = true
		sarifLevelOf(t, sarifObject(t, "configuration", rule["defaultConfiguration"])["level"])
		for _, member := range []string{"shortDescription", "fullDescription", "help"} {
			sarifMessageOf(t, rule[member])
		}
	}
}

func checkSARIFResult(t failer, r map[string]any, rules []map[string]any) {
	t.Helper()
	at, _ := r["ruleIndex"].(float64)
	if int(at) >= len(rules) || rules[int(at)]["id"] != r["ruleId"] {
		t.Fatalf("rule %v is not at %v", r["ruleId"], at)
	}
	sarifLevelOf(t, r["level"])
	sarifMessageOf(t, r["message"])
	prints, _ := r["partialFingerprints"].(map[string]any)
	if len(prints) != 2 || prints["primaryLocationLineHash"] == "" {
		t.Fatalf("fingerprints %v", prints)
	}
	if list, _ := r["locations"].([]any); len(list) != 1 {
		t.Fatalf("locations %v", list)
	}
}

// checkSARIFPlace checks that a place is in one of the artifacts, and that its path is relative to a known base.
func checkSARIFPlace(t failer, place map[string]any, artifacts []map[string]any, bases map[string]any) {
	t.Helper()
	at := sarifObject(t, "artifactLocation", place["artifactLocation"])
	index, _ := at["index"].(float64)
	if int(index) >= len(artifacts) || cmp.Diff(artifacts[int(index)]["location"], any(at)) != "" {
		t.Fatalf("no artifact at %v", at)
	}
	text, _ := at["uri"].(string)
	uri, err := url.Parse(text)
	if err != nil || strings.HasPrefix(text, "/") {
		t.Fatalf("uri %q", text)
	}
	base, relative := at["uriBaseId"].(string)
	if relative == uri.IsAbs() || relative && bases[base] == nil {
		t.Fatalf("uri %q with base %q", text, base)
	}
	if place["region"] != nil {
		if line, _ := sarifObject(t, "region", place["region"])["startLine"].(float64); line < 1 {
			t.Fatalf("line %v", line)
		}
	}
}

// shopRules returns the rules and the spec of the faults of outcome.
func shopRules() SARIFSource {
	return SARIFSource{
		Rules: []Rule{
			{Name: "server-error", Severity: model.SeverityError, About: "an answer of 500 or more"},
			{Name: "schema", Severity: model.SeverityWarning, About: "an answer that does not match its schema"},
			{Name: "undeclared-status", Severity: model.SeverityNote, About: "a status that the spec does not declare"},
			{Name: "sql-injection", Severity: model.SeverityError, About: "a value that becomes part of a query", Security: true},
		},
		Spec: SpecFile{URI: "api/shop.yaml", Lines: map[model.OpID]int{"PUT /orders/{id}": 12, "GET /orders": 3}},
	}
}

func sarifOf(t failer, r Report, source SARIFSource) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSARIF(&b, r, source); err != nil {
		t.Fatalf("%v", err)
	}
	return b.Bytes()
}

func TestSARIFGolden(t *testing.T) {
	for name, c := range map[string]struct {
		report  Report
		source  SARIFSource
		results int
	}{
		"outcome": {outcome(), shopRules(), 3},
		"vile":    {vile(), SARIFSource{Spec: SpecFile{URI: "https://shop.example/openapi.json"}}, 1},
		"none":    {Report{}, SARIFSource{}, 0},
	} {
		data := sarifOf(t, c.report, c.source)
		golden(t, name+".sarif", data)
		if got := len(checkSARIF(t, data)); got != c.results {
			t.Errorf("%s: %d results, want %d", name, got, c.results)
		}
	}
}

// The fingerprints of a fault depend on its operation, oracle and signature, and on nothing else.
func TestFingerprints(t *testing.T) {
	base := model.Fault{Op: "GET /a", Oracle: "schema", Signature: "x", Count: 1, Status: 200}
	again := base
	again.Count, again.Status, again.Text, again.ID = 7, 201, "other", "f9"
	fingerprints := func(f model.Fault) map[string]string { return fingerprinter{map[model.FaultKey]int{}}.of(f) }
	if d := cmp.Diff(fingerprints(base), fingerprints(again)); d != "" {
		t.Errorf("another occurrence (-first +second):\n%s", d)
	}
	for name, f := range map[string]model.Fault{
		"operation":            {Op: "GET /b", Oracle: "schema", Signature: "x"},
		"oracle":               {Op: "GET /a", Oracle: "crash", Signature: "x"},
		"signature":            {Op: "GET /a", Oracle: "schema", Signature: "y"},
		"a shifted separation": {Op: "GET /a", Oracle: "schem", Signature: "ax"},
	} {
		for kind, value := range fingerprints(f) {
			if value == fingerprints(base)[kind] {
				t.Errorf("%s: the same %s", name, kind)
			}
		}
	}
}

// Two faults of a run with the same key have different alerts.
func TestFingerprintsOfSameKey(t *testing.T) {
	r := outcome()
	r.Faults = nil
	for _, signature := range []string{"500 the name F is too short", "500 the name is too short"} {
		r.Faults = append(r.Faults, model.Fault{
			Op: "GET /a", Oracle: model.ServerErrorOracle, Severity: model.SeverityError, Status: 500, Signature: signature,
		})
	}
	var got []any
	for _, result := range checkSARIF(t, sarifOf(t, r, shopRules())) {
		got = append(got, result["partialFingerprints"].(map[string]any)["primaryLocationLineHash"])
	}
	if len(got) != 2 || got[0].(string)[:16] != got[1].(string)[:16] || got[0] == got[1] {
		t.Errorf("fingerprints %v", got)
	}
}

// A file has no more results than code scanning shows, and no commands that are very long.
func TestSARIFLimits(t *testing.T) {
	r := outcome()
	r.Faults = nil
	for i := range maxSARIFResults + 7 {
		op := model.OpID(fmt.Sprintf("GET /%d", i))
		r.Faults = append(r.Faults, model.Fault{Op: op, Oracle: "schema", Severity: model.SeverityWarning, Signature: "x"})
	}
	r.Faults[maxSARIFResults+6].Severity = model.SeverityError // the worst one is the last one found
	r.Reproduce = func(f model.Fault) string { return "curl " + strings.Repeat("x", len(f.Op)*1024) }
	data := sarifOf(t, r, shopRules())
	results := checkSARIF(t, data)
	if len(results) != maxSARIFResults || results[0]["level"] != "error" {
		t.Errorf("%d results, the first of level %v", len(results), results[0]["level"])
	}
	if !bytes.Contains(data, []byte("7 faults are left out")) || bytes.Contains(data, []byte(strings.Repeat("x", maxSARIFCurl+1))) {
		t.Error("no note about what is left out, or a long command")
	}
	if !bytes.Contains(data, []byte(strings.Repeat("x", 6*1024))) {
		t.Error("a command of 6 KiB is missing")
	}
}

// For all texts of a service or a spec, the file is valid and has the same results.
func TestSARIFHoldsAnyText(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"[x](https://evil.example)", "{0}", "}{", `\[`, `\\[a](1)`, "\x00\x1b[2J", "\xff", "\u202e", "", "a\nb",
	}))
	rapid.Check(t, func(t *rapid.T) {
		evil := text.Draw(t, "text")
		r := outcome()
		r.Title, r.Command, r.Release, r.Trouble = evil, evil, evil, []string{"trouble " + evil}
		r.Faults[0].Oracle, r.Faults[0].Op, r.Faults[0].Text = evil, model.OpID("GET /"+evil), evil
		r.Faults[1].Expected, r.Faults[1].Signature, r.Faults[1].Exchanges[0].URL = evil, evil, evil
		r.Reproduce = func(model.Fault) string { return evil }
		if got := len(checkSARIF(t, sarifOf(t, r, shopRules()))); got != 3 {
			t.Fatalf("%d results, want 3", got)
		}
	})
}

func TestSARIFMessage(t *testing.T) {
	for text, want := range map[string]string{
		"GET /orders/{id}":    "GET /orders/{{id}}",
		"[see](https://evil)": `\[see\](https://evil)`,
		`C:\[x`:               `C:\\\[x`,
		"a\nb\x1b":            "a b ",
	} {
		if got := sarifMessage(text).Text; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A message has the operation, what was expected, what came, and the request.
func TestSARIFMessageOfFault(t *testing.T) {
	results := checkSARIF(t, sarifOf(t, outcome(), shopRules()))
	got := fmt.Sprint(results[0]["message"])
	want := "map[text:PUT /orders/{{id}}: expected a status below 500, got 500 oops. Request: PUT /orders/8 with text/plain x]"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
