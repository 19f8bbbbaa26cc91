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

// AnalyzeSpec analyzes a spec. mode is the mode for matching values. It is slow for large specs and must be
// called in a tea.Cmd. Its only error is that of ctx.
func AnalyzeSpec(ctx context.Context, spec *model.Spec, mode match.Mode) (*AnalyzedSpec, error) {
	a := analysis.Analyze(spec, analysis.Options{Mode: mode})
	s := &AnalyzedSpec{Spec: spec, Analysis: a}
	var background conc.WaitGroup
	background.Go(func() { s.Index, s.Names = filter.NewIndex(spec), draw.NewSeqNames(spec.Operations) })
	s.Matcher, s.Groups, s.GroupOf = a.Matcher(), a.ValueGroups(), a.GroupOf()
	s.Graph, s.Grants = a.DependencyGraph(), a.LoginGrants()
	background.Wait()
	background.Go(func() {
		s.IDSources = a.IDSources()
		a.Planner().Prepare() // prepares the planner here, because this is slow and screens need the planner
	})
	background.Go(func() { s.Index.AddAnalysis(spec, s.Matcher, s.GroupOf) })
	err := s.distil(ctx)
	background.Wait()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Preview returns the part of a spec that can be shown before the analysis: its operations without values,
// groups and links. Its only error is that of ctx.
func Preview(ctx context.Context, spec *model.Spec) (*AnalyzedSpec, error) {
	outline := &model.Spec{Title: spec.Title, Operations: make([]*model.Operation, len(spec.Operations))}
	for i, op := range spec.Operations {
		outline.Operations[i] = &model.Operation{
			ID: op.ID, Method: op.Method, Path: op.Path, Name: op.Name, Summary: op.Summary, Tags: op.Tags,
		}
	}
	s, err := AnalyzeSpec(ctx, outline, match.DefaultMode)
	if err != nil {
		return nil, err
	}
	s.Spec, s.IsPreview = spec, true
	return s, nil
}

func (s *AnalyzedSpec) distil(ctx context.Context) error {
	listed, err := s.Analysis.DistilSeqs(ctx, distil.RuleDC)
	if err != nil {
		return err
	}
	s.Seqs, s.GaveUp = listed.Seqs, listed.GaveUp
	s.Longer, err = s.Analysis.LongerSeqs(ctx)
	return err
}
