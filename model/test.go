package model

import "encoding/json"

// Origin tells what produced a test.
type Origin string

// The origins of a test.
const (
	OriginDistilled Origin = "distilled"
	OriginSearched  Origin = "searched"
	OriginManual    Origin = "by hand" // sent by a person
	OriginRecorded  Origin = "recorded"
)

// Test is calls, how values flow between them, and what must hold of the
// answers. It holds no port, no date and no credential, so that equal tests
// are equal bytes.
type Test struct {
	ID string `json:"id"`
	// Name is what a person calls the test, "" where its calls say what it does.
	Name   string  `json:"name,omitempty"`
	Origin Origin  `json:"origin"`
	Calls  []Call  `json:"calls"`
	Links  []Link  `json:"links,omitempty"`
	Checks []Check `json:"checks,omitempty"`
	// Stubs are what the hosts around the service answer while it is played.
	Stubs []Stub `json:"stubs,omitempty"`
	// Covers are the IDs of the targets that the test is kept for.
	Covers []string `json:"covers,omitempty"`
	// Code is how many statements, calls and branches of the service it is kept for
	// besides.
	Code int `json:"code,omitempty"`
	// Flaky says what came differently when the test was played again, "" where
	// all came as before or where it was not.
	Flaky string `json:"flaky,omitempty"`
	// EarlierState says why the test depends on what other tests left in the
	// service, or why that is not known; "" where it depends only on what it
	// creates itself. Such a test is left out of exports unless asked for.
	EarlierState string `json:"depends_on_earlier_state,omitempty"`
	// Lineage is how the search came by it.
	Lineage *TestLineage `json:"birth,omitempty"`
	// Mock is what a recorded test wants of its last call, nil for others.
	Mock *MockTest `json:"mimic,omitempty"`
	// Patience is how often in a row one operation may be refused alike before the
	// rest of the test is not played, 0 for however often. A refusal is a status
	// that other values would not change: see client.Play. Only while it is searched
	// is a test impatient; what is kept of it never is.
	Patience int `json:"-"`
	// Provenance is which run, recording or test it comes from.
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
	// User is the name of the user who calls, "" for nobody.
	User string `json:"user,omitempty"`
	// Status is what the service answered when the test was judged; 0 where
	// the call was not reached.
	Status int `json:"status,omitempty"`
	// AnyStatus tells that the call only prepares the service for later ones, and
	// may be answered otherwise when the test is played again: what it creates may
	// exist already. Its Status is the one that came first.
	AnyStatus bool `json:"any_status,omitempty"`
}

// Payload is a body with its media type.
type Payload struct {
	Media string `json:"media"`
	Data  string `json:"data"`
}

// Link carries a value from an earlier call into a later one. It is open while
// Header, Pointer and Param are "": the first answer then shows which part
// of it is the value.
type Link struct {
	// From and To are indexes of calls, From < To.
	From int `json:"from"`
	To   int `json:"to"`
	// Header names the answer's header whose last path segment is the value;
	// if it is "", Pointer is the value's JSON pointer in the answer's body, or
	// WholeBody.
	Header  string `json:"header,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	// Param names the path parameter of the earlier call that is the value
	// itself: a resource created under the client's own id.
	Param string `json:"param,omitempty"`
	// In is InPath or InQuery, and Name the parameter's, or InBody, and Name a
	// JSON pointer.
	In   Location `json:"in"`
	Name string   `json:"name"`
	// Optional tells that the test goes on where the earlier call fails.
	Optional bool `json:"loose,omitempty"`
}

// Check says what must hold of one place in the body of an answer.
type Check struct {
	Call    int    `json:"call"`
	Pointer string `json:"pointer"`
	// Equals is the value as compact JSON; empty where the place must only be
	// there, because its value changes from run to run.
	Equals json.RawMessage `json:"equals,omitempty"`
}

// WholeBody is the Pointer of a link whose value is all of the answer.
const WholeBody = "#"

// IsOpen tells that the part of the answer that gives the value is not known yet.
func (l Link) IsOpen() bool { return l.Header == "" && l.Pointer == "" && l.Param == "" }
