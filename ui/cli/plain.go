package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/pane"

	"github.com/spf13/pflag"
)

// addPlain adds the flag for people who hear what others see, and for pipes.
func addPlain(fl *pflag.FlagSet, plain *bool, what string) {
	fl.BoolVar(plain, "plain", false, what)
}

// lines are streams of which none is taken for a terminal: what would change in place is
// said in further lines.
func (s streams) lines() streams {
	return streams{in: s.in, out: struct{ io.Writer }{s.out}, err: struct{ io.Writer }{s.err}}
}

// onlySpec is the one spec of the folder, as operands; nothing for the demo.
func onlySpec(s streams) ([]string, error) {
	here := specsIn(".")
	switch len(here) {
	case 0:
	case 1:
		tell(s.err, "opens %s, the spec of this folder", here[0])
	default:
		return nil, fmt.Errorf("%s lie in this folder: say which one", strings.Join(here, ", "))
	}
	return here, nil
}

// tellAll writes what the screens show of the spec as lines.
func (w *wiring) tellAll(ctx context.Context) error {
	spec, err := w.load(ctx, w.source)
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := describe(ctx, &b, spec); err != nil {
		return err
	}
	_, err = io.WriteString(w.streams.out, pane.CleanLines(b.String()))
	return err
}

func describe(ctx context.Context, out io.Writer, spec *model.Spec) error {
	matcher := match.New(spec.Operations, match.Usual)
	table := matcher.Table(spec.Operations)
	if err := printCheck(out, spec); err != nil {
		return err
	}
	heading(out, "Operations")
	t := newTable(out)
	for _, op := range spec.Operations {
		t.row(string(op.ID), op.Summary)
	}
	if err := t.flush(); err != nil {
		return err
	}
	heading(out, "Groups: operations that pass values to each other")
	if err := printGroups(out, groupReports(matcher, table)); err != nil {
		return err
	}
	heading(out, "Graph: what depends on what")
	if err := newFlows(titled(spec), matcher, table).text(out); err != nil {
		return err
	}
	heading(out, "Seqs: few calls in an order that passes values on")
	list, err := distil.List(ctx, table, distil.Options{Rule: distil.DC})
	if err != nil {
		return err
	}
	return printSeqs(streams{out: out, err: out}, list)
}
