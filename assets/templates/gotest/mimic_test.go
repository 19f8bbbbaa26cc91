package gotest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// recorded is the recorded exchange of a test.
type recorded struct {
	id      string
	oracles string // the checks of the test: "oo" the answer, "po" parameters of outward calls, "co" their order and number
	before  int    // outward calls that were recorded before the call under test
	within  int    // recorded outward calls of the call under test
}

// mimicry is the state of a test of a recorded exchange.
type mimicry struct {
	recorded
	t       *testing.T
	arrange func()    // waits for earlier outward calls; nil for none
	acted   time.Time // when the call under test was made, zero before
	found   int       // number of differences
}

// mimicked is the state of the running test.
var mimicked *mimicry

// mimics begins a test of a recorded exchange.
func mimics(t *testing.T, what recorded) *mimicry {
	t.Helper()
	m := &mimicry{recorded: what, t: t}
	mimicked = m
	m.note(map[string]any{"test": t.Name(), "id": what.id, "begin": true})
	t.Cleanup(m.end)
	return m
}

// underTest marks the call under test.
func underTest(_ *testing.T, _ *request) {
	if mimicked.arrange != nil {
		mimicked.arrange()
	}
	mimicked.acted = time.Now()
}

// end records why a test failed before its oracles were checked.
func (m *mimicry) end() {
	switch {
	case !m.t.Failed() || m.found > 0:
	case m.acted.IsZero():
		m.note(m.own(difference{Oracle: "setup", Wanted: -1, What: "the test failed before the call under test"}))
	default:
		m.note(m.own(difference{Oracle: strings.Fields(m.oracles)[0], Wanted: -1, In: "status", What: "the call under test got no answer"}))
	}
}

// judges reports whether the test has an oracle.
func (m *mimicry) judges(oracle string) bool { return contains(strings.Fields(m.oracles), oracle) }

// difference is a difference from the recording. Want and Got are null for no value.
type difference struct {
	Test   string          `json:"test"`
	ID     string          `json:"id"`
	Oracle string          `json:"oracle"`
	Wanted int             `json:"wanted"` // the index of the outward call, -1 for the answer
	In     string          `json:"in"`
	Name   string          `json:"name"`
	Want   json.RawMessage `json:"want,omitempty"`
	Got    json.RawMessage `json:"got,omitempty"`
	What   string          `json:"what"`
}

// own returns a difference with the name and the ID of the test.
func (m *mimicry) own(d difference) difference {
	d.Test, d.ID = m.t.Name(), m.id
	return d
}

// differ fails the test, with a line for each of the first differences.
func (m *mimicry) differ(oracle string, wanted int, before string, all []difference) {
	m.t.Helper()
	const most = 20
	for i, d := range all {
		d.Oracle, d.Wanted = oracle, wanted
		m.note(m.own(d))
		if i < most {
			m.t.Errorf("%s%s", before, d.What)
		}
	}
	if more := len(all) - most; more > 0 {
		m.t.Errorf("%sand %d differences more", before, more)
	}
	m.found += len(all)
}

// note appends a line to the file in SONDE_DIFFERENCES.
func (m *mimicry) note(what any) {
	path := os.Getenv("SONDE_DIFFERENCES")
	if path == "" {
		return
	}
	line, err := json.Marshal(what)
	if err != nil {
		m.t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		m.t.Fatalf("no differences can be noted: SONDE_DIFFERENCES: %v", err)
	}
	defer file.Close()
	if _, err := file.Write(append(line, '\n')); err != nil {
		m.t.Fatal(err)
	}
}
