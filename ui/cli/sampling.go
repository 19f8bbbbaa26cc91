package cli

import (
	"context"
	"strconv"

	"sonde/analysis/depend"
	"sonde/analysis/distil"
	"sonde/analysis/share"
	"sonde/model"
	"sonde/model/match"

	"github.com/spf13/pflag"
)

// sampling is one way in which tests go beyond the paper's.
type sampling struct {
	flag, use string
	of        func(*model.Sampling) *float64
}

// samplings are the ways, each with its flag.
var samplings = []sampling{
	{flag: "invalid", use: "probability that a new test has a value that the document does not allow", of: func(s *model.Sampling) *float64 { return &s.Invalid }},
	{flag: "sequel", use: "probability that a test goes on behind its template, with what the first has created", of: func(s *model.Sampling) *float64 { return &s.Sequel }},
	{flag: "edge", use: "probability that a new test has a value at the edge of what the document allows", of: func(s *model.Sampling) *float64 { return &s.Edge }},
	{flag: "echo", use: "probability that a value of a new test is that of another in it, or next to it", of: func(s *model.Sampling) *float64 { return &s.Echo }},
	{flag: "pool", use: "probability that an input is a value which an earlier answer told", of: func(s *model.Sampling) *float64 { return &s.Pool }},
	{flag: "sweep", use: "share of the calls that go into tests which vary one call, value by value, on the same resources", of: func(s *model.Sampling) *float64 { return &s.Sweep }},
	{flag: "constants", use: "probability that a value of a test is one that the source of the service compares with, where the search sees it", of: func(s *model.Sampling) *float64 { return &s.Constants }},
	{flag: "operands", use: "probability that a value of a test is one that the service compared it with before, where the search sees that", of: func(s *model.Sampling) *float64 { return &s.Operands }},
	{flag: "distilled", use: "probability that a template is a distilled seq instead of the paper's", of: func(s *model.Sampling) *float64 { return &s.Distilled }},
}

func addSampling(fl *pflag.FlagSet, s *model.Sampling) {
	for _, way := range samplings {
		value := way.of(s)
		fl.Float64Var(value, way.flag, *value, way.use)
	}
}

// samplingArgs are the arguments that say how tests are sampled, as far as that
// is not the usual way.
func samplingArgs(s model.Sampling) []string {
	var line []string
	usual := model.DefaultSampling()
	for _, way := range samplings {
		if value := *way.of(&s); value != *way.of(&usual) {
			line = append(line, "--"+way.flag, strconv.FormatFloat(value, 'g', -1, 64))
		}
	}
	return line
}

// distilled returns templates of the fewest distilled seqs that have all
// operations which any has; none where none is asked for.
func (s settings) distilled(spec *model.Spec) []model.Template {
	if s.sampling.Distilled <= 0 {
		return nil
	}
	table := match.NewTable(spec.Operations, match.Usual)
	list, err := distil.List(context.Background(), table, distil.Options{Rule: distil.DC, Length: maxDistilled})
	if err != nil {
		return nil // only the context's, which does not end
	}
	connect := depend.Connector(spec)
	var all []model.Template
	for _, i := range share.NewMeter(table).Cover(nil, list.Seqs).Chosen {
		all = append(all, connect(list.Seqs[i]))
	}
	return all
}

// maxDistilled is the most calls of a distilled seq that becomes a template.
const maxDistilled = 3
