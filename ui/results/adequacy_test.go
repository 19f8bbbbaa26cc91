package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/lab/mutate"
	"sonde/ui/app/adequacy"
	"sonde/ui/app/generation"
)

// assessed reads each text as a file with seqs or requests, and assesses how much of the API of things they cover.
func assessed(t *testing.T, texts ...string) *adequacy.Assessment {
	t.Helper()
	a := things(t)
	e := adequacy.NewEvidence(a.Spec, a.ValuesTable(), nil)
	for _, text := range texts {
		if err := e.Read("-", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := adequacy.Assess(t.Context(), a, e)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// archive returns an HTTP archive of GET requests.
func archive(urls ...string) string {
	var entries []string
	for _, url := range urls {
		entries = append(entries, `{"request":{"method":"GET","url":"`+url+`"},"response":{"status":200}}`)
	}
	return `{"log":{"version":"1.2","entries":[` + strings.Join(entries, ",") + `]}}`
}

func adequacyOf(t *testing.T, a *adequacy.Assessment) string {
	t.Helper()
	var out bytes.Buffer
	if err := PrintAdequacy(&out, a); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// If seqs call everything, nothing is listed as missing.
func TestAdequacyOfEverything(t *testing.T) {
	same(t, adequacyOf(t, assessed(t, "POST /things, GET /things/{thingId}\nGET /ping\n")), `   seq     groups  calls
✓  line 1  1       POST things › GET things/{}
✓  line 2  2       GET ping

✓ seqs      2 of 2  touch a single group, which is best
groups      2 of 2  touched
operations  3 of 3  called
values      1 of 1  taken or emitted
passed on   1 of 1  emitted by one call and taken by a later one of the same seq

every operation is called
`)
}

// Without seqs there is no table of seqs, and everything is missing.
func TestAdequacyOfNothing(t *testing.T) {
	text := adequacyOf(t, assessed(t))
	for _, want := range []string{
		"✓ seqs      0 of 0", "\ngroups not touched:\n  1  POST /things and 1 more\n  2  GET /ping\n",
		"\nvalues not reached:\n  thing.id", "\nvalues not passed on:\n  thing.id\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "calls\n") {
		t.Errorf("a table of no seqs:\n%s", text)
	}
}

// The files of seqs are named only if there are several files.
func TestAdequacyNamesFiles(t *testing.T) {
	for texts, want := range map[string]bool{"GET /ping\n": false, "GET /ping\n|GET /ping\n": true} {
		text := adequacyOf(t, assessed(t, strings.Split(texts, "|")...))
		if got := strings.Contains(text, "file") && strings.Contains(text, "standard input"); got != want {
			t.Errorf("%q: names files: %t, want %t\n%s", texts, got, want, text)
		}
	}
}

// Requests that were read but not counted are listed with the reasons.
func TestAdequacyListsWhatIsLeftOut(t *testing.T) {
	found := assessed(t, archive("http://127.0.0.1:1/ping", "http://127.0.0.1:1/nowhere", "http://cdn.example/a", "http://cdn.example/b"))
	found.OtherTags, found.Unread = 2, 1
	text := adequacyOf(t, found)
	for _, want := range []string{
		"\n1 request not in the spec:\n  GET http://127.0.0.1:1/nowhere  (",
		"(--host names the service's):\n  cdn.example  2 requests\n",
		"\nnote:\n  127.0.0.1:1 was taken for the service, ",
		"2 calls of operations without the tag left out", "1 call in Go code not read",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "is it the right spec") {
		t.Errorf("one request matches, but it asks for the right spec:\n%s", text)
	}
	if text := adequacyOf(t, assessed(t, archive("http://cdn.example/a"))); !strings.Contains(text, "is it the right spec") {
		t.Errorf("no request matches, but it does not ask for the right spec:\n%s", text)
	}
}

// A request that matches no operation is listed once, even if several seqs contain it. At most maxUnmatched such
// requests are listed, and the others are counted.
func TestUnmatchedLines(t *testing.T) {
	var all []adequacy.Request
	for i := range maxUnmatched + 2 {
		r := adequacy.Request{Method: "GET", URL: fmt.Sprint("/", i), Seq: "first"}
		again := r
		again.Seq = "second"
		all = append(all, r, again)
	}
	want := "GET /0  (first)\nGET /1  (first)\nGET /2  (first)\nGET /3  (first)\nGET /4  (first)\nand 2 more"
	same(t, strings.Join(unmatchedLines(all), "\n"), want)
	same(t, strings.Join(unmatchedLines(all[:2]), "\n"), "GET /0  (first)")
}

// The title says how much the listed seqs would cover, and whether a smaller choice is possible.
func TestTitleOfTheRest(t *testing.T) {
	for want, change := range map[string]func(*adequacy.Assessment){
		"1 seq would cover the rest": func(a *adequacy.Assessment) {
			a.Rest.IsMinimum = false
		},
		"1 seq would cover 2 of these 3 operations; fewer cannot": func(a *adequacy.Assessment) {
			a.Rest.IsMinimum, a.Rest.Operations = true, []model.OpID{"GET /c"}
		},
	} {
		var a adequacy.Assessment
		a.Operations.Missing = []model.OpID{"GET /a", "GET /b", "GET /c"}
		a.Rest.Seqs = []model.Seq{{"GET /a", "GET /b"}}
		change(&a)
		if got := (adequacyText{&a}).restTitle(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for gaveUp, want := range map[bool]string{
		true:  "none of the listed seqs (20,000, more exist)",
		false: "need values that no earlier operation provides",
	} {
		var a adequacy.Assessment
		a.Rest.GaveUp = gaveUp
		if got := (adequacyText{&a}).whyNone(); !strings.Contains(got, want) {
			t.Errorf("gave up: %t: got %q, want %q in it", gaveUp, got, want)
		}
	}
}

// A list in JSON is never null, even if it is empty.
func TestJSONHasNoNull(t *testing.T) {
	graph := new(bytes.Buffer)
	if err := dataflow(things(t)).WriteJSON(graph); err != nil {
		t.Fatal(err)
	}
	for name, report := range map[string]any{
		"adequacy": NewAdequacyReport(assessed(t)),
		"groups":   GroupReports(things(t)),
		"graph":    json.RawMessage(graph.Bytes()),
		"record":   NewRecordReport("rec", nil, nil, model.Recording{}),
		"generate": (&generation.Generation{Options: &generation.Options{}}).Report(new(model.Spec)),
		"mutate":   NewMutateReport(new(mutate.Analysis), new(mutate.Log)),
	} {
		data, err := json.Marshal(report)
		if err != nil || bytes.Contains(data, []byte("null")) {
			t.Errorf("%s: got %s, error %v, want no null", name, data, err)
		}
	}
}
