package model

import (
	"slices"
	"time"
)

// Plan is the complete input of a run.
type Plan struct {
	Spec      *Spec
	Templates []Template
	// PlainTemplates are the templates of the EvoMaster paper, without those that Sonde adds.
	PlainTemplates []Template
	// Distilled are additional templates, made from distilled seqs.
	Distilled []Template
	// Recorded are tests made from recorded traffic. The search starts with them. Their calls are made by
	// users of the plan.
	Recorded []Test
	// BaseURL is the service's scheme, host and base path, without a trailing slash. If Service is set and has
	// no fixed port, the port is PortPlaceholder. With a Service, "" means "http://127.0.0.1:{port}".
	BaseURL string
	Service *Service // nil if Sonde does not start the service
	// Driver starts the service and reports its coverage. If it is set, Service and Probes are nil.
	Driver *Driver
	// Probes report the coverage of the service that Service starts. nil means that there are no probes.
	Probes *Probes
	// Net is the virtual network around the service that Service starts. nil means the real network.
	Net   *VirtualNetwork
	Users []User
	// Headers are sent with each request to the service, unless the request or its user sets the same header.
	Headers []Credential `json:",omitempty"`
	Reset   *Reset       // nil if no reset is configured
	// InsertRows lets the service insert the rows of tests. Sampling.Rows does so, too.
	InsertRows bool
	// Owners are the resources that belong to the user who created them.
	Owners []OwnedResource
	// Oracles turns oracles off ("-NAME") and on ("NAME"). A later entry overrides earlier ones. The name "all"
	// means all oracles. By default all oracles are on.
	Oracles []string
	// Security turns security tests and their oracles on.
	Security bool
	// Restricted are the operations that only some users may call.
	Restricted []RestrictedOperations
	Limits     Limits
	Timeout    time.Duration // the maximum time of a call; 0 means 10 s
	// Rate is the maximum number of requests a second, for all workers and users together;
	// 0 means no limit.
	Rate float64
	// Insecure accepts any TLS certificate of the service.
	Insecure bool
	// TLS names the files for TLS with the service.
	TLS    TLSFiles `json:",omitzero"`
	Tuning Tuning
	// Sampling configures the kinds of tests that Sonde adds to those of the EvoMaster paper (sections 4 and 5).
	Sampling Sampling
	// Sizes are the sizes of tests and values, and of mutations of numbers.
	Sizes Sizes `json:",omitzero"`
	// Constants are values with which the service's source compares its inputs.
	Constants []Constant
	Seed      uint64
	// Minimise is the share of the budget for replaying and minimising the kept tests; 0 turns this off.
	Minimise float64
	// Workers is the number of tests that are played at the same time, each on its own copy of the service.
	// 0 means 1.
	Workers int
	// Copies are the base URLs of additional copies of a service that Sonde does not start: one for each
	// worker after the first.
	Copies []string
	// Commands are applied to the search. A command takes effect when the search has generated the number
	// of tests in its field Asked. The commands are sorted by Asked.
	Commands []AppliedCommand
	// OnDenied says what the run does if the service denies access; see AccessDenied.
	OnDenied AccessDeniedPolicy
	// Replay is the earlier run that this run repeats, nil for none.
	Replay *ReplayedRun
	// Resume is the state from which this run continues, nil for a new run.
	Resume *ResumeState
}

// VirtualNetwork configures the virtual network around a service. The service can reach a host outside of the network
// only if Allow lists the host.
type VirtualNetwork struct {
	// Ground is how the network is built.
	Ground NetworkGround `json:"ground,omitempty"`
	// Allow lists real hosts that the service may reach, with ports: "127.0.0.1:5432".
	Allow []string `json:"allow,omitempty"`
	// Stubs answer in every test. The test's own stubs take precedence.
	Stubs []Stub `json:"stubs,omitempty"`
	// StartupStubs are the stubs that a search found for the start of the service. They answer in every test,
	// too, after Stubs.
	StartupStubs []Stub `json:"startup_stubs,omitempty"`
	// Closed reports whether the network has no hosts except those of Stubs. If it is false, Sonde invents
	// the answers of other hosts.
	Closed bool `json:"closed,omitempty"`
	// Hostname and Interfaces, such as "eth0 10.0.0.7/24", describe the service's machine in the network.
	// By default the network invents them.
	Hostname   string   `json:"hostname,omitempty"`
	Interfaces []string `json:"interfaces,omitempty"`
	// Providers are the specs of hosts, by host with or without a port. The answers of these hosts are
	// generated from the specs.
	Providers map[string]*Spec `json:"-"`
	// Shapes are the schemas of the JSON that the service's source decodes.
	Shapes []*Schema `json:"-"`
}

// WithStartupStubs returns a copy of the network with other startup stubs. It returns nil for the real network.
func (n *VirtualNetwork) WithStartupStubs(stubs []Stub) *VirtualNetwork {
	if n == nil {
		return nil
	}
	c := *n
	c.StartupStubs = stubs
	return &c
}

// PermanentStubs returns the stubs that answer in every test, and nil for the real network.
func (n *VirtualNetwork) PermanentStubs() []Stub {
	if n == nil {
		return nil
	}
	return slices.Concat(n.Stubs, n.StartupStubs)
}

// NetworkGround is the mechanism that implements a virtual network.
type NetworkGround string

// The grounds of virtual networks.
const (
	GroundBuiltIn   NetworkGround = ""          // a runtime that Sonde compiles into a Go service
	GroundNamespace NetworkGround = "namespace" // a Linux network namespace, around any service
	GroundProxy     NetworkGround = "proxy"     // a proxy, for services that read its address from the environment; HTTP only
)

// Probes measure which statements and branches of the service the tests of a run reach.
type Probes struct {
	// Binary is the path of a binary with probes. Its manifest is in the same folder.
	Binary string
	// Blind reports whether coverage is only measured. The search itself is then black-box.
	Blind bool
}

// SeesSource reports whether coverage of the service's source guides the search.
func (p Plan) SeesSource() bool {
	return p.Probes != nil && !p.Probes.Blind || p.Driver != nil && !p.Driver.Blind
}

// DefaultMinimise is the default share of the budget for minimising the kept tests.
const DefaultMinimise = 0.1

// ReplayedRun has the data that a run needs to repeat an earlier run, besides the plan and the service.
type ReplayedRun struct {
	// Used are the progress events of the earlier run. If the budget is a time, each event says which share of the
	// time was used after a number of requests.
	Used []Progress
	// Asked is the number of tests that the run generated, 0 if unknown. Calls is the number of requests
	// that the run sent.
	Asked, Calls int
}

// ResumeState is the state of an earlier run that continues with the rest of its budget.
type ResumeState struct {
	Tests  []Test
	Faults []Fault
	// Last is the last progress event. Ended reports whether the run ended normally. A run that was killed may have
	// sent requests after Last.
	Last  Progress
	Ended bool
	// Answers counts the answers by operation and status. It is nil if the answers were not recorded.
	Answers map[OpID]map[int]int
	// Curve is the coverage so far, nil if unknown.
	Curve []CurvePoint
}

// Limits is the budget of a run. At least one field must be set.
type Limits struct {
	// Calls is the maximum number of requests, log-ins and resets included.
	Calls int           `json:"calls,omitempty"`
	Time  time.Duration `json:"time,omitempty"`
}

// Tuning has the parameters of smart sampling and of the MIO algorithm, which can be changed during a run. Random,
// Population and Mutations are the values at the start of the search. Until the focused phase begins, they change
// linearly to 0, 1 and 10.
type Tuning struct {
	// Smart is the probability P that a new test follows a template.
	Smart float64 `json:"smart"`
	// Random is the probability P_r that a new test is sampled instead of mutated.
	Random float64 `json:"random"`
	// Focus is the share F of the budget at which the focused phase begins.
	Focus float64 `json:"focus"`
	// Population is the maximum number of tests in a target's population.
	Population int `json:"population"`
	// Mutations is the number of times that a sampled test is mutated in a row.
	Mutations int `json:"mutations"`
}

// MaxCount is the largest allowed value of Population, Mutations and Workers in a plan.
const MaxCount = 1000

// DefaultTuning returns the default parameters. Smart (P) and Population (n) have the values of the EvoMaster paper
// (sections 6.3 and 2.4). The paper gives no values for Random (P_r) and Focus (F), and it has no Mutations (m).
func DefaultTuning() Tuning {
	return Tuning{Smart: 0.6, Random: 0.5, Focus: 0.5, Population: 10, Mutations: 1}
}

// Knob is the name of a parameter of a Tuning.
type Knob string

// The knobs of a Tuning.
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

// WithChange returns the tuning with the change's value for the change's knob.
func (t Tuning) WithChange(change TuningChange) Tuning {
	switch change.Knob {
	case KnobSmart:
		t.Smart = change.Value
	case KnobRandom:
		t.Random = change.Value
	case KnobFocus:
		t.Focus = change.Value
	case KnobPopulation:
		t.Population = int(change.Value)
	case KnobMutations:
		t.Mutations = int(change.Value)
	}
	return t
}

// Template is the structure of a test: calls that bring the service into the state that the last call
// needs.
type Template struct {
	Steps []TemplateStep `json:"steps"`
	// Links are links between steps. A link has a Pointer only if the spec declares the link. Every other link is
	// open (see Link.IsOpen), or has a Param or a Header other than Location.
	Links []Link `json:"links,omitempty"`
	// Weight is the probability of this template, relative to others with the same target.
	Weight float64 `json:"weight,omitempty"`
}

// Target returns the operation of the last step, for which the template was made.
func (t Template) Target() OpID { return t.Steps[len(t.Steps)-1].Op }

// TemplateStep is an operation of a template, called between Min and Max times.
type TemplateStep struct {
	Op  OpID `json:"op"`
	Min int  `json:"min"`
	Max int  `json:"max"`
	// FixedPath reports whether all calls of the step have the same values in their paths, which no mutation changes.
	FixedPath bool `json:"fixed_path,omitempty"`
}
