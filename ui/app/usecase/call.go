package usecase

import (
	"context"

	"sonde/model"
)

// SeqCalls makes tests of seqs and plays them.
type SeqCalls struct {
	// Prepare returns a test of a seq with the simplest values. Values that come from
	// responses have no link yet. It sends nothing.
	Prepare func(seq model.Seq) (model.Test, error)
	// Users returns the names of the users who can call the service. Anonymous is not
	// among them.
	Users func() []string
	// Requests returns the requests of a test as they would be sent, without credentials.
	// A name in braces is the placeholder of a value from a response. It sends nothing.
	Requests func(t model.Test) []model.Request
	// Realise finds values for a seq by calling the service until all calls of the seq
	// succeed, or until it gives up. The test has the stubs that answered.
	Realise func(ctx context.Context, seq model.Seq, o Surroundings) (model.Test, error)
	// Replay resets the service, plays a test and returns it with the new responses.
	// Calls that were not reached have no status.
	Replay func(ctx context.Context, t model.Test, o Surroundings) (model.Test, error)
	// Step plays the call of a test at an index. The first call resets the service, each
	// later call uses the state after the call before it. The result's test is this one
	// call, with the values that links brought.
	Step func(ctx context.Context, t model.Test, at int, o Surroundings) (SendResult, error)
}

// ManualCalls sends the requests that a user writes.
type ManualCalls struct {
	// Draft returns a request of an operation to start from, if possible with values of
	// the tests. It sends nothing.
	Draft func(op model.OpID, tests []model.Test) (RequestDraft, error)
	// DraftTemplate returns a test of a template with the simplest values. It sends nothing.
	DraftTemplate func(model.Template) (model.Test, error)
	// Send plays a test without a reset before or after it. The first call builds and
	// starts a service that Sonde manages. The result has the hosts even if there is an
	// error.
	Send func(ctx context.Context, t model.Test, o Surroundings) (SendResult, error)
	// Hosts returns the hosts that the service has called so far. It may be called while
	// Send waits.
	Hosts func() []model.HostSummary
	// KeepSent makes a test of the last request, with the requests before that it needs,
	// and plays it after a reset of the service.
	KeepSent func(ctx context.Context, o Surroundings) (SendResult, error)
	// CurlCommand returns a curl command that repeats the request, including secrets.
	CurlCommand func(model.Exchange) (string, error)
}

// Surroundings are the hosts around the service while it is called.
type Surroundings struct {
	Net   bool         // a virtual network
	Stubs []model.Stub // of the user; they answer first
}

// RequestDraft is a request before it is sent.
type RequestDraft struct {
	// Test has the request as its last call, after the calls that it needs.
	Test model.Test
	// Ready is true if requests that were sent earlier have provided all values. The calls
	// before the last need not be sent.
	Ready bool
	// Users are the users who can send the request. Anonymous is not among them.
	Users []string
}

// SendResult is the result of a manual request.
type SendResult struct {
	// PlayedTest has the calls with an exchange each, and the stubs that answered.
	model.PlayedTest
	Faults []model.Fault
	// Net reports whether the service has a virtual network, Hosts are the hosts that the service
	// has called since the first manual request.
	Net   bool
	Hosts []model.HostSummary
}
