package usecase

import "time"

// Campaigns watches the campaigns on NATS servers.
type Campaigns struct {
	// Look returns the latest known state. It does not wait for the servers. campaign is the ID of the campaign whose
	// failures and progress are watched from now on, "" for none.
	Look func(campaign string) CampaignsView
	// Cancel removes a campaign from the servers.
	Cancel func(campaign string) error
}

// CampaignsView is the latest known state of the campaigns on NATS servers. It is read-only. Its texts come from the
// servers unchanged, so they must be cleaned before they are shown.
type CampaignsView struct {
	// Problem is the reason why nothing arrives from the servers. It is "" while they are connected. While there is a
	// problem, the other fields keep their last values.
	Problem string
	Lost    time.Duration // time since the connection was lost; 0 while connected
	// Ready reports whether the servers have sent the campaigns and workers that exist. Until then, the lists are
	// empty.
	Ready     bool
	Campaigns []Campaign // sorted by ID
	Workers   []CampaignWorker
	// Failures and Progress belong to the watched campaign. Both are sorted by unit.
	Failures []UnitFailure
	Progress []WatchedUnit
}

// Liveness says whether a process is alive, as far as an observer knows.
type Liveness int

// The values of Liveness.
const (
	LivenessUnknown Liveness = iota // the observer has not watched for long enough yet
	Alive
	Vanished // the process gives no sign of life
	Left     // the process has ended in an orderly way
)

// Campaign is the state of a campaign.
type Campaign struct {
	ID, Kind      string
	Version       string // the coordinator's version of Sonde
	Units         int
	Done, Failed  int // number of units with a result, and of units that will have none
	Ended         bool
	Cancelled     bool
	Coordinator   string // host and process ID of the coordinator
	Life          Liveness
	Silent        time.Duration // time since the coordinator's last sign of life, 0 if none was seen
	Rate          float64       // finished units per second in the last minutes; 0 if unknown
	LastWrittenAt time.Time     // according to the servers' clock
}

// InProgress reports whether the campaign has neither ended nor been cancelled.
func (c Campaign) InProgress() bool { return !c.Ended && !c.Cancelled }

// CampaignWorker is a worker process.
type CampaignWorker struct {
	ID, Host, Version string
	PID               int
	Jobs              int      // maximum number of units that the process does at the same time
	Labels            []string // labels in the form NAME=VALUE, sorted
	Doing             []string // units in progress, in the form CAMPAIGN/UNIT
	Done, Failed      int      // number of finished units, and of failed tries
	Rate              float64  // finished units per second
	Error             string   // latest error of the connection with the servers
	Life              Liveness
	Silent            time.Duration // time since the worker's last sign of life, 0 if none was seen
}

// UnitFailure says why a unit has no result.
type UnitFailure struct {
	Unit   int
	Worker string // the ID of the last worker that tried the unit
	Reason string
}

// WatchedUnit is a unit that reports its progress.
type WatchedUnit struct {
	Unit int
	UnitProgress
}

// UnitProgress is what a unit reports on the board of its campaign while it is being done. Its JSON is stored under
// the key "progress.UNIT". If it has Points, it is shown as a curve.
type UnitProgress struct {
	Name string `json:"name"` // such as "island 1"
	// Points are the curve: numbers of calls, ascending, with the number of covered targets at each. There are at most
	// MaxProgressPoints.
	Points  [][2]int `json:"points,omitempty"`
	Calls   int      `json:"calls"`
	Of      int      `json:"of"` // the maximum of Calls, 0 if there is none
	Covered int      `json:"covered"`
	Faults  int      `json:"faults"`
}

// MaxProgressPoints is the maximum number of points of a UnitProgress.
const MaxProgressPoints = 100
