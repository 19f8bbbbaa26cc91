package adequacy

import (
	"context"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
)

// MaxCandidates is the maximum number of distilled seqs from which Assess chooses.
const MaxCandidates = 20_000

// Assessment says how much of an API is reached by tests, and which seqs would reach the other groups and operations.
type Assessment struct {
	*Evidence
	valuegroup.Adequacy
	Meter *valuegroup.Meter
	Rest  valuegroup.SupplementarySeqs
}

// Assess measures the evidence, and finds distilled seqs that cover what the evidence does not. If ctx ends early, it
// returns the assessment so far and the error of ctx.
func Assess(ctx context.Context, whole *analysis.Analysis, e *Evidence) (*Assessment, error) {
	var seqs []model.Seq
	for _, f := range e.Seqs {
		seqs = append(seqs, f.Seq)
	}
	a := &Assessment{Evidence: e, Meter: whole.AdequacyMeter()}
	a.Adequacy = a.Meter.MeasureAdequacy(seqs)
	var err error
	a.Rest, err = a.Meter.Supplement(seqs, func(length int) ([]model.Seq, bool, error) {
		list, err := distil.ListSeqs(ctx, whole.ValuesTable(), distil.Options{Rule: distil.RuleDC, Limit: MaxCandidates, Length: length})
		return list.Seqs, list.GaveUp, err
	})
	return a, err
}
