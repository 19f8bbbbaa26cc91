package usecase

import (
	"context"

	"sonde/model"
)

// Searches starts searches, and opens those that are stored on disk.
type Searches struct {
	// Start begins a search on the service. It runs until a limit is reached, Stop is
	// called or ctx ends.
	Start func(ctx context.Context, s SearchSettings) (SearchRun, error)
	// List returns the recent searches of the open spec, the newest first. They include
	// those of other versions of the spec.
	List func(ctx context.Context) ([]PastSearch, error)
	// Open reads the search in a folder.
	Open func(ctx context.Context, folder string) (PastSearch, model.Snapshot, error)
	// DescribeFault returns the full description of a fault and the commands that repeat
	// it. It sends nothing.
	DescribeFault func(model.Fault) FaultReport
}

// SearchSettings are the settings of a search.
type SearchSettings struct {
	Limits model.Limits
	Tuning model.Tuning
	Seed   uint64
	// Workers is the number of tests that are played at the same time.
	Workers int
	// Minimise is the share of the budget for minimising tests, from 0 to 1.
	Minimise float64
	// Security adds security tests.
	Security bool
	Sampling model.Sampling
	Sizes    model.Sizes // the zero value means the defaults
	// WhiteBox makes Sonde build the service with probes, so that the search knows which statements are
	// reached.
	WhiteBox bool
	// Net makes Sonde run the service in a virtual network. Stubs are the user's stubs in it.
	Net   bool
	Stubs []model.Stub
	// ResumeFolder is the folder of a search to resume, with its old settings except for Limits. It is ""
	// for a new search.
	ResumeFolder string
}

// SearchRun is a search that is running or has just ended. All methods may be called from any goroutine,
// and all but Source return at once.
type SearchRun interface {
	Snapshot() model.Snapshot
	// Apply sends a command to the search. Snapshots contain the command after it has taken effect.
	Apply(model.Command)
	Pause()
	Resume()
	// Step pauses the run and lets it play one more test.
	Step()
	Stop()
	// Source returns a file of the service's source as it was built. It is slow.
	Source(model.SourceFile) (string, error)
	// Folder returns the folder of the run. Command returns the command line that repeats the run.
	Folder() string
	Command() string
}

// ProbeSupport says whether a search can use probes in the service's source.
type ProbeSupport int

// The values of ProbeSupport.
const (
	ProbesUnavailable ProbeSupport = iota // Sonde doesn't build the service
	ProbesAvailable                       // Sonde can build the service with probes
	ProbesRequested                       // like ProbesAvailable, and the user asked for probes
	ProbesAlways                          // the service is built with probes for every search
)

// NetworkSupport says whether a search can run the service in a virtual network.
type NetworkSupport int

// The values of NetworkSupport.
const (
	NetworkUnavailable NetworkSupport = iota // Sonde doesn't start the service
	NetworkAvailable                         // the service can run on a virtual network
	NetworkRequested                         // like NetworkAvailable, and the user asked for the network
)

// FaultReport describes a fault. Curl has the curl commands that repeat it, with credentials as environment
// variables. It is "" if the calls were not stored.
type FaultReport struct{ Text, Curl string }
