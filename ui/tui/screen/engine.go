package screen

import (
	"context"

	"sonde/model"
)

// Engine is what the app needs of the rest of Sonde. ui/cli fills it in. Every
// function may be slow and belongs into a tea.Cmd.
type Engine struct {
	// Load reads a spec.
	Load func(ctx context.Context, source string) (*model.Spec, error)
	// Start begins a search on the service of Host. The run goes on until its
	// limits, Stop, or the end of ctx.
	Start func(ctx context.Context, s Settings) (Run, error)
	// Realise gives a seq its values by calling the service until the whole
	// seq ran, or until it is plain that it does not.
	Realise func(ctx context.Context, seq model.Seq) (model.Test, error)
	// Preview returns the test file for the tests, as Write would write it.
	Preview func(tests []model.Test) (string, error)
	// Write writes the test file into a folder and returns its path. Where the
	// file exists and force is not set, the error is fs.ErrExist.
	Write func(dir string, tests []model.Test, force bool) (string, error)
}

// Host is the service that the app talks to.
type Host struct {
	Name string // such as "demo"; may be ""
	URL  string // "" where there is none: then nothing is ever sent
	// Remote tells that the service is not on this machine's loopback; the app
	// asks before the first call.
	Remote bool
	Sight  Sight
	Net    Net
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
	NoNet    Net = iota // the service is not one that Sonde builds
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
	// Net puts a virtual network under the service, which is built with it for that.
	Net bool
}

// Run is a search that was started. All methods but Source return at once, and all
// may be called from any goroutine.
type Run interface {
	Snapshot() model.Snapshot
	// Steer asks for something to be done to the search; the snapshot tells when
	// it is in force.
	Steer(model.Steer)
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
