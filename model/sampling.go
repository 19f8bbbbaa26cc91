package model

// Sampling configures extensions of sections 4 and 5 of the EvoMaster paper. Each field is a probability or a share of
// calls. For the fields before Binary, 0 turns an extension off. For Binary and the fields after it, 1 turns an
// extension off. In mutations, the probabilities Edge and Echo are divided by 3.
type Sampling struct {
	// Invalid is the probability that the last call of a test has a value that the spec does
	// not allow.
	Invalid float64 `json:"invalid"`
	// Sequel is the probability that a test continues after its template: with the same call again, or with a second
	// template that uses what the first template created.
	Sequel float64 `json:"sequel"`
	// Edge is the probability that a test has a boundary value, such as the minimum or the maximum that the spec
	// allows.
	Edge float64 `json:"edge"`
	// Echo is the probability that a value of a test is equal or adjacent to another value of the test, or is a
	// combination of other values.
	Echo float64 `json:"echo"`
	// Pool is the probability that an input reuses a value of the same kind from an earlier
	// answer.
	Pool float64 `json:"pool"`
	// Sweep is the share of calls for sweeps: tests that repeat a successful call of one
	// operation many times, each time with one changed value, or with all values changed.
	Sweep float64 `json:"sweep"`
	// Negative is the share of calls for negative tests, which send each edge case of each
	// operation once: violations of the spec, hostile texts, and values that are allowed but rare.
	Negative float64 `json:"negative"`
	// Interactions is the share of calls for interaction tests. Such a test changes a resource by one operation and
	// then calls another operation that depends on the resource.
	Interactions float64 `json:"interactions,omitempty"`
	// Attempts is the share of calls for attempts: tests of an operation that has not succeeded yet. Each attempt
	// takes the operation's inputs from other producers, and sets other optional inputs.
	Attempts float64 `json:"attempts"`
	// Refusals is the probability that a call follows the message of an earlier refusal of its operation. Such a
	// message may, for example, list the allowed values of an input. The probability is divided by 4 after the
	// operation has succeeded.
	Refusals float64 `json:"refusals"`
	// Constants is the probability that a value is equal or adjacent to a constant of the service's source,
	// if the constants are known.
	Constants float64 `json:"constants"`
	// Operands is the probability that a mutation for a target in the source copies an operand: a value with which the
	// service compared a value of the test.
	Operands float64 `json:"operands"`
	// Delay is the probability that a target in the source is put off: the search samples it only after each other
	// target was sampled twice. It applies to a target that a test is the first to reach, if the service has compared no
	// value of the test for this target.
	Delay float64 `json:"delay"`
	// Extensions is the share of calls for extensions. An extension continues a test that was the first to reach a
	// target in the source. The share is multiplied by 4 if the service uses other hosts, because extensions can then
	// also continue the messages of these hosts.
	Extensions float64 `json:"extensions"`
	// Rows has two uses. It is the probability that a test inserts rows into tables of the service's database, if
	// earlier queries of its operations returned no rows. It is also the share of calls for earlier tests that are
	// played again with such rows. The database must be SQLite or PostgreSQL, in a service that Sonde builds with probes
	// for its queries.
	Rows float64 `json:"rows,omitempty"`
	// Distilled is the probability that a test with a template uses one of Plan.Distilled.
	Distilled float64 `json:"distilled"`
	// Binary is the probability that a test is scored as in the EvoMaster paper: 1 for the targets that its answers
	// cover, 0 for all other targets. Otherwise the test also gets partial scores for other declared statuses.
	Binary float64 `json:"binary,omitempty"`
	// SkipInitial is the probability that a template has no test at the beginning of the search.
	SkipInitial float64 `json:"skip_initial,omitempty"`
	// PlainTemplates is the probability that a test with a template uses one of Plan.PlainTemplates.
	PlainTemplates float64 `json:"plain_templates,omitempty"`
	// Uniform is the probability that the values of a call are drawn uniformly, within the constraints of the spec and
	// Plan.Sizes; see gene.NewUniform. Otherwise usual values are more likely: small numbers, days of the present
	// decades, examples and defaults, and texts that the formats and names of inputs indicate.
	Uniform float64 `json:"uniform,omitempty"`
	// AnyUser is the probability that the users of a test are drawn from all users, not only from those whom the
	// operations have accepted. If AnyUser is 1, mutations do not change users, and refused calls are not repeated as
	// other users.
	AnyUser float64 `json:"any_user,omitempty"`
	// AnyCall is the probability that a mutation for a target in the source may change any call of a test. Otherwise it
	// often changes only the call that came nearest to the target.
	AnyCall float64 `json:"any_call,omitempty"`
	// OneMutation is the probability that a test of a population is mutated only once. Otherwise it is mutated
	// Tuning.Mutations times in a row. Each mutation after the first starts from the best test so far.
	OneMutation float64 `json:"one_mutation,omitempty"`
	// SkipChecks is the probability that a fault is not checked. Otherwise its test is shortened and repeated near the
	// end of the run.
	SkipChecks float64 `json:"skip_checks,omitempty"`
	// SkipFollowUps is the probability that a follow-up test is not played. Follow-up tests continue kept tests near
	// the end of a run, for oracles that need further calls.
	SkipFollowUps float64 `json:"skip_follow_ups,omitempty"`
	// EveryReset is the probability that the service is reset before a test although no test has changed anything since
	// the last reset.
	EveryReset float64 `json:"every_reset,omitempty"`
	// PlainTies is about two tests that cover a target and have the same length. With the probability PlainTies, the
	// earlier test is kept. Otherwise the test that covers more targets is kept. PlainTies is drawn once for each
	// test.
	PlainTies float64 `json:"plain_ties,omitempty"`
	// AfterRedirect is the probability that a test of a template continues if a call that later calls need is answered
	// 3xx. See Test.AfterRedirect.
	AfterRedirect float64 `json:"after_redirect,omitempty"`
}

// DefaultSampling returns the values with which searches covered most targets in experiments.
func DefaultSampling() Sampling {
	return Sampling{
		Invalid: 0.1, Sequel: 0.2, Edge: 0.3, Echo: 0.3, Pool: 0.05, Sweep: 0.45, Negative: 0.1, Interactions: 0.05, Attempts: 0.25,
		Constants: 0.5, Operands: 0.5, Delay: 1, Extensions: 0.05,
	}
}

// SeesOperands reports whether the sampling uses the values with which the service compares values of tests.
func (s Sampling) SeesOperands() bool { return s.Operands > 0 || s.Delay > 0 }

// SamplingField is a field of Sampling, with its name in flags and configurations.
type SamplingField struct {
	Name, Use string
	Value     func(*Sampling) *float64
}

// SamplingFields lists the fields of Sampling.
var SamplingFields = []SamplingField{
	{
		Name:  "invalid",
		Use:   "probability that a new test has a value that the spec does not allow",
		Value: func(s *Sampling) *float64 { return &s.Invalid },
	},
	{
		Name:  "sequel",
		Use:   "probability that a test continues after its template, with the resources created there",
		Value: func(s *Sampling) *float64 { return &s.Sequel },
	},
	{
		Name:  "edge",
		Use:   "probability that a new test has a boundary value of what the spec allows",
		Value: func(s *Sampling) *float64 { return &s.Edge },
	},
	{
		Name:  "echo",
		Use:   "probability that a value of a new test is equal or adjacent to another value in it, or a combination of others",
		Value: func(s *Sampling) *float64 { return &s.Echo },
	},
	{
		Name:  "pool",
		Use:   "probability that an input is a value from an earlier response",
		Value: func(s *Sampling) *float64 { return &s.Pool },
	},
	{
		Name:  "sweep",
		Use:   "share of calls for tests that vary one call, value by value, on the same resources",
		Value: func(s *Sampling) *float64 { return &s.Sweep },
	},
	{
		Name:  "negative",
		Use:   "share of calls for negative tests: each edge case of each input once, such as violations of the spec and hostile texts",
		Value: func(s *Sampling) *float64 { return &s.Negative },
	},
	{
		Name:  "interactions",
		Use:   "share of calls for tests of an operation after another one has changed a resource on which it depends",
		Value: func(s *Sampling) *float64 { return &s.Interactions },
	},
	{
		Name:  "attempts",
		Use:   "share of calls for tests of operations without a 2xx, each with other producers of their inputs",
		Value: func(s *Sampling) *float64 { return &s.Attempts },
	},
	{
		Name:  "refusals",
		Use:   "probability that a call follows what an earlier refusal said about one of its inputs",
		Value: func(s *Sampling) *float64 { return &s.Refusals },
	},
	{
		Name:  "constants",
		Use:   "probability that a value of a test is a constant that the service compares with (white-box only)",
		Value: func(s *Sampling) *float64 { return &s.Constants },
	},
	{
		Name:  "operands",
		Use:   "probability that a value of a test is one that the service compared it with before (white-box only)",
		Value: func(s *Sampling) *float64 { return &s.Operands },
	},
	{
		Name:  "delay",
		Use:   "probability that a target in the source waits if the service compared no value of a test for it (white-box only)",
		Value: func(s *Sampling) *float64 { return &s.Delay },
	},
	{
		Name:  "extensions",
		Use:   "share of calls, four times as many with --net, for tests that continue the first test to reach something (white-box only)",
		Value: func(s *Sampling) *float64 { return &s.Extensions },
	},
	{
		Name: "rows",
		Use: "probability that a test inserts rows into tables of SQLite or PostgreSQL in which a query of its operations found none, " +
			"and share of calls to try such rows; 0.15 is a good value (a Go service that Sonde builds; sets --sql)",
		Value: func(s *Sampling) *float64 { return &s.Rows },
	},
	{
		Name:  "distilled",
		Use:   "probability that a template is a distilled seq",
		Value: func(s *Sampling) *float64 { return &s.Distilled },
	},
	{
		Name:  "binary",
		Use:   "probability that a test gets the paper's scores for statuses, 0 or 1, and no partial ones",
		Value: func(s *Sampling) *float64 { return &s.Binary },
	},
	{
		Name:  "skip-initial",
		Use:   "probability that a template has no test at the beginning of the search",
		Value: func(s *Sampling) *float64 { return &s.SkipInitial },
	},
	{
		Name:  "plain-templates",
		Use:   "probability that a template is one of the paper, which has only what paths and methods say",
		Value: func(s *Sampling) *float64 { return &s.PlainTemplates },
	},
	{
		Name:  "uniform",
		Use:   "probability that a call has uniform values, without examples, formats and the meaning of names",
		Value: func(s *Sampling) *float64 { return &s.Uniform },
	},
	{
		Name:  "any-user",
		Use:   "probability that a test has any user, also one whom its operations have always refused",
		Value: func(s *Sampling) *float64 { return &s.AnyUser },
	},
	{
		Name:  "any-call",
		Use:   "probability that a mutation may change any call, not only the one that came nearest to the target (white-box only)",
		Value: func(s *Sampling) *float64 { return &s.AnyCall },
	},
	{
		Name:  "one-mutation",
		Use:   "probability that a test is mutated once, and not --mutations times in a row (white-box only)",
		Value: func(s *Sampling) *float64 { return &s.OneMutation },
	},
	{
		Name:  "skip-checks",
		Use:   "probability that a fault is not repeated near the end of the search",
		Value: func(s *Sampling) *float64 { return &s.SkipChecks },
	},
	{
		Name:  "skip-follow-ups",
		Use:   "probability that a further test for an oracle is not played near the end of the search",
		Value: func(s *Sampling) *float64 { return &s.SkipFollowUps },
	},
	{
		Name:  "every-reset",
		Use:   "probability that the service is reset before a test also if nothing has changed since the last reset",
		Value: func(s *Sampling) *float64 { return &s.EveryReset },
	},
	{
		Name:  "plain-ties",
		Use:   "probability that of two tests of the same length that cover a target, not the one that covers more targets is kept",
		Value: func(s *Sampling) *float64 { return &s.PlainTies },
	},
	{
		Name:  "after-redirect",
		Use:   "probability that a test of a template continues after a 3xx to a call that creates what later calls need",
		Value: func(s *Sampling) *float64 { return &s.AfterRedirect },
	},
}

// Strategy is the name of a sampling.
type Strategy string

// The strategies.
const (
	StrategyDefault Strategy = "default"
	// StrategyPaper samples, mutates and scores tests as sections 4 and 5 of the EvoMaster paper say.
	// docs/benchmarks.md lists where a run still differs from the paper.
	StrategyPaper Strategy = "paper"
)

// Strategies lists the strategies.
func Strategies() []Strategy { return []Strategy{StrategyDefault, StrategyPaper} }

// Sampling returns the sampling of a strategy. It returns false if there is no such strategy.
func (s Strategy) Sampling() (Sampling, bool) {
	switch s {
	case StrategyDefault:
		return DefaultSampling(), true
	case StrategyPaper:
		return Sampling{
			Binary: 1, SkipInitial: 1, PlainTemplates: 1, Uniform: 1, AnyUser: 1, AnyCall: 1, OneMutation: 1,
			SkipChecks: 1, SkipFollowUps: 1, EveryReset: 1, PlainTies: 1, AfterRedirect: 1,
		}, true
	}
	return Sampling{}, false
}
