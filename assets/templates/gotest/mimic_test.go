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
	oracles string // what the test checks: "oo" the answer, "po" the parameters of outward calls, "co" their order and number
	before  int    // outward calls that were recorded before the call under test
	within  int    // recorded outward calls of the call under test
	// background is how long the test waits until its background stubs have answered the service; 0 for no wait.
	background time.Duration
}

// recordedTest is the state of a test of a recorded exchange.
type recordedTest struct {
	recorded
	t               *testing.T
	awaitEarlier    func()    // waits for the outward calls before the call under test; may be nil
	calledAt        time.Time // when the call under test was made, zero before
	differenceCount int       // number of differences
}

// currentTest is the state of the running test.
var currentTest *recordedTest

// mimics begins a test of a recorded exchange.
func mimics(t *testing.T, r recorded) *recordedTest {
	t.Helper()
	m := &recordedTest{recorded: r, t: t}
	currentTest = m
	m.writeLine(map[string]any{"test": t.Name(), "id": r.id, "begin": true})
	t.Cleanup(m.end)
	return m
}

// underTest is an option that marks the call under test.
func underTest(_ *testing.T, _ *request) {
	if currentTest.awaitEarlier != nil {
		currentTest.awaitEarlier()
	}
	currentTest.calledAt = time.Now()
}

// end records why a test failed before its oracles were checked.
func (m *recordedTest) end() {
	switch {
	case !m.t.Failed() || m.differenceCount > 0:
	case m.calledAt.IsZero():
		m.writeLine(m.identified(difference{Oracle: "setup", Wanted: -1, What: "the test failed before the call under test"}))
	default:
		oracle := strings.Fields(m.oracles)[0]
		m.writeLine(m.identified(difference{Oracle: oracle, Wanted: -1, In: "status", What: "the call under test got no answer"}))
	}
}

// hasOracle reports whether the test has an oracle.
func (m *recordedTest) hasOracle(oracle string) bool {
	return contains(strings.Fields(m.oracles), oracle)
}

// difference is a difference from the recording. Want and Got are null if there is no value.
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

// identified adds the name and the ID of the test to a difference.
func (m *recordedTest) identified(d difference) difference {
	d.Test, d.ID = m.t.Name(), m.id
	return d
}

// reportDifferences fails the test if there are differences, with a line for each of the first 20.
func (m *recordedTest) reportDifferences(oracle string, wanted int, prefix string, all []difference) {
	m.t.Helper()
	const maxReported = 20
	for i, d := range all {
		d.Oracle, d.Wanted = oracle, wanted
		m.writeLine(m.identified(d))
		if i < maxReported {
			m.t.Errorf("%s%s", prefix, d.What)
		}
	}
	if omitted := len(all) - maxReported; omitted > 0 {
		m.t.Errorf("%sand %d differences more", prefix, omitted)
	}
	m.differenceCount += len(all)
}

// writeLine appends a line of JSON to the file that SONDE_DIFFERENCES names. It does nothing if the variable is not
// set.
func (m *recordedTest) writeLine(line any) {
	path := os.Getenv("SONDE_DIFFERENCES")
	if path == "" {
		return
	}
	text, err := json.Marshal(line)
	if err != nil {
		m.t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		m.t.Fatalf("no differences can be written: SONDE_DIFFERENCES: %v", err)
	}
	defer file.Close()
	if _, err := file.Write(append(text, '\n')); err != nil {
		m.t.Fatal(err)
	}
}
