// Package results writes the results of commands, as text for people and as JSON for programs. It computes
// no results and parses no flags.
package results

import (
	"context"
	"io"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/console"
)

// PrintAnalysis writes a summary of the analysis of a spec: operations, groups, graph and seqs.
func PrintAnalysis(ctx context.Context, out io.Writer, spec *model.Spec) error {
	a := analysis.Analyze(spec, analysis.Options{})
	if err := PrintCheck(out, spec); err != nil {
		return err
	}
	heading(out, "Operations")
	t := console.NewTable(out)
	for _, op := range spec.Operations {
		t.Row(string(op.ID), op.Summary)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	heading(out, "Groups: operations that pass values to each other")
	if err := PrintGroups(out, GroupReports(a)); err != nil {
		return err
	}
	heading(out, "Graph: what depends on what")
	if err := NewDataflow(a, a.DependencyGraph()).Print(out); err != nil {
		return err
	}
	heading(out, "Seqs: few calls in an order that passes values on")
	list, err := a.DistilSeqs(ctx, distil.RuleDC)
	if err != nil {
		return err
	}
	return PrintSeqs(console.Streams{Out: out, Err: out}, list)
}
