package model

import "time"

// Plan is all that a run needs to know.
type Plan struct {
	Spec      *Spec
	Templates []Template
	// Distilled are further templates, of seqs that the distiller lists.
	Distilled []Template
	// Recorded are tests of real traffic with which the search begins. Only users of the
	// plan call in them.
	Recorded []Test
	// BaseURL is the service's scheme, host and base path, without a slash at
	// the end. With a Service its port is PortHere, and "" is the root of that
	// port on this machine.
	BaseURL string
	Service *Service // nil where somebody else starts it
	// Driver starts the service and sees into it, nil where there is none; then
	// Service and Probes are nil.
	Driver *Driver
	// Probes let the run see into the service that Service starts, nil where it does
	// not.
	Probes *Probes
	// Net is the virtual network around the service that Service starts, nil for the
	// real one.
	Net   *VirtualNetwork
	Users []User
	Reset *Reset // nil where nobody knows how
	// Owners say which things belong to the user who creates them.
	Owners []OwnedResource
	// Oracles switch what must hold off, as "-NAME", and on again, as "NAME", in
	// this order; "all" stands for each. At first all are on.
	Oracles []string
	Limits  Limits
	Timeout time.Duration // of a call, 10 s where it is 0
	// Rate is the most requests a second, over all workers and users; 0 is without
	// limit.
	Rate float64
	// Insecure lets the service say by any certificate who it is.
	Insecure bool
	// TLS names the files that TLS with the service needs.
	TLS    TLSFiles `json:",omitzero"`
	Tuning Tuning
	// Sampling is what new tests have beyond the paper's.
	Sampling Sampling
	// Constants are what the service is known to compare with.
	Constants []Constant
	Seed      uint64
	// Minimise is the share of the budget that may be used to play the kept tests
	// again and to make them smaller, 0 for not at all.
	Minimise float64
	// Workers is how many tests are played at once, each on a copy of the service
	// of its own; 0 is 1.
	Workers int
	// Copies are the base URLs of further copies of a service that somebody else
	// started: one less than there are workers.
	Copies []string
	// Commands are what is done to the search, in the order of Asked.
	Commands []AppliedCommand
	// OnDenied is what the run does where its first calls are nearly all answered 401
	// or 403.
	OnDenied AccessDeniedPolicy
	// Replay is the run that this one repeats, nil for none.
	Replay *ReplayedRun
	// Resume is where this run goes on, nil for one that begins.
	Resume *ResumeState
}

// VirtualNetwork is a virtual network: what is not in it does not exist for the service.
type VirtualNetwork struct {
	// Backend is what carries it.
	Backend NetworkBackend `json:"ground,omitempty"`
	// Allow are hosts with their ports that are real, such as "127.0.0.1:5432".
	Allow []string `json:"allow,omitempty"`
	// Stubs answer in every test, where none of the test's own does.
	Stubs []Stub `json:"stubs,omitempty"`
	// Closed tells that nothing is invented: hosts answer what Stubs say, and are not
	// there where these say nothing.
	Closed bool `json:"closed,omitempty"`
	// Hostname and Interfaces, such as "eth0 10.0.0.7/24", are what the service sees of
	// its own machine; "" and none are those that the network makes up.
	Hostname   string   `json:"hostname,omitempty"`
	Interfaces []string `json:"interfaces,omitempty"`
	// Providers are the specs of hosts, with or without a port, by which their answers
	// are made.
	Providers map[string]*Spec `json:"-"`
	// Shapes are of the JSON that the service's source reads.
	Shapes []*Schema `json:"-"`
}

// NetworkBackend is what carries a virtual network.
type NetworkBackend string

// The grounds.
const (
	BackendBuiltIn   NetworkBackend = ""          // what Sonde built into a Go service
	BackendNamespace NetworkBackend = "namespace" // a network namespace of Linux, around any service
	BackendProxy     NetworkBackend = "proxy"     // a proxy in the environment of a service that asks there: HTTP alone
)

// Probes are how a run sees which statements and branches its tests reach.
type Probes struct {
	// Binary was built with probes, and its manifest lies beside it.
	Binary string
	// Blind tells that only the person sees it: the search goes on black-box.
	Blind bool
}

// DefaultMinimise is the share of the budget that a run uses to minimise its
// tests unless somebody says otherwise.
const DefaultMinimise = 0.1

// ReplayedRun is what a run depended on besides its plan and the service.
type ReplayedRun struct {
	// Used are the shares of the budget, where that was one of time.
	Used []Progress
	// Asked is how many tests it had asked for when it judged the last, 0 where it
	// is not known; then Calls is how many requests it had sent in the end.
	Asked, Calls int
}

// Sampling is how often a new test has what the paper's smart sampling does not
// know. Each is a probability; all 0 is the paper.
type Sampling struct {
	// Invalid is that the last call of a test has a value that the document does
	// not allow.
	Invalid float64 `json:"invalid"`
	// Sequel is that a test goes on behind its template: with the same call
	// again, or with another template on what the first has created.
	Sequel float64 `json:"sequel"`
	// Edge is that a test has a value at the edge of what the document allows.
	Edge float64 `json:"edge"`
	// Echo is that a value of a test is that of another in it, or next to it.
	Echo float64 `json:"echo"`
	// Pool is that a value which an earlier answer told is an input again, where
	// it is of the same kind.
	Pool float64 `json:"pool"`
	// Sweep is the share of the calls that are made by tests which call one operation
	// many times, each time with one value other than in a call that went well, or all.
	Sweep float64 `json:"sweep"`
	// Constants is that a value of a test is one that the service's source compares
	// with, or next to it, where a run sees that.
	Constants float64 `json:"constants"`
	// Operands is that a test which is to come nearer to a place in the source has a
	// value that another of its values was compared with, where a run sees that.
	Operands float64 `json:"operands"`
	// Distilled is that a test which follows a template follows one of the plan's
	// distilled ones.
	Distilled float64 `json:"distilled"`
}

// DefaultSampling returns what was measured to reach most.
func DefaultSampling() Sampling {
	return Sampling{Invalid: 0.1, Sequel: 0.2, Edge: 0.3, Echo: 0.3, Pool: 0.05, Sweep: 0.5, Constants: 0.5, Operands: 0.5}
}

// ResumeState is what a run had come to that goes on. Its budget goes on, too.
type ResumeState struct {
	Tests  []Test
	Faults []Fault
	// Last is how far it came as it told last, and Ended that it told of its end:
	// else more may have left than Last knows.
	Last  Progress
	Ended bool
	// Answers are how often each operation was answered with each status, nil where
	// only the tests tell.
	Answers map[OpID]map[int]int
	// Curve is how it came so far, nil where nobody knows.
	Curve []CurvePoint
}

// Limits end a run. At least one of them must be set.
type Limits struct {
	// Calls is the number of requests that may leave Sonde, resets included.
	Calls int           `json:"calls,omitempty"`
	Time  time.Duration `json:"time,omitempty"`
}

// Tuning is what a person may change while a run goes on. Random, Population
// and Mutations are the values at the start of the search: they move
// linearly to 0, 1 and 10 until the focused phase begins.
type Tuning struct {
	// Smart is the probability P that a new test follows a template.
	Smart float64 `json:"smart"`
	// Random is the probability P_r of a new test instead of a mutated one.
	Random float64 `json:"random"`
	// Focus is the share F of the budget at which the focused phase begins.
	Focus float64 `json:"focus"`
	// Population is the most tests that a target keeps.
	Population int `json:"population"`
	// Mutations is how often in a row a sampled test is mutated.
	Mutations int `json:"mutations"`
}

// MaxCount is the most that a person may choose for Population, Mutations and a
// plan's Workers.
const MaxCount = 1000

// DefaultTuning returns the EvoMaster paper's parameters.
func DefaultTuning() Tuning {
	return Tuning{Smart: 0.6, Random: 0.5, Focus: 0.5, Population: 10, Mutations: 1}
}

// Knob names one parameter of a Tuning.
type Knob string

// The knobs that a person may turn while a run goes on.
const (
	KnobSmart      Knob = "smart"
	KnobRandom     Knob = "random"
	KnobFocus      Knob = "focus"
	KnobPopulation Knob = "population"
	KnobMutations  Knob = "mutations"
)

// TuningChange sets one knob to a value.
type TuningChange struct {
	Knob  Knob    `json:"knob"`
	Value float64 `json:"value"`
}

// WithChange returns the tuning after a turn.
func (t Tuning) WithChange(turn TuningChange) Tuning {
	switch turn.Knob {
	case KnobSmart:
		t.Smart = turn.Value
	case KnobRandom:
		t.Random = turn.Value
	case KnobFocus:
		t.Focus = turn.Value
	case KnobPopulation:
		t.Population = int(turn.Value)
	case KnobMutations:
		t.Mutations = int(turn.Value)
	}
	return t
}

// Template is the structure of a smartly sampled test: calls that bring the
// service into the state that the last one needs.
type Template struct {
	Steps []TemplateStep `json:"steps"`
	// Links between steps are open, or name a Param.
	Links []Link `json:"links,omitempty"`
	// Weight is the probability of this template relative to the others with
	// the same target.
	Weight float64 `json:"weight,omitempty"`
}

// Target returns the operation that the template is for.
func (t Template) Target() OpID { return t.Steps[len(t.Steps)-1].Op }

// TemplateStep is an operation of a template, called between Min and Max times.
type TemplateStep struct {
	Op  OpID `json:"op"`
	Min int  `json:"min"`
	Max int  `json:"max"`
}
