package screen

import (
	"context"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"

	"github.com/sourcegraph/conc"
)

// NewStudy analyses a spec, its values read and matched in one way. It is slow
// for large specs and belongs into a Cmd. Its error is the context's.
func NewStudy(ctx context.Context, spec *model.Spec, way match.Mode) (*Study, error) {
	a := analysis.Analyze(spec, analysis.Options{Mode: way})
	s := &Study{Spec: spec, Analysis: a}
	var background conc.WaitGroup
	background.Go(func() { s.Index, s.Names = filter.NewIndex(spec), draw.NewSeqNames(spec.Operations) })
	s.Matcher, s.Groups, s.GroupOf = a.Matcher(), a.Groups(), a.GroupOf()
	s.Graph, s.Grants = a.Graph(), a.Grants()
	background.Wait()
	background.Go(func() { s.IDSources = a.IDSources() })
	background.Go(func() { s.Index.Know(spec, s.Matcher, s.GroupOf) })
	err := s.distil(ctx)
	background.Wait()
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Study) distil(ctx context.Context) error {
	listed, err := s.Analysis.Distil(ctx, distil.DC)
	if err != nil {
		return err
	}
	s.Seqs, s.GaveUp = listed.Seqs, listed.GaveUp
	s.Longer, err = s.Analysis.LongerSeqs(ctx)
	return err
}
