package screen

import (
	"sonde/ui/app/usecase"
)

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
	Start func(ctx context.Context, s usecase.SearchSettings) (usecase.SearchRun, error)
	// Realise finds values for a seq by calling the service until all calls of the seq
	// succeed, or until it gives up. The test has the stubs that answered.
	Realise func(ctx context.Context, seq model.Seq, o usecase.Surroundings) (model.Test, error)
	// Replay resets the service, plays a test and returns it with the new responses.
	// Calls that were not reached have no status.
	Replay func(ctx context.Context, t model.Test, o usecase.Surroundings) (model.Test, error)
	// Step plays the call of a test at an index. The first call resets the service, the
	// others use the state that the one before left. The result's test is this one call,
	// with the values that links brought.
	Step func(ctx context.Context, t model.Test, at int, o usecase.Surroundings) (usecase.SendResult, error)
	// Draft returns a request of an operation to start from, if possible with values of
	// the tests. It sends nothing.
	Draft func(op model.OpID, tests []model.Test) (usecase.RequestDraft, error)
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
	Send func(ctx context.Context, t model.Test, o usecase.Surroundings) (usecase.SendResult, error)
	// Hosts returns the hosts that the service has called so far. It may be called while
	// Send waits.
	Hosts func() []model.HostSummary
	// KeepSent makes a test of the last request, with the requests before that it needs,
	// and plays it after a reset of the service.
	KeepSent func(ctx context.Context, o usecase.Surroundings) (usecase.SendResult, error)
	// CurlCommand returns a curl command that repeats the request, including secrets.
	CurlCommand func(model.Exchange) (string, error)
	// DescribeFault returns the full description of a fault and the commands that repeat
	// it. It sends nothing.
	DescribeFault func(model.Fault) usecase.FaultReport
	// Formats are the formats of test files, the default first.
	Formats []usecase.TestFormat
	// Preview returns the content of the file that Write would create. Faults is one of
	// FaultModes.
	Preview func(format, faults string, tests []model.Test) (string, error)
	// FaultModes say how tests of faults behave until the fault is fixed, the default
	// first.
	FaultModes []string
	// WritePicture writes a picture to a file in the format of its extension. If the file
	// exists and force is not set, the error is fs.ErrExist.
	WritePicture func(path string, p usecase.GraphPicture, force bool) error
	// Write writes the test file to a folder, or updates the existing one, and returns its
	// path. If the existing file doesn't mark what is generated, and force is not set, the
	// error is fs.ErrExist.
	Write      func(format, faults, dir string, tests []model.Test, force bool) (string, error)
	Recordings usecase.Recordings
	Searches   usecase.Searches
	UserLogins usecase.UserLogins
	// Edit returns the command that opens the user's editor at a line of a file, 0 for no
	// line. The error says why the file can't be edited.
	Edit func(file string, line int) (*exec.Cmd, error)
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
	Probes  usecase.ProbeSupport
	Net     usecase.NetworkSupport
	// Recording and PastSearch are the folders of a recording and of a search to open at
	// the start, "" for none.
	Recording, PastSearch string
}
