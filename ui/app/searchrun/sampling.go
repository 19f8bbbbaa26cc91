package searchrun

import (
	"strconv"

	"sonde/model"
)

// knobArgs returns the arguments for a tuning.
func knobArgs(t model.Tuning) []string {
	share := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	line := []string{"--smart", share(t.Smart), "--random", share(t.Random), "--focus", share(t.Focus)}
	usual := model.DefaultTuning()
	if t.Population != usual.Population {
		line = append(line, "--population", strconv.Itoa(t.Population))
	}
	if t.Mutations != usual.Mutations {
		line = append(line, "--mutations", strconv.Itoa(t.Mutations))
	}
	return line
}

// SamplingFlag is a flag for one field of model.Sampling.
type SamplingFlag struct {
	Flag, Use string
	Value     func(*model.Sampling) *float64
}

// SamplingFlags lists the flags of model.Sampling.
var SamplingFlags = []SamplingFlag{
	{
		Flag:  "invalid",
		Use:   "probability that a new test has a value that the spec does not allow",
		Value: func(s *model.Sampling) *float64 { return &s.Invalid },
	},
	{
		Flag:  "sequel",
		Use:   "probability that a test continues after its template, with the resources created there",
		Value: func(s *model.Sampling) *float64 { return &s.Sequel },
	},
	{
		Flag:  "edge",
		Use:   "probability that a new test has a boundary value of what the spec allows",
		Value: func(s *model.Sampling) *float64 { return &s.Edge },
	},
	{
		Flag:  "echo",
		Use:   "probability that a value of a new test is equal or adjacent to another value in it, or a combination of others",
		Value: func(s *model.Sampling) *float64 { return &s.Echo },
	},
	{
		Flag:  "pool",
		Use:   "probability that an input is a value from an earlier response",
		Value: func(s *model.Sampling) *float64 { return &s.Pool },
	},
	{
		Flag:  "sweep",
		Use:   "share of calls for tests that vary one call, value by value, on the same resources",
		Value: func(s *model.Sampling) *float64 { return &s.Sweep },
	},
	{
		Flag:  "negative",
		Use:   "share of calls for negative tests: each edge case of each input once, such as violations of the spec and hostile texts",
		Value: func(s *model.Sampling) *float64 { return &s.Negative },
	},
	{
		Flag:  "interactions",
		Use:   "share of calls for tests of an operation after another one has changed a resource on which it depends",
		Value: func(s *model.Sampling) *float64 { return &s.Interactions },
	},
	{
		Flag:  "attempts",
		Use:   "share of calls for tests of operations without a 2xx, each with other producers of their inputs",
		Value: func(s *model.Sampling) *float64 { return &s.Attempts },
	},
	{
		Flag:  "refusals",
		Use:   "probability that a call follows what an earlier refusal said about one of its inputs",
		Value: func(s *model.Sampling) *float64 { return &s.Refusals },
	},
	{
		Flag:  "constants",
		Use:   "probability that a value of a test is a constant that the service compares with (white-box only)",
		Value: func(s *model.Sampling) *float64 { return &s.Constants },
	},
	{
		Flag:  "operands",
		Use:   "probability that a value of a test is one that the service compared it with before (white-box only)",
		Value: func(s *model.Sampling) *float64 { return &s.Operands },
	},
	{
		Flag:  "delay",
		Use:   "probability that a target in the source waits if the service compared no value of a test for it (white-box only)",
		Value: func(s *model.Sampling) *float64 { return &s.Delay },
	},
	{
		Flag:  "extensions",
		Use:   "share of calls, four times as many with --net, for tests that continue the first test to reach something (white-box only)",
		Value: func(s *model.Sampling) *float64 { return &s.Extensions },
	},
	{
		Flag:  "distilled",
		Use:   "probability that a template is a distilled seq",
		Value: func(s *model.Sampling) *float64 { return &s.Distilled },
	},
	{
		Flag:  "binary",
		Use:   "probability that a test gets the paper's scores for statuses, 0 or 1, and no partial ones",
		Value: func(s *model.Sampling) *float64 { return &s.Binary },
	},
	{
		Flag:  "skip-initial",
		Use:   "probability that a template has no test at the beginning of the search",
		Value: func(s *model.Sampling) *float64 { return &s.SkipInitial },
	},
	{
		Flag:  "plain-templates",
		Use:   "probability that a template is one of the paper, which has only what paths and methods say",
		Value: func(s *model.Sampling) *float64 { return &s.PlainTemplates },
	},
	{
		Flag:  "uniform",
		Use:   "probability that a call has uniform values, without examples, formats and the meaning of names",
		Value: func(s *model.Sampling) *float64 { return &s.Uniform },
	},
	{
		Flag:  "any-user",
		Use:   "probability that a test has any user, also one whom its operations have always refused",
		Value: func(s *model.Sampling) *float64 { return &s.AnyUser },
	},
	{
		Flag:  "any-call",
		Use:   "probability that a mutation may change any call, not only the one that came nearest to the target (white-box only)",
		Value: func(s *model.Sampling) *float64 { return &s.AnyCall },
	},
	{
		Flag:  "one-mutation",
		Use:   "probability that a test is mutated once, and not --mutations times in a row (white-box only)",
		Value: func(s *model.Sampling) *float64 { return &s.OneMutation },
	},
	{
		Flag:  "skip-checks",
		Use:   "probability that a fault is not repeated near the end of the search",
		Value: func(s *model.Sampling) *float64 { return &s.SkipChecks },
	},
	{
		Flag:  "skip-follow-ups",
		Use:   "probability that a further test for an oracle is not played near the end of the search",
		Value: func(s *model.Sampling) *float64 { return &s.SkipFollowUps },
	},
	{
		Flag:  "every-reset",
		Use:   "probability that the service is reset before a test also if nothing has changed since the last reset",
		Value: func(s *model.Sampling) *float64 { return &s.EveryReset },
	},
	{
		Flag:  "plain-ties",
		Use:   "probability that of two tests of the same length that cover a target, not the one that covers more targets is kept",
		Value: func(s *model.Sampling) *float64 { return &s.PlainTies },
	},
	{
		Flag:  "after-redirect",
		Use:   "probability that a test of a template continues after a 3xx to a call that creates what later calls need",
		Value: func(s *model.Sampling) *float64 { return &s.AfterRedirect },
	},
}

// samplingArgs returns the fewest arguments for a sampling: a strategy other than the default, and what differs from it.
func samplingArgs(s model.Sampling) []string {
	var fewest []string
	for i, strategy := range model.Strategies() {
		usual, _ := strategy.Sampling()
		var line []string
		if strategy != model.StrategyDefault {
			line = []string{"--strategy", string(strategy)}
		}
		for _, way := range SamplingFlags {
			if value := *way.Value(&s); value != *way.Value(&usual) {
				line = append(line, "--"+way.Flag, strconv.FormatFloat(value, 'g', -1, 64))
			}
		}
		if i == 0 || len(line) < len(fewest) {
			fewest = line
		}
	}
	return fewest
}

// sizeArgs returns the arguments for the sizes that differ from the defaults.
func sizeArgs(s model.Sizes) (line []string) {
	s = s.OrDefault()
	usual := model.DefaultSizes()
	for _, f := range model.SizeFields {
		if n := *f.Value(&s); n != *f.Value(&usual) {
			line = append(line, "--"+f.Name, strconv.Itoa(n))
		}
	}
	return line
}

// maxDistilled is the maximum number of calls of a distilled seq that becomes a template.
const maxDistilled = 3
