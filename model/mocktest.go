package model

import "encoding/json"

// MockOracle is one of the three oracles of a test with mocks (RICK, section 3.2).
type MockOracle string

// The oracles of tests with mocks.
const (
	OutputOracle    MockOracle = "oo" // the answer equals the recorded one
	ParameterOracle MockOracle = "po" // each outward call has the recorded parameters, at least once
	CallOracle      MockOracle = "co" // the outward calls come in the recorded order and number
)

// MockOracles lists the oracles in the order of the RICK paper.
var MockOracles = []MockOracle{OutputOracle, ParameterOracle, CallOracle}

// MockTest has the assertions of a test that was generated from a recorded exchange. Besides these assertions, the
// test also checks the statuses of its calls.
type MockTest struct {
	// About describes the test in one line: "POST /orders/{id}/payments with a card: charges
	// payments.example once and answers 201".
	About string `json:"about"`
	// Exchange is the ID of the recorded exchange.
	Exchange string `json:"exchange"`
	// Call is the index of the call under test. The calls before it are the set-up.
	Call int `json:"call"`
	// Snapshot is the name of the snapshot with which the test begins, "" if the recording has none; see
	// Reset.Snapshots.
	Snapshot string `json:"snapshot,omitempty"`
	// OwnSessions reports whether the users log in as a part of this test, instead of sharing sessions with other
	// tests. It is set if the service makes outward calls at log-ins: stubs of the test answer these calls.
	OwnSessions bool `json:"own_sessions,omitempty"`
	// Before is the number of outward calls that the service makes during the set-up.
	Before int `json:"before,omitempty"`
	// Output has the expectations of the answer to the call under test.
	Output []Expectation `json:"output,omitempty"`
	// ExpectedCalls are the outward calls during the call under test, in the order in which
	// they started.
	ExpectedCalls []ExpectedCall `json:"wanted,omitempty"`
	// Uncertain reports whether an outward call may belong to another request. If so, the test has no call
	// oracle.
	Uncertain bool `json:"uncertain,omitempty"`
	// WithoutCalls reports whether no recorded exchange of the operation has an outward call. If so, the test has no
	// call oracle.
	WithoutCalls bool `json:"without_calls,omitempty"`
	// IsFault reports whether the recorded answer is a server error that is most likely a fault of the service.
	IsFault bool `json:"is_fault,omitempty"`
	// Await is the maximum time in milliseconds that the test waits, before the call under test, until each
	// background stub of the test has answered.
	Await int `json:"await,omitempty"`
}

// HasOracle reports whether an oracle applies to the test.
func (m MockTest) HasOracle(o MockOracle) bool {
	switch o {
	case ParameterOracle:
		return len(m.ExpectedCalls) > 0
	case CallOracle:
		return !m.Uncertain && !m.WithoutCalls
	}
	return true
}

// ExpectedCall is an outward call that a test expects.
type ExpectedCall struct {
	// Stub is the index of the test's stub that answers the call. The stub also says which host, protocol, method and
	// path are expected.
	Stub int `json:"stub"`
	// Params has the expectations of the request.
	Params []Expectation `json:"params,omitempty"`
	// Phase orders the calls. Calls of the same phase overlapped in the recording and may come in any
	// order.
	Phase int `json:"phase"`
}

// Locations in messages of hosts. Inputs of operations do not have these locations.
const (
	InStatus  Location = "status"
	InTrailer Location = "trailer"
	InMessage Location = "said" // data sent by TCP or UDP
)

// Comparison says how a value is compared.
type Comparison string

// The comparisons. An Expectation with any other comparison than CompareEquals and CompareLinked needs a reason (Why).
const (
	CompareEquals  Comparison = "equals"  // equal to Value as JSON
	CompareLinked  Comparison = "linked"  // equal to the value at Link in an earlier answer
	ComparePresent Comparison = "present" // any value
	CompareType    Comparison = "type"    // of the JSON type that Value names, such as "string", "integer" or "object"
	ComparePattern Comparison = "pattern" // a text that matches the regular expression Value as a whole
	CompareNear    Comparison = "near"    // a number at most Within from Value, or a time at most Within seconds from the test's clock
)

// Expectation is an assertion about one value in a message. In a JSON body, values are compared as JSON, and the
// pointer "" means the whole body except for values that have their own Expectation. Other bodies and all other
// values are compared as texts. If a name has several values, they are joined by ", ".
type Expectation struct {
	// In is the location of the value. Name depends on In:
	//   - InStatus: unused
	//   - InHeader, InTrailer, InQuery: the name of the header, trailer or query parameter
	//   - InPath: the name of a parameter of the stub's path template
	//   - InBody: a JSON pointer
	//   - InMessage: the index of the pair in the call's messages
	In         Location        `json:"in"`
	Name       string          `json:"name,omitempty"`
	Comparison Comparison      `json:"like"`
	Value      json.RawMessage `json:"value,omitempty"`
	// Bytes replaces Value for a text that is not UTF-8.
	Bytes  []byte  `json:"bytes,omitempty"`
	Within float64 `json:"within,omitempty"`
	// Link is the source of the value for CompareLinked. The fields To, In and Name of the link are unused.
	Link *Link `json:"link,omitempty"`
	// Why says in one line why the comparison is weaker than CompareEquals, such as "came as 17, then 18".
	Why string `json:"why,omitempty"`
}
