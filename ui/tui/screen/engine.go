package screen

import (
	"context"
	"os/exec"

	"sonde/model"
)

// Engine is what the app needs of the rest of Sonde. ui/cli fills it in. Every
// function may be slow and belongs into a tea.Cmd.
type Engine struct {
	// Post takes what screens tell each other; see there for nil.
	Post *Post
	// Load reads a spec.
	Load func(ctx context.Context, source string) (*model.Spec, error)
	// Stamp tells states of files apart; "" where there is none of them. May be nil:
	// then nobody looks whether they change.
	Stamp func(files []string) string
	// Start begins a search on the service of Host. The run goes on until its
	// limits, Stop, or the end of ctx.
	Start func(ctx context.Context, s Settings) (Run, error)
	// Realise gives a seq its values by calling the service until the whole
	// seq ran, or until it is plain that it does not. The test has the stubs that
	// answered.
	Realise func(ctx context.Context, seq model.Seq, o Outside) (model.Test, error)
	// Replay plays a test anew, from the service's first state, and returns it as it is
	// answered then; calls that it does not come to have no status.
	Replay func(ctx context.Context, t model.Test, o Outside) (model.Test, error)
	// Step plays the call with an index of a test, the first from the service's first
	// state, each other as the one before left it. The test that it returns is that call
	// with what links brought.
	Step func(ctx context.Context, t model.Test, at int, o Outside) (Sent, error)
	// Draft returns a request of an operation for a person to begin with. Some tests of
	// a search may give it values. Nothing is called.
	Draft func(op model.OpID, tests []model.Test) (Draft, error)
	// Prepare returns a test of a seq with the plainest values and open links. Nothing is
	// called.
	Prepare func(seq model.Seq) (model.Test, error)
	// Users are the names of those who may call the service besides nobody.
	Users func() []string
	// Requests are those of a test as they would be sent, without what users carry. A name
	// in braces stands for what an answer would bring. Nothing is called.
	Requests func(t model.Test) []model.Request
	// Send plays a test on the service as it is, which stays as that leaves it. The
	// first time a service that Sonde starts is built and started. Hosts come with an
	// error, too.
	Send func(ctx context.Context, t model.Test, o Outside) (Sent, error)
	// Hosts are those to which the service turned so far, also while Send waits for it.
	Hosts func() []model.HostSummary
	// Keep makes a test of what was sent last: it is played from the service's first
	// state, with those of the requests before it that it needs.
	Keep func(ctx context.Context, o Outside) (Sent, error)
	// Line is a command that sends what was sent once more, secrets and all.
	Line func(model.Exchange) (string, error)
	// Fault is all that there is to say of a fault, and what repeats it. Nothing is called.
	Fault func(model.Fault) FaultTold
	// Formats are those in which tests can be written, the usual one first.
	Formats []Format
	// Preview returns the test file for the tests in a format, as Write would write
	// it where there is none. Faults says what the tests of faults do, one of FaultModes.
	Preview func(format, faults string, tests []model.Test) (string, error)
	// FaultModes are what tests of faults may do while the faults are there, the usual one
	// first.
	FaultModes []string
	// Draw writes a picture into a file, in the format that its ending says. Where the
	// file exists and force is not set, the error is fs.ErrExist.
	Draw func(path string, p Picture, force bool) error
	// Write writes the test file into a folder, or updates the one that is there, and
	// returns its path. Where that does not tell what of it is generated, and force is
	// not set, the error is fs.ErrExist.
	Write      func(format, faults, dir string, tests []model.Test, force bool) (string, error)
	Recordings Recordings
	Searches   Searches
	Logins     Logins
	// Edit returns the person's editor at a line of a file, 0 for none. Where the file
	// cannot be edited, the error says why.
	Edit func(file string, line int) (*exec.Cmd, error)
}

// Format is a format of test files.
type Format struct {
	Name, File, Text string
	Run              string // what a person types before the file's path to run it, "" where that is not all
	Helpers          string // the file that it needs beside it to be run, "" where it needs none
}

// Outside is what is around the service while it is called.
type Outside struct {
	Net   bool         // a virtual network
	Stubs []model.Stub // by a person, which answer there first
}

// Draft is a request before it is sent.
type Draft struct {
	// Test has the request as its last call, behind those that it needs.
	Test model.Test
	// Ready tells that the request has what it needs from requests that were sent
	// before: those in front of it need not be sent.
	Ready bool
	// Users are those who may send it besides nobody.
	Users []string
}

// Sent is what came of a request that was sent by hand.
type Sent struct {
	// Played has the calls that were made, with an exchange each, and the stubs that
	// answered.
	model.PlayedTest
	Faults []model.Fault
	// Hosts are those that the service turned to since it was called by hand, where it
	// has a virtual network.
	Net   bool
	Hosts []model.HostSummary
}

// Host is the service that the app talks to.
type Host struct {
	Name string // such as "demo"; may be ""
	URL  string // "" where there is none: then nothing is ever sent
	// Remote tells that the service is not on this machine's loopback; the app
	// asks before the first call.
	Remote bool
	// NoReset tells that nothing brings the service back to its first state.
	NoReset bool
	Sight   Sight
	Net     Net
	// Recording is the folder of one to open at first, "" for none, and Past that of a
	// search.
	Recording, Past string
}

// Sight is whether a search can see into the service.
type Sight int

// What there is to be seen.
const (
	NoSight  Sight = iota // the service is not one that Sonde builds
	MaySee                // it can be built with probes where a person wants that
	WantsSee              // the same, and the person wants it
	Sees                  // it is built with probes for every search
)

// Net is whether a search can put a virtual network under the service.
type Net int

// What there is around the service.
const (
	NoNet    Net = iota // the service is not one that Sonde starts
	MayNet              // it can have a virtual network where a person wants that
	WantsNet            // the same, and the person wants it
)

// Settings of a search.
type Settings struct {
	Limits model.Limits
	Tuning model.Tuning
	Seed   uint64
	// Workers is how many tests are played at once.
	Workers int
	// Minimise is the share of the budget to make tests smaller.
	Minimise float64
	Sampling model.Sampling
	// White lets the search see into the service, which is built with probes for
	// that.
	White bool
	// Net puts a virtual network under the service, which is built with it for that,
	// and Stubs are what a person put there before.
	Net   bool
	Stubs []model.Stub
	// Onward is the folder of a search to go on with, as it was made but for Limits, ""
	// for a new one.
	Onward string
}

// Run is a search that was started. All methods but Source return at once, and all
// may be called from any goroutine.
type Run interface {
	Snapshot() model.Snapshot
	// Apply asks for something to be done to the search; the snapshot tells when
	// it is in force.
	Apply(model.Command)
	Pause()
	Resume()
	// Step holds the run, and lets it play one more test.
	Step()
	Stop()
	// Source reads a file of the service's source as it was built. It is slow.
	Source(model.SourceFile) (string, error)
	// Folder is where the run is kept; Command repeats it from a shell.
	Folder() string
	Command() string
}

// FaultTold is a fault in lines of text, and the curl commands that repeat it: "" where
// its calls were not kept. Credentials are variables of the environment there.
type FaultTold struct{ Text, Curl string }
