package usecase

import (
	"context"

	"sonde/model"
)

// Recordings has the functions that record a running service and make tests from the recording. These functions may be
// slow, so screens must call them in a tea.Cmd.
type Recordings struct {
	// Start begins a recording, which runs until Stop is called or ctx ends. If the folder
	// has a recording and Force is not set, the error is fs.ErrExist.
	Start func(ctx context.Context, w RecordSettings) (Recorder, error)
	// Open reads a recording from its folder.
	Open func(ctx context.Context, dir string) (model.Recording, error)
	// Functions reads the functions under test of a recording with invocations from its folder.
	Functions func(ctx context.Context, dir string) ([]RecordedFunction, error)
	// Tests makes tests from the exchanges that the request selects. Exchanges from which no test can be made are in
	// the Skipped of the result.
	Tests func(ctx context.Context, request GenerateRequest) (GeneratedTests, error)
	// Preview returns the content of the file that Write would write.
	Preview func(request GenerateRequest, tests []model.Test) (string, error)
	// Write writes the test file and a run with the tests, and returns the path of the file. If one of them
	// exists and force is not set, the error is fs.ErrExist.
	Write func(request GenerateRequest, tests []model.Test, force bool) (string, error)
	// Generate plays the tests several times against the unchanged service to learn which
	// values change, writes them, and returns the lines of a report.
	Generate func(ctx context.Context, request GenerateRequest, tests []model.Test) (string, error)
}

// RecordSettings are the settings of a recording.
type RecordSettings struct {
	// In are the routes to the service. Out are the routes from the service to other hosts.
	In, Out []ProxyRoute
	// Build makes Sonde build the service and start it in a network that records all outgoing traffic.
	// Sonde then adds the route to the service itself and ignores In. Out lists the hosts with their real
	// addresses.
	Build bool
	// Units also records invocations of functions under test. It needs Build.
	Units bool
	// Serial makes the recorder pass on one request at a time.
	Serial bool
	// Masks adds or removes masking rules. First is the number of exchanges to keep for each operation and shape; 0
	// means all.
	Masks  []string
	First  int
	Folder string
	Force  bool // replaces an existing recording
}

// ProxyRoute is an address on which Sonde listens and the URL to which it passes requests.
type ProxyRoute struct{ Addr, URL string }

// Recorder is a recording in progress. All methods may be called from any goroutine, and
// all but Stop return at once.
type Recorder interface {
	Snapshot() RecordedTraffic
	// Stop ends the recording and waits until it is written.
	Stop() error
	// Folder returns the folder of the recording, Command the command that repeats it.
	Folder() string
	Command() string
}

// RecordedTraffic is the state of a recording in progress. It is read-only.
type RecordedTraffic struct {
	model.Recording
	// In and Out are the routes, with the ports that the system assigned.
	In, Out  []ProxyRoute
	InFlight int     // requests without a response yet
	Rate     float64 // recent requests per second
	Seen     int     // requests so far, including those that are not stored
	Bytes    int64   // total size of all bodies
	Masked   int     // the number of masked values
	// Invocations is the number of recorded invocations of functions under test.
	Invocations int
	// Done is true when the recording has ended. Err is the reason if the recording ended by itself, or the
	// error of closing it.
	Done bool
	Err  error
}

// RecordedFunction is a function under test of a recording.
type RecordedFunction struct {
	Package, Name string
	File          string // path on disk
	Line          int
	Invocations   int      // recorded ones
	Unusable      int      // the number of Invocations from which no test can be made
	Why           string   // the most frequent reason why no test can be made of an invocation, "" if there is none
	Obstacles     []string // reasons why no test can be written, whatever is recorded
	Sites         []RecordedSite
}

// RecordedSite is a mockable call in the source of a function.
type RecordedSite struct {
	Line   int
	Target string // such as "s.bank"
	Method string // "" for a call of a function value
	Calls  int    // recorded ones
}

// GenerateRequest selects exchanges of a recording and the assertions of their tests.
type GenerateRequest struct {
	Recording *model.Recording
	Folder    string // folder of the recording
	// IDs are the IDs of incoming exchanges.
	IDs     []string
	Oracles []model.MockOracle
	// Dir is the folder for the tests.
	Dir string
	// OneFunction puts all oracles of a test into one function.
	OneFunction bool
}

// GeneratedTests are the tests of a recording.
type GeneratedTests struct {
	// Tests have the ID of their exchange in the field Mock.
	Tests []model.Test
	// Skipped has the reasons why exchanges have no test. The key is the ID of the exchange.
	Skipped map[string]string
	// Command is the shell command that makes the same tests.
	Command string
}
