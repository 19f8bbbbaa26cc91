package model

import "encoding/json"

// MockOracle is one of the three kinds that a test with mocks has (RICK, section 3.2).
type MockOracle string

// The oracles of tests with mocks.
const (
	OutputOracle    MockOracle = "oo" // the answer is the recorded one
	ParameterOracle MockOracle = "po" // each outward call has the recorded parameters, at least once
	CallOracle      MockOracle = "co" // the outward calls come in the recorded order and number
)

// MockOracles are all three, in the paper's order.
var MockOracles = []MockOracle{OutputOracle, ParameterOracle, CallOracle}

// MockTest is what a test that mimics a recorded exchange wants beyond the statuses of
// its calls.
type MockTest struct {
	// About is a line: "POST /orders/{id}/payments with a card: charges payments.example
	// once and answers 201".
	About string `json:"about"`
	// Exchange is the ID of the recorded one.
	Exchange string `json:"exchange"`
	// Call is the index of the call under test; those before it arrange what it needs.
	Call int `json:"call"`
	// Before is how many outward calls those that arrange make.
	Before int `json:"before,omitempty"`
	// Output is what must hold of its answer.
	Output []Expectation `json:"output,omitempty"`
	// ExpectedCalls are the outward calls of the call under test, in the order in which they
	// began.
	ExpectedCalls []ExpectedCall `json:"wanted,omitempty"`
	// Uncertain tells that an outward call may be another request's: then the test has
	// no call oracle.
	Uncertain bool `json:"uncertain,omitempty"`
}

// ExpectedCall is an outward call that a test wants.
type ExpectedCall struct {
	// Stub is the index of the test's stub that answers it, whose host, protocol, method
	// and path are also this call's operation.
	Stub int `json:"stub"`
	// Params are what must hold of what is sent.
	Params []Expectation `json:"params,omitempty"`
	// Phase orders the calls: those of one phase overlapped in time and come in any
	// order.
	Phase int `json:"phase"`
}

// The places of messages that no input has.
const (
	InStatus  Location = "status"
	InMessage Location = "said" // what is said by TCP or UDP
)

// Comparison is how a value is compared.
type Comparison string

// The ways to compare. All but Equals, and Linked, need a reason.
const (
	CompareEquals  Comparison = "equals"  // Value, by its meaning as JSON
	CompareLinked  Comparison = "linked"  // what an earlier call's answer has at Link
	ComparePresent Comparison = "present" // anything
	CompareType    Comparison = "type"    // Value names a JSON type: "string", "integer", "number", "boolean", "array", "object"
	ComparePattern Comparison = "pattern" // Value is a regular expression, of all of a text
	CompareNear    Comparison = "near"    // within Within of Value: a number, or seconds of a time from the test's own clock
)

// Expectation is what must hold of a place in a message. Of a body that is JSON the place
// "" holds the whole, but for the places for which there is an Expected of their own; one
// that is no JSON is a text, and so are the values of all other places: of several values
// of one name all, with ", " between them.
type Expectation struct {
	// In is InStatus, InHeader, InQuery, InPath (Name is a parameter of the stub's
	// template), InBody (Name is a JSON pointer, "" the whole), or InSaid (Name is the
	// number of the turn, from 0).
	In         Location        `json:"in"`
	Name       string          `json:"name,omitempty"`
	Comparison Comparison      `json:"like"`
	Value      json.RawMessage `json:"value,omitempty"`
	// Bytes are the Value of Equals where that is a text that is no UTF-8.
	Bytes  []byte  `json:"bytes,omitempty"`
	Within float64 `json:"within,omitempty"`
	// Link is where a Linked value comes from; To, In and Name say nothing.
	Link *Link `json:"link,omitempty"`
	// Why is the reason for anything looser than Equals, a line: "came as 17, then 18".
	Why string `json:"why,omitempty"`
}
