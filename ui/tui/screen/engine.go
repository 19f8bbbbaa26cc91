package screen

import (
	"context"
	"os/exec"

	"sonde/model"
)

// Engine has the functions with which the app uses the rest of Sonde. Package ui/app
// provides them. Each may be slow and must be called in a tea.Cmd.
type Engine struct {
	// Queue has the messages between screens. It may be nil.
	Queue *MessageQueue
	// Load reads a spec.
	Load func(ctx context.Context, source string) (*model.Spec, error)
	// FileStamp returns a text that changes when one of the files changes, "" if none of
	// them exists. If it is nil, files are not watched.
	FileStamp func(files []string) string
	// Start begins a search on the service. It runs until a limit is reached, Stop is
	// called or ctx ends.
	Start func(ctx context.Context, s SearchSettings) (SearchRun, error)
	// Realise finds values for a seq by calling the service until all calls of the seq
	// succeed, or until it gives up. The test has the stubs that answered.
	Realise func(ctx context.Context, seq model.Seq, o Surroundings) (model.Test, error)
	// Replay resets the service, plays a test and returns it with the new responses.
	// Calls that were not reached have no status.
	Replay func(ctx context.Context, t model.Test, o Surroundings) (model.Test, error)
	// Step plays the call of a test at an index. The first call resets the service, the
	// others use the state that the one before left. The result's test is this one call,
	// with the values that links brought.
	Step func(ctx context.Context, t model.Test, at int, o Surroundings) (SendResult, error)
	// Draft returns a request of an operation to start from, if possible with values of
	// the tests. It sends nothing.
	Draft func(op model.OpID, tests []model.Test) (RequestDraft, error)
	// Prepare returns a test of a seq with the simplest values and open links. It sends
	// nothing.
	Prepare func(seq model.Seq) (model.Test, error)
	// Users returns the names of the users who can call the service. Anonymous is not
	// among them.
	Users func() []string
	// Requests returns the requests of a test as they would be sent, without credentials.
	// A name in braces is the placeholder of a value from a response. It sends nothing.
	Requests func(t model.Test) []model.Request
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
	// DescribeFault returns the full description of a fault and the commands that repeat
	// it. It sends nothing.
	DescribeFault func(model.Fault) FaultReport
	// Formats are the formats of test files, the default first.
	Formats []TestFormat
	// Preview returns the content of the file that Write would create. Faults is one of
	// FaultModes.
	Preview func(format, faults string, tests []model.Test) (string, error)
	// FaultModes say how tests of faults behave until the fault is fixed, the default
	// first.
	FaultModes []string
	// WritePicture writes a picture to a file in the format of its extension. If the file
	// exists and force is not set, the error is fs.ErrExist.
	WritePicture func(path string, p GraphPicture, force bool) error
	// Write writes the test file to a folder, or updates the existing one, and returns its
	// path. If the existing file doesn't mark what is generated, and force is not set, the
	// error is fs.ErrExist.
	Write      func(format, faults, dir string, tests []model.Test, force bool) (string, error)
	Recordings Recordings
	Searches   Searches
	UserLogins UserLogins
	// Edit returns the command that opens the user's editor at a line of a file, 0 for no
	// line. The error says why the file can't be edited.
	Edit func(file string, line int) (*exec.Cmd, error)
}

// TestFormat is a format of test files.
type TestFormat struct {
	Name, File, Text string
	Run              string // the command that runs the file, without its path; "" if more is needed
	Helpers          string // the file that must be in the same folder, "" for none
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
	// Net reports whether the service has a virtual network, Hosts are those that it has
	// called there since the first manual request.
	Net   bool
	Hosts []model.HostSummary
}

// Service is the service under test.
type Service struct {
	Name string // such as "demo"; may be ""
	URL  string // "" if there is none: the app then sends nothing
	// Remote is true if the service is not on a loopback address. The app asks before the
	// first call.
	Remote bool
	// NoReset is true if no reset is configured.
	NoReset bool
	Probes  ProbeSupport
	Net     NetworkSupport
	// Recording and PastSearch are the folders of a recording and of a search to open at
	// the start, "" for none.
	Recording, PastSearch string
}

// ProbeSupport is whether a search can use probes in the service's source.
type ProbeSupport int

// The values of ProbeSupport.
const (
	ProbesUnavailable ProbeSupport = iota // Sonde doesn't build the service
	ProbesAvailable                       // Sonde can build the service with probes
	ProbesRequested                       // the same, and the user asked for it
	ProbesAlways                          // the service is built with probes for every search
)

// NetworkSupport is whether a search can run the service on a virtual network.
type NetworkSupport int

// The values of NetworkSupport.
const (
	NetworkUnavailable NetworkSupport = iota // Sonde doesn't start the service
	NetworkAvailable                         // the service can run on a virtual network
	NetworkRequested                         // the same, and the person wants it
)

// SearchSettings are the settings of a search.
type SearchSettings struct {
	Limits model.Limits
	Tuning model.Tuning
	Seed   uint64
	// Workers is the number of tests that are played at the same time.
	Workers int
	// Minimise is the share of the budget for making tests smaller, from 0 to 1.
	Minimise float64
	Sampling model.Sampling
	// WhiteBox builds the service with probes, so that the search sees which statements
	// are reached.
	WhiteBox bool
	// Net runs the service on a virtual network; Stubs are the user's stubs in it.
	Net   bool
	Stubs []model.Stub
	// ResumeFolder is the folder of a search to resume with new Limits and otherwise its
	// old settings, "" for a new search.
	ResumeFolder string
}

// SearchRun is a search in progress or just ended. All methods may be called from any
// goroutine, and all but Source return at once.
type SearchRun interface {
	Snapshot() model.Snapshot
	// Apply sends a command to the search. The snapshot says when it has taken effect.
	Apply(model.Command)
	Pause()
	Resume()
	// Step pauses the run and lets it play one more test.
	Step()
	Stop()
	// Source returns a file of the service's source as it was built. It is slow.
	Source(model.SourceFile) (string, error)
	// Folder returns the folder of the run, Command the command that repeats it.
	Folder() string
	Command() string
}

// FaultReport describes a fault: its text, and the curl commands that repeat it with
// credentials as environment variables. Curl is "" if the calls were not kept.
type FaultReport struct{ Text, Curl string }
