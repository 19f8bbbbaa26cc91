package adequacy

import (
	"context"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
)

// MaxCandidates is how many distilled seqs are looked at to cover the rest.
const MaxCandidates = 20_000

// Assessment is what adequacy found out.
type Assessment struct {
	*Evidence
	valuegroup.Adequacy
	Meter *valuegroup.Meter
	Rest  valuegroup.SupplementarySeqs
}

// Assess measures what was read, and covers the rest with distilled seqs.
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
