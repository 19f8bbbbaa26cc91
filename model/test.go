package model

import "encoding/json"

// Origin is what produced a test.
type Origin string

// The origins of a test.
const (
	OriginDistilled Origin = "distilled"
	OriginSearched  Origin = "searched"
	OriginManual    Origin = "by hand" // sent by the user
	OriginRecorded  Origin = "recorded"
)

// Test is a list of calls, with the values that pass between them and what must hold of the
// answers. It holds no ports, dates or credentials, so that equal tests are encoded to equal
// bytes.
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
	// Covers are the IDs of the targets for which the test is kept.
	Covers []string `json:"covers,omitempty"`
	// Code is the number of statements, calls and branches in the service's source for which
	// the test is kept.
	Code int `json:"code,omitempty"`
	// Flaky is what was different when the test was played again, "" if nothing was or if it
	// was not played again.
	Flaky string `json:"flaky,omitempty"`
	// EarlierState is why the test depends, or may depend, on what other tests left in the
	// service; "" if it depends only on what it creates itself. By default, exports leave
	// out a test that has one.
	EarlierState string `json:"depends_on_earlier_state,omitempty"`
	// Lineage is how the search made the test, nil for other tests.
	Lineage *TestLineage `json:"birth,omitempty"`
	// Mock is what a test that was generated from a recording checks, nil for other tests.
	Mock *MockTest `json:"mimic,omitempty"`
	// Patience is the number of equal refusals of one operation in a row after which the rest of the test
	// is skipped; 0 means no limit. A refusal is a status that other values would not change: see
	// client.PlayTest. Patience is only set during a search, never in kept tests.
	Patience int `json:"-"`
	// Provenance is the run, recording or test from which the test comes.
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

// Call is one operation with concrete values.
type Call struct {
	Op OpID `json:"op"`
	// Args are the values outside the body, in the order in which they are sent.
	Args []Arg    `json:"args,omitempty"`
	Body *Payload `json:"body,omitempty"`
	// User is the name of the user who calls, "" for an anonymous call.
	User string `json:"user,omitempty"`
	// Status is the status of the answer when the test was judged; 0 if the call was not sent.
	Status int `json:"status,omitempty"`
	// AnyStatus reports whether the answer may have another status when the test is played again. The call
	// then only sets up what later calls need, which may exist already. Status is the status of the first
	// answer.
	AnyStatus bool `json:"any_status,omitempty"`
}

// Payload is a body with its media type.
type Payload struct {
	Media string `json:"media"`
	Data  string `json:"data"`
}

// Link passes a value of an earlier call to a later one. The value comes from Header, Pointer or Param. A
// link with none of them is open, see IsOpen.
type Link struct {
	// From and To are indexes of calls, From < To.
	From int `json:"from"`
	To   int `json:"to"`
	// Header is the name of a header of the answer. The value is the last path segment of
	// the header's value.
	Header string `json:"header,omitempty"`
	// Pointer is the JSON pointer of the value in the answer's body, or WholeBody. It is
	// unused if Header is set.
	Pointer string `json:"pointer,omitempty"`
	// Param is the name of a path parameter of the earlier call that has the value: the
	// client chose the id of the resource.
	Param string `json:"param,omitempty"`
	// In is InPath or InQuery, with the name of a parameter in Name, or InBody, with a JSON
	// pointer in Name.
	In   Location `json:"in"`
	Name string   `json:"name"`
	// Optional reports whether the test continues if the earlier call fails.
	Optional bool `json:"loose,omitempty"`
}

// Check is what must hold of one value in the body of an answer.
type Check struct {
	Call    int    `json:"call"`
	Pointer string `json:"pointer"`
	// Equals is the value as compact JSON; empty if the value must only be present, because
	// it changes from run to run.
	Equals json.RawMessage `json:"equals,omitempty"`
}

// WholeBody is the Pointer of a link whose value is the whole body of the answer.
const WholeBody = "#"

// IsOpen reports whether the source of the value is not known yet. The source is found in the first answer
// of the earlier call.
func (l Link) IsOpen() bool { return l.Header == "" && l.Pointer == "" && l.Param == "" }
