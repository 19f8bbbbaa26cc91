package model

import "time"

// Target is something that a run tries to cover: that an operation answers
// with a status.
type Target struct {
	ID     string // such as "POST /products 201"
	Op     OpID
	Status int
	// Declared tells that the spec promises it; else it was seen.
	Declared bool
}

// Score says how near a test came to a target: 1 is covered, 0 not reached.
type Score struct {
	Target string
	H      float64
	// Number is the target's among those that the search was given, from 1 on; 0
	// where whoever scored does not know it. It only saves a look-up.
	Number int
}

// Constant is a value that a service's source compares something with.
type Constant struct {
	Text   string `json:"text"` // of a number the digits
	Number bool   `json:"number,omitempty"`
	// Name is what is compared with it, as the source calls that; "" where it has no
	// name.
	Name string `json:"name,omitempty"`
}

// Event is one thing that happened in a run. The types that implement it are
// those of this package.
type Event interface{ event() }

type (
	// RunStarted is a run's first event.
	RunStarted struct {
		Targets int `json:"targets"`
	}
	// TargetCovered tells that a test covered a target for the first time.
	TargetCovered struct {
		Call   int    `json:"call"` // number of the call after which it was known
		Target string `json:"target"`
	}
	// CodeCovered tells that a test covered so many statements, calls and branches
	// for the first time.
	CodeCovered struct {
		Call    int `json:"call"`
		Targets int `json:"targets"`
	}
	// FaultFound tells of a fault when it comes for the first time.
	FaultFound struct {
		Fault Fault `json:"fault"`
	}
	// FaultChecked tells what came of repeating a fault.
	FaultChecked struct {
		Call  int   `json:"call"`
		Fault Fault `json:"fault"`
	}
	// Progress tells how far a run is, each time another thousandth of its budget
	// is used up.
	Progress struct {
		Call    int           `json:"call"`
		SetUp   int           `json:"set_up"`
		Asked   int           `json:"asked"` // tests
		Used    float64       `json:"used"`  // share of the budget, 0 to 1
		Elapsed time.Duration `json:"elapsed"`
		// The rest is as in a Summary.
		Checking   int    `json:"checking,omitempty"`
		Minimising int    `json:"minimising,omitempty"`
		Unanswered int    `json:"unanswered,omitempty"`
		NoAnswer   string `json:"no_answer,omitempty"`
		Restarts   int    `json:"restarts,omitempty"`
		Targets    int    `json:"targets,omitempty"`
	}
	// RunResumed tells that a run goes on which had ended, or was killed.
	RunResumed struct {
		Call  int `json:"call"`
		Asked int `json:"asked"`
	}
	// SuiteReplayed tells what came of playing the kept tests again and making them smaller.
	SuiteReplayed struct {
		Call          int `json:"call"`
		Tests         int `json:"tests"`
		Replayed      int `json:"replayed"`
		Flaky         int `json:"flaky"`
		DroppedChecks int `json:"dropped"` // assertions
		RemovedCalls  int `json:"spared"`  // calls
	}
	// Note is something that a person should know.
	Note struct {
		Call int    `json:"call"`
		Text string `json:"text"`
	}
	// RunStopped is a run's last event.
	RunStopped struct {
		Summary Summary `json:"summary"`
	}
)

func (RunStarted) event()     {}
func (TargetCovered) event()  {}
func (CodeCovered) event()    {}
func (FaultFound) event()     {}
func (FaultChecked) event()   {}
func (Progress) event()       {}
func (RunResumed) event()     {}
func (SuiteReplayed) event()  {}
func (AppliedCommand) event() {}
func (Note) event()           {}
func (RunStopped) event()     {}

// Summary is what a run came to. All but Elapsed and Rate follow from the seed
// and the service.
type Summary struct {
	Calls int `json:"calls"`  // every request that left, SetUp included
	SetUp int `json:"set_up"` // resets, and looking whether the service is ready or lives
	// Checking counts the calls that repeated faults and looked closer at what
	// was found; with their resets, which are set-up, they are at most a tenth
	// of the budget. A run that goes on begins that share anew.
	Checking int `json:"checking,omitempty"`
	// Minimising counts the calls that played kept tests again and made them
	// smaller; with their resets they are at most the share that the plan has.
	Minimising int `json:"minimising,omitempty"`
	Budget     int `json:"budget,omitempty"`

	Targets int `json:"targets"` // declared and seen
	Covered int `json:"covered"`

	// Code is how much of the service's source was reached, nil where nobody sees.
	Code *Coverage `json:"code,omitempty"`

	Operations int `json:"operations"`
	With2xx    int `json:"with_2xx"`
	With5xx    int `json:"with_5xx"`
	// Only5xx answered 5xx and never 2xx, Only4xx something else alone. NotAnswered were
	// called and gave no answer. See Classes.
	Only5xx     int `json:"only_5xx,omitempty"`
	Only4xx     int `json:"only_4xx,omitempty"`
	NotAnswered int `json:"not_answered,omitempty"`
	// Declared5xx are those of With5xx that answered no 5xx but what they declare.
	Declared5xx int `json:"declared_5xx,omitempty"`
	Faults      int `json:"faults"`          // errors and warnings, those that are flaky left out
	Flaky       int `json:"flaky,omitempty"` // errors and warnings that did not come again
	Notes       int `json:"notes,omitempty"`
	Tests       int `json:"tests"` // kept

	// Replayed are the kept tests that were played again, and FlakyTests those of
	// them that went another way.
	Replayed   int `json:"replayed,omitempty"`
	FlakyTests int `json:"flaky_tests,omitempty"`
	// NoReset tells that the service could not be brought back to its first state
	// between tests, and EarlierState counts the kept tests that depend on what
	// earlier tests left, or of which that is not known.
	NoReset      bool `json:"no_reset,omitempty"`
	EarlierState int  `json:"depend_on_earlier_state,omitempty"`
	// DroppedChecks counts the assertions on kept tests that did not hold when they were
	// played again, Spared the calls that they could do without.
	DroppedChecks int `json:"dropped,omitempty"`
	RemovedCalls  int `json:"spared,omitempty"`

	// Unanswered calls got no answer; NoAnswer says why the first one did not.
	Unanswered int    `json:"unanswered,omitempty"`
	NoAnswer   string `json:"no_answer,omitempty"`

	// Warnings say what to mend before the next run.
	Warnings []Warning `json:"warnings,omitempty"`

	// Restarts is how often a service that died or hung was started again.
	Restarts int `json:"restarts,omitempty"`

	// Asked is how many tests the search had asked for when it judged the last.
	Asked int `json:"asked"`

	Elapsed time.Duration `json:"elapsed"`
	Rate    float64       `json:"rate"` // calls a second
	// Cancelled tells that the run was stopped before its limits.
	Cancelled bool `json:"cancelled,omitempty"`
	// Trouble says why it ended before them by itself, "" where it did not.
	Trouble string `json:"trouble,omitempty"`
}

// CountDeclared counts the operations whose every 5xx is one that they declare.
func (s *Summary) CountDeclared(spec *Spec, grid map[OpID]map[int]int) {
	s.Declared5xx = 0
	for _, op := range spec.Operations {
		some, all := false, true
		for status := range grid[op.ID] {
			if status/100 == 5 {
				r, _ := op.Response(status)
				some, all = true, all && r != nil && !r.Default()
			}
		}
		if some && all {
			s.Declared5xx++
		}
	}
}

// RunPhase is what a run is doing.
type RunPhase string

// The phases of a run.
const (
	PhaseRunning RunPhase = "running"
	PhasePaused  RunPhase = "paused"
	PhaseDone    RunPhase = "done"
)

// Snapshot is a run at one moment. It is immutable and shares nothing that
// changes, so that a screen may draw it while the run goes on.
type Snapshot struct {
	Phase   RunPhase
	Summary Summary
	// Used is the share of the budget that is used up, 0 to 1.
	Used float64
	// Tuning is what was last asked for and has taken effect, Applied what it
	// comes to at this moment: Random, Population and Mutations move on.
	Tuning  Tuning
	Applied Tuning
	// Curve is covered targets over calls: a point whenever there were more.
	Curve []CurvePoint
	Marks []AppliedCommand
	// Log are the newest events but those that only say how far the run is, and
	// Unlogged counts those before them.
	Log      []LogEntry
	Unlogged int
	// Refused tell of each Steer that did not take effect, and why.
	Refused []Note
	// Weights are how much the operations matter.
	Weights Weights
	// Last is the test that was judged last, whether it is kept or not.
	Last *Test
	// Grid counts answers: operation → status → times.
	Grid map[OpID]map[int]int
	// Newest is how the newest answer with a body begins, by operation and status.
	Newest map[OpStatus]string
	Faults []Fault      // of every severity, in order of discovery
	Tests  []Test       // the archive, in stable order
	Open   []OpenTarget // what the search works at, the nearest first
	// Source is what was reached of the service's source, nil where nobody sees it.
	Source *SourceCoverage
	// Net tells that the service has a virtual network, and Hosts are those around it,
	// in the order in which it turned to them.
	Net   bool
	Hosts []HostSummary
	// Denied tells that the run was stopped, or paused until a person lets it go on,
	// because nearly all of its first calls were answered 401 or 403; nil where not.
	Denied *AccessDenied
	// Err says why a run ended before its time.
	Err error
}

// OpStatus is a status that an operation answered with.
type OpStatus struct {
	Op     OpID
	Status int
}

// OpenTarget is a target that tests came near to and none covers.
type OpenTarget struct {
	Target string
	Op     OpID    // that it is about, "" where it is none of a status
	Near   float64 // how near the best test came: h, between 0 and 1
	Tests  int     // in its population
	// Counter is that of feedback-directed sampling: how often the target was sampled
	// for since a test came nearer, which was when Since of the budget was used.
	Counter int
	Since   float64
}

// TimeLeft is how long the rest of the budget takes at the pace so far; 0 in the first
// seconds, which tell nothing of it.
func (s Snapshot) TimeLeft() time.Duration {
	if s.Used <= 0 || s.Summary.Elapsed < 3*time.Second {
		return 0
	}
	return time.Duration(float64(s.Summary.Elapsed) * (1 - s.Used) / s.Used)
}

// CurvePoint is a moment of the curve.
type CurvePoint struct{ Calls, Covered int }
