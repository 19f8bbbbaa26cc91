package screen

import (
	"context"

	"sonde/model"
)

// Recordings is what the app needs of the rest of Sonde to record a running service,
// and to make tests of what was recorded. Every function may be slow and belongs into a
// tea.Cmd.
type Recordings struct {
	// Start begins to record. It goes on until Stop or the end of ctx. Where the folder
	// holds a recording and Force is not set, the error is fs.ErrExist.
	Start func(ctx context.Context, w Watch) (Recorder, error)
	// Open reads a recording from its folder.
	Open func(ctx context.Context, dir string) (model.Recording, error)
	// Tests makes a test of each exchange.
	Tests func(ctx context.Context, of Recorded) (Mimics, error)
	// Preview returns the test file, as Write would write it.
	Preview func(of Recorded, tests []model.Test) (string, error)
	// Write writes the test file into the folder and returns its path. Where the file
	// exists and force is not set, the error is fs.ErrExist.
	Write func(of Recorded, tests []model.Test, force bool) (string, error)
	// Mimic plays the tests against the unchanged service, again and again, writes them
	// with what was learned from that, and returns the report's lines.
	Mimic func(ctx context.Context, of Recorded, tests []model.Test) (string, error)
}

// Watch is how a service is to be recorded.
type Watch struct {
	// In are in front of the service, Out behind it.
	In, Out []Way
	// Build has Sonde build the service and start it on a network that shows all that it
	// sends. Sonde is then in front of it, whatever In says, and Out are hosts with where
	// they really are.
	Build bool
	// Serial lets one request in at a time.
	Serial bool
	// Masks add to what is not written down as it is, or take from it; First is how many
	// of each operation and shape are kept, 0 for all.
	Masks  []string
	First  int
	Folder string
	Force  bool // to replace a recording that is there
}

// Way is where Sonde listens, and what it passes on to.
type Way struct{ Addr, URL string }

// Recorder is a recording that goes on. All methods may be called from any goroutine,
// and all but Stop return at once.
type Recorder interface {
	Snapshot() Traffic
	// Stop ends the recording and waits until it is on disk.
	Stop() error
	// Folder is where it is kept; Command repeats it from a shell.
	Folder() string
	Command() string
}

// Traffic is the state of a recording that goes on. It is read-only.
type Traffic struct {
	model.Recording
	// In and Out are where Sonde listens, with the ports that were given out.
	In, Out []Way
	Under   int     // requests that are under way
	Rate    float64 // requests a second, of late
	Seen    int     // requests so far, also those that the rules leave out
	Bytes   int64   // of all bodies
	Masked  int     // values
	// Done tells that it is over, and Err why where nobody stopped it.
	Done bool
	Err  error
}

// Recorded are exchanges of a recording, and how their tests are to be.
type Recorded struct {
	Recording *model.Recording
	// Folder is where it is kept.
	Folder string
	// IDs are those of what was served.
	IDs     []string
	Oracles []model.Oracle
	// Dir is where the tests go.
	Dir string
	// Together puts all oracles of a test into one function.
	Together bool
}

// Mimics are what came of making tests.
type Mimics struct {
	// Tests name their exchange in their Mimic.
	Tests []model.Test
	// Without says of exchanges of which none was made why, by their IDs.
	Without map[string]string
	// Command repeats it from a shell.
	Command string
}
