package model

import "time"

// Target is an operation and a status. A run tries to make the operation answer with the status.
type Target struct {
	ID     string // such as "POST /products 201"
	Op     OpID
	Status int
	// Declared reports whether the spec declares the status. Other statuses were observed.
	Declared bool
}

// Score says how close a test came to a target. H is 1 if the test covered the target, 0 if the test did not reach
// the target, and in between if it came close.
type Score struct {
	Target string
	H      float64
	// Number is the number of the target in the search, from 1; 0 if unknown. With the number, the search need not
	// look up the target by its name.
	Number int
}

// Constant is a constant with which a service's source compares a value.
type Constant struct {
	Text   string `json:"text"` // the digits of a number
	Number bool   `json:"number,omitempty"`
	// Name is the name of the compared value in the source, "" if it has none.
	Name string `json:"name,omitempty"`
}

// Event is something that happened in a run. Only types of this package implement it.
type Event interface{ event() }

type (
	// RunStarted is a run's first event.
	RunStarted struct {
		Targets int `json:"targets"`
	}
	// TargetCovered is sent when a test covers a target for the first time.
	TargetCovered struct {
		Call   int    `json:"call"` // number of the call that covered the target
		Target string `json:"target"`
	}
	// CodeCovered is sent when a test is the first to cover some statements, calls, branches or conditions of the
	// service. Targets is their number.
	CodeCovered struct {
		Call    int `json:"call"`
		Targets int `json:"targets"`
	}
	// FaultFound is sent when a fault occurs for the first time.
	FaultFound struct {
		Fault Fault `json:"fault"`
	}
	// FaultChecked is sent after a fault was repeated. The fault has a verdict.
	FaultChecked struct {
		Call  int   `json:"call"`
		Fault Fault `json:"fault"`
	}
	// Progress is sent each time another thousandth of the budget is used.
	Progress struct {
		Call    int           `json:"call"`
		SetUp   int           `json:"set_up"`
		Asked   int           `json:"asked"` // number of generated tests
		Used    float64       `json:"used"`  // used share of the budget, 0 to 1
		Elapsed time.Duration `json:"elapsed"`
		// The other fields have the same meaning as in Summary.
		Checking   int    `json:"checking,omitempty"`
		Minimising int    `json:"minimising,omitempty"`
		Unanswered int    `json:"unanswered,omitempty"`
		NoAnswer   string `json:"no_answer,omitempty"`
		Restarts   int    `json:"restarts,omitempty"`
		Targets    int    `json:"targets,omitempty"`
	}
	// RunResumed is sent when a run that had ended or was killed continues.
	RunResumed struct {
		Call  int `json:"call"`
		Asked int `json:"asked"`
	}
	// SuiteReplayed is sent after the kept tests were replayed and minimised.
	SuiteReplayed struct {
		Call          int `json:"call"`
		Tests         int `json:"tests"`
		Replayed      int `json:"replayed"`
		Flaky         int `json:"flaky"`
		DroppedChecks int `json:"dropped"` // removed assertions
		RemovedCalls  int `json:"spared"`  // removed calls
	}
	// Note is a message for the user.
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

// Summary is the result of a run. If the budget is a number of calls and the user does not intervene, all fields
// except Elapsed and Rate are determined by the seed and the service's behaviour.
type Summary struct {
	Calls int `json:"calls"`  // all requests, including SetUp
	SetUp int `json:"set_up"` // resets, and checks whether the service is ready or alive
	// Checking counts the calls that repeated faults or examined findings. These calls and
	// their resets, which count as SetUp, use at most a tenth of the budget. A resumed run may
	// use another tenth.
	Checking int `json:"checking,omitempty"`
	// Minimising counts the calls that replayed and minimised kept tests. With their resets they use at most the share
	// Plan.Minimise of the budget.
	Minimising int `json:"minimising,omitempty"`
	Budget     int `json:"budget,omitempty"`

	Targets int `json:"targets"` // declared and observed
	Covered int `json:"covered"`

	// Code is the coverage of the service's source, nil if it is not measured.
	Code *Coverage `json:"code,omitempty"`

	Operations int `json:"operations"`
	With2xx    int `json:"with_2xx"`
	With5xx    int `json:"with_5xx"`
	// Only5xx counts operations that answered 5xx and never 2xx. Only4xx counts operations that answered,
	// but neither 2xx nor 5xx. NotAnswered counts operations that were called and never answered. See
	// Classes.
	Only5xx     int `json:"only_5xx,omitempty"`
	Only4xx     int `json:"only_4xx,omitempty"`
	NotAnswered int `json:"not_answered,omitempty"`
	// Declared5xx counts the operations of With5xx whose 5xx statuses are all declared, other than by a default
	// response.
	Declared5xx int `json:"declared_5xx,omitempty"`
	Faults      int `json:"faults"`          // errors and warnings that are not flaky
	Flaky       int `json:"flaky,omitempty"` // errors and warnings that were not reproduced each time
	Notes       int `json:"notes,omitempty"`
	Tests       int `json:"tests"` // number of kept tests

	// Replayed is the number of kept tests that were replayed. FlakyTests is the number of replayed tests with a
	// different result.
	Replayed   int `json:"replayed,omitempty"`
	FlakyTests int `json:"flaky_tests,omitempty"`
	// NoReset reports whether the service could not be reset between tests. EarlierState counts the kept tests that
	// may depend on state that earlier tests left in the service.
	NoReset      bool `json:"no_reset,omitempty"`
	EarlierState int  `json:"depend_on_earlier_state,omitempty"`
	// DroppedChecks counts the checks of kept tests that failed in the replay. RemovedCalls counts calls
	// that were not necessary.
	DroppedChecks int `json:"dropped,omitempty"`
	RemovedCalls  int `json:"spared,omitempty"`

	// Unanswered is the number of calls without an answer. NoAnswer is the reason why the first of these calls had no
	// answer.
	Unanswered int    `json:"unanswered,omitempty"`
	NoAnswer   string `json:"no_answer,omitempty"`

	// Warnings say what to correct before the next run.
	Warnings []Warning `json:"warnings,omitempty"`

	// Restarts is how often the service was started again because it crashed or did not respond.
	Restarts int `json:"restarts,omitempty"`

	// Asked is the number of tests that the search generated.
	Asked int `json:"asked"`

	Elapsed time.Duration `json:"elapsed"`
	Rate    float64       `json:"rate"` // calls a second
	// Cancelled reports whether the user stopped the run before its budget was used.
	Cancelled bool `json:"cancelled,omitempty"`
	// Forecast is what further calls would likely cover, nil if the run is too short for a forecast.
	Forecast *Forecast `json:"forecast,omitempty"`
	// Trouble is the reason why the run ended early. It is "" if the run did not end early, or if the user stopped it.
	Trouble string `json:"trouble,omitempty"`
}

// CountDeclared sets Declared5xx, the number of operations that answered 5xx, but only with statuses that the spec
// declares. grid has the form of Snapshot.Grid.
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

// RunPhase is the phase of a run.
type RunPhase string

// The phases of a run.
const (
	PhaseRunning RunPhase = "running"
	PhasePaused  RunPhase = "paused"
	PhaseDone    RunPhase = "done"
)

// Snapshot is the state of a run at one moment. It does not change, so a screen may draw it while the run
// continues.
type Snapshot struct {
	Phase   RunPhase
	Summary Summary
	// Used is the used share of the budget, 0 to 1.
	Used float64
	// Tuning is the current tuning as set by the user. Applied has the current values of Random, Population
	// and Mutations, which change during the search.
	Tuning  Tuning
	Applied Tuning
	// Curve is the number of covered targets by the number of calls, with a point for each increase.
	// Targets in the service's source do not count.
	Curve []CurvePoint
	Marks []AppliedCommand
	// Log has the latest notable events. Unlogged is the number of earlier notable events, which Log omits.
	Log      []LogEntry
	Unlogged int
	// Refused has the commands that did not take effect, with the reasons.
	Refused []Note
	// Weights are the current weights of the operations.
	Weights Weights
	// Last is the test that was judged last, whether it was kept or not.
	Last *Test
	// Grid is the number of answers by operation and status.
	Grid map[OpID]map[int]int
	// Newest has the beginning of the latest body by operation and status.
	Newest map[OpStatus]string
	Faults []Fault      // faults of every severity, in order of discovery
	Tests  []Test       // the archive, in a stable order
	Open   []OpenTarget // uncovered targets that were reached, the closest first
	// Source is the coverage of the service's source, nil if it is not measured.
	Source *SourceCoverage
	// Net reports whether the service has a virtual network. Hosts are the hosts in it, in
	// order of first contact.
	Net   bool
	Hosts []HostSummary
	// StartupStubs are the startup stubs that the search found. They do not include stubs of the user.
	StartupStubs []Stub
	// Denied is set if the run was stopped or paused because the service denied access; see AccessDenied.
	Denied *AccessDenied
	// Err is the reason why a run ended early.
	Err error
}

// OpStatus is an operation with a status that it answered.
type OpStatus struct {
	Op     OpID
	Status int
}

// OpenTarget is a target that tests have reached but not covered.
type OpenTarget struct {
	Target string
	Op     OpID    // "" for a target in the service's source
	Near   float64 // h of the best test, between 0 and 1
	Tests  int     // number of tests in its population
	// Counter is the counter of feedback-directed sampling: how often the target was sampled since a test last came
	// closer to the target. Since is the share of the budget that was used when a test last came closer, 0 to 1.
	Counter int
	Since   float64
}

// TimeLeft estimates the time until the budget is used, from the pace of the run. It returns 0 in the first three
// seconds, and before any of the budget is used.
func (s Snapshot) TimeLeft() time.Duration {
	if s.Used <= 0 || s.Summary.Elapsed < 3*time.Second {
		return 0
	}
	return time.Duration(float64(s.Summary.Elapsed) * (1 - s.Used) / s.Used)
}

// CurvePoint is a point of the coverage curve.
type CurvePoint struct{ Calls, Covered int }
