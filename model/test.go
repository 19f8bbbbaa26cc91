package model

import (
	"encoding/json"
	"slices"
	"time"
)

// Origin is what produced a test.
type Origin string

// The origins of a test.
const (
	OriginDistilled Origin = "distilled"
	OriginSearched  Origin = "searched"
	OriginManual    Origin = "by hand" // sent by the user
	OriginRecorded  Origin = "recorded"
)

// Test is a list of calls, with the values that pass between them and the assertions on their answers. It
// contains no ports, dates or credentials, so that equal tests have equal encodings.
type Test struct {
	ID string `json:"id"`
	// Name is the name that the user gave the test, "" for none.
	Name   string  `json:"name,omitempty"`
	Origin Origin  `json:"origin"`
	Calls  []Call  `json:"calls"`
	Links  []Link  `json:"links,omitempty"`
	Checks []Check `json:"checks,omitempty"`
	// Stubs are the answers of the hosts around the service during the test.
	Stubs []Stub `json:"stubs,omitempty"`
	// Rows are inserted into tables of the service's database before the first call.
	Rows []Row `json:"rows,omitempty"`
	// Covers are the IDs of the targets for which the test is kept.
	Covers []string `json:"covers,omitempty"`
	// Code is the number of statements, calls, branches and conditions in the service's source for which the test is
	// kept.
	Code int `json:"code,omitempty"`
	// Flaky describes how the answers differed when the test was replayed. It is "" if they did not differ or if the
	// test was not replayed.
	Flaky string `json:"flaky,omitempty"`
	// EarlierState is the reason why the test may depend on state that other tests left in the service. It is "" if
	// the test depends only on resources that it creates itself. By default, a test with a reason is not exported.
	EarlierState string `json:"depends_on_earlier_state,omitempty"`
	// Lineage describes how the search made the test, nil for other tests.
	Lineage *TestLineage `json:"birth,omitempty"`
	// Mock has the assertions of a test that was generated from a recording, nil for other tests.
	Mock *MockTest `json:"mimic,omitempty"`
	// Patience is the number of consecutive equal refusals of one operation after which the rest of the
	// test is skipped; 0 means no limit. A refusal is a status that does not depend on the values of a
	// call; see client.PlayTest. Patience is set only during a search, never in kept tests.
	Patience int `json:"-"`
	// Pause is how long a player waits between the last write and the calls after it, which only read. It is set in
	// tests that show faults of lists, because a service may update its lists later; it is 0 in others.
	Pause time.Duration `json:"pause,omitempty"`
	// AfterRedirect reports whether the test continues after a 3xx answer to a call that later calls need. Otherwise
	// such an answer ends the test, as a 4xx and a 5xx does.
	AfterRedirect bool `json:"after_redirect,omitempty"`
	// Provenance is the run, recording or test that the test comes from.
	Provenance Provenance `json:"-"`
}

// Seq returns the operations of the test's calls.
func (t Test) Seq() Seq {
	seq := make(Seq, len(t.Calls))
	for i, c := range t.Calls {
		seq[i] = c.Op
	}
	return seq
}

// PausesBefore reports whether a player waits for Pause before call i. This is so if the test has a pause, the call before
// call i writes, and call i and all calls after it only read.
func (t Test) PausesBefore(i int) bool {
	writes := func(c Call) bool { return !c.Op.Reads() }
	return t.Pause > 0 && i > 0 && writes(t.Calls[i-1]) && !slices.ContainsFunc(t.Calls[i:], writes)
}

// Call is a call of an operation with concrete values.
type Call struct {
	Op OpID `json:"op"`
	// Args are the values outside the body, in the order of sending.
	Args []Arg    `json:"args,omitempty"`
	Body *Payload `json:"body,omitempty"`
	// User is the name of the user who makes the call, "" for an anonymous call.
	User string `json:"user,omitempty"`
	// Status is the status of the answer at the time when the test was judged; 0 if the call was not sent or not
	// answered.
	Status int `json:"status,omitempty"`
	// AnyStatus reports whether a replay accepts any status. Such a call only creates a resource for later calls, and
	// the resource may already exist. Status is the status of the first answer.
	AnyStatus bool `json:"any_status,omitempty"`
}

// Link passes a value of an earlier call to a later one. Header, Pointer or Param names the place of the value. If
// Pattern is set, the value is only the part that Pattern finds in the text at that place. If none of Header, Pointer
// and Param is set, the link is open; see IsOpen.
type Link struct {
	// From and To are indices of calls, with From < To.
	From int `json:"from"`
	To   int `json:"to"`
	// Header is the name of a header of the answer. Without a Pattern, the value of the link is the last path
	// segment of the header's value.
	Header string `json:"header,omitempty"`
	// Pointer is the JSON pointer of the value in the answer's body, or WholeBody. It is
	// unused if Header is set.
	Pointer string `json:"pointer,omitempty"`
	// Hint is the place of an open link's value in the answer's body according to the spec, as a JSON pointer. It is
	// "" if the spec does not state the place. The answer may have the value elsewhere.
	Hint string `json:"hint,omitempty"`
	// Pattern is a regular expression with one group, "" for none. The value is the group's first match in the text
	// of the header, or in the text at Pointer. This text is a URL, so the value is percent-decoded. If Pointer is
	// WholeBody, the text is the body as it was received, and the value is not decoded. The pattern uses only syntax
	// that all languages of exported tests support.
	Pattern string `json:"pattern,omitempty"`
	// Param is the name of a path parameter of the earlier call. The client chose the value of this parameter as the
	// id of a resource.
	Param string `json:"param,omitempty"`
	// In and Name are the input of the later call that gets the value. In is InPath or InQuery, and Name the name of
	// a parameter, or In is InBody, and Name a JSON pointer.
	In   Location `json:"in"`
	Name string   `json:"name"`
	// Optional reports whether the test continues if the earlier call fails.
	Optional bool `json:"loose,omitempty"`
}

// Check is an assertion on one value in the body of an answer.
type Check struct {
	Call    int    `json:"call"`
	Pointer string `json:"pointer"`
	// Equals is the expected value as compact JSON. It is empty if the value differs between runs; then the value
	// must only be present.
	Equals json.RawMessage `json:"equals,omitempty"`
}

// WholeBody is the Pointer of a link whose value is the whole body of the answer.
const WholeBody = "#"

// IsOpen reports whether the source of the value is not known yet. A player finds the source in the first answer of the
// earlier call.
func (l Link) IsOpen() bool { return l.Header == "" && l.Pointer == "" && l.Param == "" }
