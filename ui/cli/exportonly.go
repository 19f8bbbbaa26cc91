package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/service"
	"sonde/ui/console"
)

// limitToScope removes the tests and faults of a run that --only does not select.
func (f *exportFlags) limitToScope(ctx context.Context, s console.Streams, dir string, run *codec.StoredRun) error {
	if len(f.only) == 0 {
		return nil
	}
	spec, err := f.specOf(ctx, s, dir, *run)
	if err != nil {
		return err
	}
	in, err := inScopes(analysis.Analyze(spec, analysis.Options{}), f.only)
	if err != nil {
		return err
	}
	run.Tests = slices.DeleteFunc(run.Tests, func(t model.Test) bool {
		return !slices.ContainsFunc(t.Calls, func(call model.Call) bool { return in[call.Op] })
	})
	run.Faults = slices.DeleteFunc(run.Faults, func(fault model.Fault) bool { return !in[fault.Op] })
	if len(run.Tests) == 0 && len(run.Faults) == 0 {
		return fmt.Errorf("run %q: no test calls %s", dir, strings.Join(f.only, ", "))
	}
	return nil
}

// specOf reads the spec of a run as the run did.
func (f *exportFlags) specOf(ctx context.Context, s console.Streams, dir string, run codec.StoredRun) (*model.Spec, error) {
	source := specOf(run)
	if source == service.DemoSource {
		return service.LoadDemo(ctx)
	}
	if source == "" {
		return nil, fmt.Errorf("--only: run %q has no path of its spec, in which to look up %s", dir, strings.Join(f.only, ", "))
	}
	search := searchFlagsOf(run)
	spec, err := search.Load(ctx, s, source)
	if err != nil {
		return nil, fmt.Errorf("--only: %w", err)
	}
	if run.SpecHash != "" && spec.Hash != run.SpecHash {
		console.PrintNote(s.Err, "the spec changed since the run: --only uses its groups and clusters of today")
	}
	return spec, nil
}

// triesInScope returns the seqs that --only selects.
func (f *exportFlags) triesInScope(spec *model.Spec, tries []model.AppliedCommand) ([]model.AppliedCommand, error) {
	if len(f.only) == 0 {
		return tries, nil
	}
	in, err := inScopes(analysis.Analyze(spec, analysis.Options{}), f.only)
	if err != nil {
		return nil, err
	}
	tries = slices.DeleteFunc(tries, func(c model.AppliedCommand) bool {
		return !slices.ContainsFunc(c.Try.Steps, func(step model.TemplateStep) bool { return in[step.Op] })
	})
	if len(tries) == 0 {
		return nil, fmt.Errorf("--try %q: no seq calls %s", f.Directives.Try, strings.Join(f.only, ", "))
	}
	return tries, nil
}

// onlyFlags returns --only as arguments.
func (f *exportFlags) onlyFlags() []string {
	var args []string
	for _, scope := range f.only {
		args = append(args, "--only", scope)
	}
	return args
}
