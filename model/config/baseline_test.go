package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/model/config"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// known is a baseline as people keep one.
const known = `# Known faults of Shop. Ask the team before you add one.
faults:
  # the search page, see issue 12
  - operation: GET /products
    oracle: server-error
    signature: "500 internal error"
    first-seen: 2026-12-01
    reason: waits for the new index  # Ann
    until: 2027-01-31

  - operation: "DELETE /products/{id}"
    oracle: schema
    signature: "200 /id is of type string"
    first-seen: 2026-11-30
# the end
`

func fault(op, oracle, signature string) config.KnownFault {
	return config.KnownFault{Operation: model.OpID(op), Oracle: oracle, Signature: signature, FirstSeen: "2026-12-24"}
}

func TestParseBaseline(t *testing.T) {
	got, err := config.ParseBaseline([]byte(known))
	want := []config.KnownFault{
		{
			Operation: "GET /products", Oracle: "server-error", Signature: "500 internal error", FirstSeen: "2026-12-01",
			Reason: "waits for the new index", Until: "2027-01-31",
		},
		{Operation: "DELETE /products/{id}", Oracle: "schema", Signature: "200 /id is of type string", FirstSeen: "2026-11-30"},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v, -want +got:\n%s", err, d)
	}
	for _, empty := range []string{"", "faults:", "faults: []", "# nothing\n"} {
		if got, err := config.ParseBaseline([]byte(empty)); len(got) != 0 || err != nil {
			t.Errorf("%q: %v, error %v", empty, got, err)
		}
	}
}

func TestBaselineErrors(t *testing.T) {
	entry := "faults:\n  - operation: GET /a\n    oracle: schema\n    signature: x\n"
	for name, c := range map[string]struct{ text, want string }{
		"an unknown key":     {entry + "    expires: 2026-12-01\n", `line 5: unknown key "expires" in a known fault: `},
		"another file":       {"spec: a.yaml\n", `line 1: unknown key "spec" in a baseline: `},
		"no date":            {entry + "    until: soon\n", "line 5: a date such as 2026-12-31 belongs here"},
		"a day that is none": {entry + "    until: 2026-02-30\n", "line 5: a date such as"},
		"no signature":       {"faults:\n  - operation: GET /a\n    oracle: schema\n", "line 2: a known fault needs operation"},
		"no path":            {"faults:\n  - {operation: GET, oracle: schema, signature: x}\n", "line 2: a known fault needs operation"},
		"twice":              {entry + strings.TrimPrefix(entry, "faults:\n"), "line 5: this is the fault of line 2, too"},
		"no list":            {"faults: {operation: GET /a}\n", "line 1: faults is a list of faults"},
		"no YAML":            {"faults: [", "line 2: "},
		"too large":          {"# " + strings.Repeat("x", 1<<20), "larger than the limit of 1024 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.ParseBaseline([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestLoadBaseline(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "known.yaml")
	if _, err := config.LoadBaseline(file); err == nil || !strings.Contains(err.Error(), "there is no baseline") {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(file, []byte("fault: []"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.LoadBaseline(file); err == nil || !strings.Contains(err.Error(), `known.yaml": line 1: unknown key "fault"`) {
		t.Errorf("a typing error: %v", err)
	}
}

// The last day of an entry is its date.
func TestKnownFaultExpires(t *testing.T) {
	k := config.KnownFault{Until: "2026-12-31"}
	for day, want := range map[string]bool{"2026-12-30": false, "2026-12-31": false, "2027-01-01": true} {
		today, _ := time.Parse(time.DateOnly, day)
		if got := k.Expired(today); got != want {
			t.Errorf("%s: got %t, want %t", day, got, want)
		}
	}
	if (config.KnownFault{}).Expired(time.Now()) {
		t.Error("an entry without until has expired")
	}
}

// An entry has the key of the fault, also if its signature is copied from a report.
func TestKnownFaultKey(t *testing.T) {
	f := model.Fault{Op: "GET /a/{id}", Oracle: model.ServerErrorOracle, Signature: "500 the name F is too short", Status: 500}
	for _, k := range []config.KnownFault{
		config.NewKnownFault(f, time.Now()),
		{Operation: "GET /a/{aId}", Oracle: f.Oracle, Signature: "500 the name <value> is too short"},
	} {
		if k.Key() != f.Key() {
			t.Errorf("got %+v, want %+v", k.Key(), f.Key())
		}
	}
}

// Whatever a message is, the entry of its fault has the key of the fault, also when it was written and read.
func TestBaselineHoldsAnyText(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"500 ", "500", "yes", "- x", "a: b", "a #b", "\xff\x00\x1b", "\u2028\ufeff", "<value>x <value>", "{id} {a}",
		strings.Repeat("é", 1500),
	}))
	oracles := rapid.SampledFrom([]string{"schema", model.ServerErrorOracle})
	rapid.Check(t, func(t *rapid.T) {
		f := model.Fault{Op: model.OpID("GET /" + text.Draw(t, "path")), Oracle: oracles.Draw(t, "oracle"), Signature: text.Draw(t, "text")}
		read, err := config.ParseBaseline(config.NewBaseline("", []config.KnownFault{config.NewKnownFault(f, time.Now())}))
		if err != nil || len(read) != 1 || read[0].Key() != f.Key() {
			t.Fatalf("error %v, read %+v, want the key %+v", err, read, f.Key())
		}
	})
}

// A new baseline is sorted, and has each fault once, with the first date.
func TestNewBaseline(t *testing.T) {
	older := fault("GET /b/{x}", "schema", "y")
	older.FirstSeen = "2026-01-01"
	all := []config.KnownFault{
		fault("POST /b", "schema", `a "text": x`), fault("GET /b/{id}", "schema", "y"), fault("GET /b", "schema", "x"), older,
	}
	text := config.NewBaseline("Shop\n evil: true", all)
	want := `# Known faults of Shop evil: true, which do not make sonde ci fail.
# An entry may have reason: TEXT, and until: DATE, the last day on which the fault counts as known.
# sonde baseline --update adds faults, and keeps what is here, with its comments.
faults:
  - operation: GET /b
    oracle: schema
    signature: x
    first-seen: 2026-12-24
  - operation: POST /b
    oracle: schema
    signature: "a \"text\": x"
    first-seen: 2026-12-24
  - operation: GET /b/{id}
    oracle: schema
    signature: "y"
    first-seen: 2026-01-01
`
	if d := cmp.Diff(want, string(text)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	slices.Reverse(all)
	if again := config.NewBaseline("Shop\n evil: true", all); strings.Replace(string(again), "{x}", "{id}", 1) != string(text) {
		t.Errorf("another order of faults gives\n%s", again)
	}
	if empty, err := config.ParseBaseline(config.NewBaseline("", nil)); len(empty) > 0 || err != nil {
		t.Errorf("an empty baseline: %v, error %v", empty, err)
	}
}

// An update adds what is missing, and changes no other line.
func TestUpdateBaseline(t *testing.T) {
	found := []config.KnownFault{
		fault("GET /products", "server-error", "500 internal error"), fault("PUT /zoo", "schema", "z"), fault("GET /a", "schema", "a"),
		fault("POST /products", "schema", "b"), fault("PUT /zoo", "schema", "z"),
	}
	c, err := config.UpdateBaseline([]byte(known), found, false)
	if err != nil {
		t.Fatal(err)
	}
	added := func(op, signature string) string {
		return "  - operation: " + op + "\n    oracle: schema\n    signature: " + signature + "\n    first-seen: 2026-12-24\n"
	}
	want := strings.Replace(known, "faults:\n", "faults:\n"+added("GET /a", "a"), 1)
	want = strings.Replace(want, "    until: 2027-01-31\n", "    until: 2027-01-31\n"+added("POST /products", "b"), 1)
	want = strings.Replace(want, "# the end\n", added("PUT /zoo", "z")+"# the end\n", 1)
	if d := cmp.Diff(want, string(c.Text)); d != "" || len(c.Added) != 3 || len(c.Removed) != 0 {
		t.Errorf("added %v, -want +got:\n%s", c.Added, d)
	}
	again, err := config.UpdateBaseline(c.Text, found, false)
	if err != nil || string(again.Text) != string(c.Text) || len(again.Added) > 0 {
		t.Errorf("a second time: error %v, added %v", err, again.Added)
	}
}

// Pruning removes an entry with the comments directly above it.
func TestPruneBaseline(t *testing.T) {
	found := []config.KnownFault{fault("DELETE /products/{x}", "schema", "200 /id is of type string")}
	c, err := config.UpdateBaseline([]byte(known), found, true)
	if err != nil {
		t.Fatal(err)
	}
	from, to := strings.Index(known, "  # the search page"), strings.Index(known, "\n  - operation: \"DELETE")
	if d := cmp.Diff(known[:from]+known[to:], string(c.Text)); d != "" || len(c.Removed) != 1 || c.Removed[0].Oracle != "server-error" {
		t.Errorf("removed %v, -want +got:\n%s", c.Removed, d)
	}
	c, err = config.UpdateBaseline([]byte(known), nil, true)
	if err != nil || len(c.Removed) != 2 {
		t.Fatalf("error %v, removed %v", err, c.Removed)
	}
	c, err = config.UpdateBaseline(c.Text, []config.KnownFault{fault("GET /a", "schema", "a")}, true)
	if err != nil || len(c.Added) != 1 {
		t.Errorf("after all were removed: error %v, added %v\n%s", err, c.Added, c.Text)
	}
}

func TestUpdateOtherForms(t *testing.T) {
	one := []config.KnownFault{fault("GET /b", "schema", "x")}
	const dashes = "faults:\n- operation: GET /a\n  oracle: schema\n  signature: x\n- operation: GET /c\n  oracle: schema\n  signature: x\n"
	for name, text := range map[string]string{
		"no text":          "",
		"an empty list":    "faults: [] # none yet\n",
		"no list":          "faults:\n",
		"no indentation":   dashes,
		"no end of line":   "faults:\n  - {operation: GET /a, oracle: schema, signature: x}",
		"line ends of DOS": "faults:\r\n  - {operation: GET /a, oracle: schema, signature: x}\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			c, err := config.UpdateBaseline([]byte(text), one, false)
			if err != nil || len(c.Added) != 1 {
				t.Errorf("error %v, added %v\n%s", err, c.Added, c.Text)
			}
		})
	}
	flow := "faults: [{operation: GET /a, oracle: schema, signature: x}]\n"
	if _, err := config.UpdateBaseline([]byte(flow), one, false); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a list in one line: %v", err)
	}
}

// FuzzBaseline parses arbitrary texts, and adds a fault to those that are baselines. The entries of the text stay.
func FuzzBaseline(f *testing.F) {
	for _, seed := range []string{known, bomb(), "faults: []", "faults:\n- {operation: GET /a, oracle: b, signature: c}\n", "faults: [~]"} {
		f.Add([]byte(seed), "GET /b", "x\ny: z")
	}
	f.Fuzz(func(t *testing.T, data []byte, op, signature string) {
		before, err := config.ParseBaseline(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		k := config.NewKnownFault(model.Fault{Op: model.OpID(op), Oracle: "schema", Signature: signature}, time.Now())
		c, err := config.UpdateBaseline(data, []config.KnownFault{k}, false)
		if err != nil {
			return
		}
		after, err := config.ParseBaseline(c.Text)
		if err != nil || len(after) != len(before)+len(c.Added) {
			t.Fatalf("error %v, %d entries after %d and %d", err, len(after), len(before), len(c.Added))
		}
		for _, entry := range before {
			if !slices.Contains(after, entry) {
				t.Errorf("%+v is gone", entry)
			}
		}
	})
}
