package results

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/console"
)

// faultRows returns the rows of a fault of the run in a folder.
func faultRows(t *testing.T, folder string, f model.Fault) string {
	t.Helper()
	var out bytes.Buffer
	table := NewFaultTable(console.NewTable(&out), folder)
	table.AddFaults([]model.Fault{f})
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// storedRun writes a run of a service at a URL to a folder and returns the folder.
func storedRun(t *testing.T, url string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "my run")
	w, err := codec.CreateRun(folder, codec.RunHeader{Title: "Things", BaseURL: url}, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	return folder
}

// A fault of one call has a curl command. A fault of several calls has a command of Sonde that prints a script. Both
// the curl command and the script call the service of the run.
func TestFaultRowsHaveCommands(t *testing.T) {
	folder := storedRun(t, "http://127.0.0.1:1/")
	one := fault("f1", model.SeverityError, "server-error")
	several := fault("f2", model.SeverityError, "server-error")
	several.Calls = 2
	several.Test = &model.Test{Calls: []model.Call{{Op: "GET /b", Status: 200}, one.Test.Calls[0]}}
	for name, c := range map[string]struct {
		fault model.Fault
		want  []string
	}{
		"one call": {one, []string{"request: POST http://127.0.0.1:1/a\n", "curl:    curl ", "http://127.0.0.1:1/a -H "}},
		"several calls": {several, []string{
			"  by GET /b, POST /a\n", "a script of 2 calls: sonde faults '" + folder + "' f2 --format curl\n",
		}},
	} {
		text := faultRows(t, folder, c.fault)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, text)
			}
		}
	}
}

// The rows of a fault say what was sent, if this is known.
func TestFaultRowsHaveTheInput(t *testing.T) {
	f := fault("f1", model.SeverityWarning, "server-error")
	if text := faultRows(t, t.TempDir(), f); strings.Contains(text, "input") {
		t.Errorf("a fault of an older run has an input:\n%s", text)
	}
	f.Input = model.Input{Class: model.InputInvalid, Constraint: "minimum", Place: "query limit"}
	if text := faultRows(t, t.TempDir(), f); !strings.Contains(text, "input invalid: minimum of query limit\n") {
		t.Errorf("the input is not in\n%s", text)
	}
}

// If the service was started for the run, no URL is shown, because it would no longer be valid.
func TestFaultRowsOfAStartedService(t *testing.T) {
	text := faultRows(t, storedRun(t, "http://127.0.0.1:"+model.PortPlaceholder), fault("f1", model.SeverityError, "server-error"))
	if !strings.Contains(text, "request: POST /a\n") || strings.Contains(text, model.PortPlaceholder) {
		t.Errorf("want the path alone in\n%s", text)
	}
}

// A fault without an answer has the reason why there is none. If the answers of a fault had different messages, the
// row says how often the other messages were seen.
func TestFaultRowsOfNoAnswer(t *testing.T) {
	f := fault("f1", model.SeverityError, "no-answer")
	f.Count, f.Merged = 1, 1234
	f.Exchanges = []model.ExchangeExcerpt{{URL: "/a", Err: "the connection was reset"}}
	text := faultRows(t, t.TempDir(), f)
	for _, want := range []string{
		"seen once; expected", "and 1,234 times with other messages, which are counted as one", "answer:  none: the connection was reset\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	f.Test = nil
	if text := faultRows(t, t.TempDir(), f); strings.Contains(text, "request:") {
		t.Errorf("a fault without its calls has a request:\n%s", text)
	}
}

// Notes are ordered by their number, then by name.
func TestNotesAreCountedByRule(t *testing.T) {
	notes := map[string]int{"header": 2, "media-type": 12, "charset": 2}
	if got, want := counted(notes), "12 media-type, 2 charset, 2 header"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
