package usecase

import (
	"context"
	"os/exec"

	"sonde/model"
)

// SeqCalls makes tests from seqs and plays them.
type SeqCalls struct {
	// Prepare returns a test of a seq with valid values, and with links for the values that come from
	// responses. It sends no requests.
	Prepare func(seq model.Seq) (model.Test, error)
	// Users returns the names of the users who can call the service. Anonymous is not
	// among them.
	Users func() []string
	// Requests returns the requests of a test as they would be sent, without credentials. A name in braces
	// is a placeholder for a value from a response. It sends no requests.
	Requests func(t model.Test) []model.Request
	// Realise finds values for a seq by calling the service until all calls of the seq succeed, or until it
	// gives up. The resulting test has the stubs that answered.
	Realise func(ctx context.Context, seq model.Seq, o Surroundings) (model.Test, error)
	// Replay resets the service, plays a test and returns it with the new responses.
	// Calls that were not reached have no status.
	Replay func(ctx context.Context, t model.Test, o Surroundings) (model.Test, error)
	// Step plays one call of a test. The first call resets the service; each later call uses the state
	// after the call before. The test in the result is this call alone, with the values of its links filled
	// in.
	Step func(ctx context.Context, t model.Test, at int, o Surroundings) (SendResult, error)
	// List starts to list seqs by the rules DC and SC while it calls them. The run ends when all seqs were called, when
	// the budget is used up, when ctx ends, or when Stop is called.
	List func(ctx context.Context, s ListingSettings) (ListingRun, error)
}

// ManualCalls sends the requests that a user writes.
type ManualCalls struct {
	// Draft returns a request of an operation to start from, with values of the tests if possible. It sends
	// no requests.
	Draft func(op model.OpID, tests []model.Test) (RequestDraft, error)
	// DraftTemplate returns a test of a template with valid values. It sends no requests.
	DraftTemplate func(model.Template) (model.Test, error)
	// SeenValues returns the values in responses to earlier manual requests that inputs of an operation may take. It
	// may be slow. It returns nil while a request is in progress.
	SeenValues func(op model.OpID) []model.SeenValues
	// Send plays a test without resetting the service. If Sonde starts the service, the first call builds
	// and starts it. The result has the hosts even if there is an error.
	Send func(ctx context.Context, t model.Test, o Surroundings) (SendResult, error)
	// OpenWebSocket is like Send, but the last call asks the service for a WebSocket.
	OpenWebSocket func(ctx context.Context, t model.Test, o Surroundings) (SendResult, error)
	// UseVariables lets later requests take the values of ${NAME} from the process environment. names are names that
	// the user typed. Names of variables of the configuration need no permission.
	UseVariables func(names []string)
	// Hosts returns the hosts that the service has contacted so far. It may be called while Send is
	// running.
	Hosts func() []model.HostSummary
	// Sent returns the last requests that were sent by hand for this spec, also in earlier sessions, newest first. The
	// error says why requests could not be read or written; the others are returned nevertheless.
	Sent func() ([]SentRequest, error)
	// SentOperations returns the operations of the requests that KeepSent may repeat. ok is false while a request is in
	// progress.
	SentOperations func() (ops []model.OpID, ok bool)
	// KeepSent makes a test from the last request and the earlier requests that it needs, and plays the
	// test after a reset of the service.
	KeepSent func(ctx context.Context, o Surroundings) (SendResult, error)
	// CurlCommand returns a curl command that repeats the request, including secrets.
	CurlCommand func(model.Exchange) (string, error)
	Files       BodyFiles
}

// BodyFiles has the functions for the files of bodies. All functions except Edit may be slow.
type BodyFiles struct {
	// Size returns the size of a file. The error says why the file cannot be sent.
	Size func(path string) (int64, error)
	// Read returns the content of a file.
	Read func(path string) (string, error)
	// Complete returns the paths that begin with a text. The path of a folder ends with a slash.
	Complete func(typed string) []string
	// WriteTemporary writes a text to a new temporary file with a name, and returns its path.
	WriteTemporary func(name, text string) (path string, err error)
	// TakeTemporary returns the text of a temporary file, and removes the file.
	TakeTemporary func(path string) (string, error)
	// Edit returns the command that opens the user's editor at a line of a file; line 0 means no line.
	Edit func(file string, line int) (*exec.Cmd, error)
}

// Surroundings are the hosts around the service while it is called.
type Surroundings struct {
	Net   bool         // a virtual network
	Stubs []model.Stub // the user's stubs, which take precedence
}

// RequestDraft is a request before it is sent.
type RequestDraft struct {
	// Test has the request as its last call, after the calls that it needs.
	Test model.Test
	// Ready is true if requests that were already sent have provided all values. The calls before the last
	// need not be sent.
	Ready bool
	// Args has arguments for all parameters, including those that the request of Test leaves out.
	Args []model.Arg
	// Bodies has a body for each media type that the operation declares, in the order of the spec.
	Bodies []model.Payload
	// Users are the users who can send the request. Anonymous is not among them.
	Users []string
}

// SendResult is the result of a manual request.
type SendResult struct {
	// PlayedTest has the calls with their exchanges, and the stubs that answered.
	model.PlayedTest
	Faults []model.Fault
	// Net reports whether the service has a virtual network. Hosts are the hosts that the service has
	// contacted since the first manual request.
	Net   bool
	Hosts []model.HostSummary
	// Stream is the stream that the request opened, nil for none. The caller must stop it.
	Stream Stream
}

// SentRequest is a request that was sent by hand, with its answer.
type SentRequest struct {
	// Calls are the calls as they were sent. The last one is the request, and the others came before it.
	Calls []model.Call
	// Links are the links between the calls.
	Links []model.Link
	// Exchange is that of the request or, if an earlier call failed, of that call. Of large bodies it has the beginning.
	Exchange model.Exchange
	// Masked reports whether Calls have pseudonyms in place of secrets, and Earlier whether the request was sent in an
	// earlier session. The exchange of an earlier session always has pseudonyms.
	Masked, Earlier bool
	// Partial reports whether the body of a call is too large to be kept and was left out.
	Partial bool
}

// Op returns the operation of the request.
func (r SentRequest) Op() model.OpID { return r.Calls[len(r.Calls)-1].Op }

// Test returns a test that sends the request again.
func (r SentRequest) Test() model.Test {
	return model.Test{Origin: model.OriginManual, Calls: r.Calls, Links: r.Links}
}

// Stream is an answer that stays open: server-sent events, or a WebSocket. Its methods may be called from any goroutine.
type Stream interface {
	Kind() model.StreamKind
	// Progress returns the state of the stream.
	Progress() StreamProgress
	// Send sends a text to the service. It may wait for the service for some seconds.
	Send(text string) error
	// Stop ends the stream. It does not wait for the end.
	Stop()
}

// StreamProgress is the state of a stream.
type StreamProgress struct {
	// Messages are the newest messages, oldest first, and Total is the number of all messages so far.
	Messages []model.StreamMessage
	Total    int
	// Received is the number of bytes from the service.
	Received int64
	// End says how the stream ended, nil while it is open.
	End *model.StreamEnd
}
