package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
	"sonde/runner/search"
	"sonde/ui/app/practice"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newSeqs(s console.Streams) *cobra.Command {
	f := seqsFlags{rule: string(distil.RuleDC)}
	c := &cobra.Command{
		Use:   "seqs [SPEC] [--url URL]",
		Short: "List seqs: short lists of operations, in an order in which earlier answers provide values for later calls",
		Long: `List seqs: short lists of operations, in an order in which earlier answers provide values
for later calls.

Without --url nothing is sent. With --url, --config or --demo each seq is called: a seq
that cannot be run to its end is dropped, and only seqs that succeeded are extended. The
last line says how many of the seqs that follow from the spec alone are practical.
SPEC may then be left out if the service serves its own at /openapi.json. The
budget is --calls, --time or both; without either it is 20,000 calls.

With --rule both, the rules dc and sc are compared: a table has the practical, failed,
barred (they begin with a seq that did not succeed) and open seqs of each, the operations
in practical ones, and the calls. A seq that both rules list is called once, and its
result and its calls count for both. The rules take turns so that they have used about
the same number of calls at any time.

By rule dc an operation follows only if it shares a value with an earlier one
(condition II of the paper). Three flags weight this condition: --min-share counts only
values that the operation requires, --links-only only identifiers, references, cursors
and credentials, and --min-evidence only values that the spec identifies by at least this
grade, in the seq and in the operation that follows: guess (a description, the form of a
text, or the only entity with such an attribute), name (customerId names a customer),
place (a path, a header such as Location, an object of a component) or declared (a link
of the spec, or values of sonde.yaml).

If at least 90% of the first 50 calls (or of 20% of the budget, if that is less)
are answered 401 or 403, no more seqs are called.

Exit code if seqs are called: 0 no faults, 1 faults found, 2 usage, 3 the
service cannot be reached, refused nearly all of the first calls, or never answered
2xx.`,
		Example: "  sonde seqs petstore.yaml\n  sonde seqs petstore.yaml --only tag:pets\n  sonde seqs --demo --calls 3000\n" +
			"  sonde seqs --demo --rule both\n  sonde seqs petstore.yaml --url http://127.0.0.1:8080 --time 1m",
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if f.live() || c.Flags().Changed("config") || c.Flags().Changed("env") {
				if err := f.configure(c, s, args); err != nil {
					return err
				}
			}
			if err := f.check(c, args); err != nil {
				return err
			}
			if f.live() {
				return f.call(c, s, args)
			}
			args, err := withSpec(c, s, args, "SPEC")
			if err != nil {
				return err
			}
			return f.list(c, s, args[0])
		},
	}
	f.add(c)
	return c
}

// seqsFlags are the flags of sonde seqs.
type seqsFlags struct {
	callFlags
	rule    string
	options distil.Options
	weight  match.Weight // weight of condition II
	tries   int
	// keepGoing lets the calls continue if nearly all of the first calls are refused.
	keepGoing bool
}

func (f *seqsFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.rule, "rule", f.rule, "dc (the paper's: an operation shares a value with an earlier one), sc "+
		"(any operation that can run) or, if seqs are called, both: a comparison")
	fl.IntVar(&f.options.Length, "length", distil.DefaultLength, "maximum number of operations in a seq")
	fl.IntVar(
		&f.options.Limit, "limit", distil.DefaultLimit,
		"list at most this many seqs, 0 for all; the paper's algorithm lists one more than its N_list of 2,000",
	)
	addPrintedLines(fl, &f.options.AsPrinted)
	fl.BoolVar(&f.options.RequiredOnly, "min-share", false, "add an operation only if it requires a value that it shares")
	fl.BoolVar(
		&f.weight.Links, "links-only", false,
		"add an operation only if it shares an identifier, a reference, a cursor or a credential: attributes do not count",
	)
	fl.Var(
		(*evidenceFlag)(&f.weight.Evidence), "min-evidence",
		"add an operation only if it shares a value that the spec identifies by at least guess, name, place or declared",
	)
	f.addCase(c)
	f.addOnly(c)
	f.callFlags.add(c)
	fl.BoolVar(&f.keepGoing, "keep-going", false, "continue even if nearly all of the first calls are answered 401 or 403")
	fl.IntVar(&f.tries, "tries", practice.UsualTries, "call a seq that does not succeed this many times, with new values each time")
}

// addPrintedLines adds the flags --repeats and --fed-only. Each makes the listing follow a line of the distiller
// paper's pseudo-code literally, where the text of the paper says something else.
func addPrintedLines(fl *pflag.FlagSet, p *distil.AsPrinted) {
	fl.BoolVar(
		&p.Repeats, "repeats", false, "list seqs with an operation more than once, too: line 40 of the paper's pseudo-code as printed",
	)
	fl.BoolVar(
		&p.FedOnly, "fed-only", false,
		"an optional value that an operation takes and no answer gave is not passed on: line 50 of the paper's pseudo-code as printed",
	)
}

// live reports whether the command calls the seqs. Otherwise it only lists them.
func (f *seqsFlags) live() bool { return f.url != "" || f.demo || f.Config.StartsService() }

func (f *seqsFlags) check(c *cobra.Command, args []string) (err error) {
	switch {
	case f.rule != ruleBoth:
		f.options.Rule, err = distil.ParseRule(f.rule)
	case !f.live():
		err = fmt.Errorf("--rule %s compares seqs that are called: add --url URL, or --demo for the built-in service", f.rule)
	}
	if err != nil {
		return err
	}
	if err := f.checkWeight(); err != nil {
		return err
	}
	for _, flag := range []struct {
		name string
		n    int
	}{{"length", f.options.Length}, {"tries", f.tries}} {
		if flag.n < 1 {
			return fmt.Errorf("--%s is %d: it is at least 1", flag.name, flag.n)
		}
	}
	switch {
	case f.options.Limit < 0:
		return fmt.Errorf("--limit is %d: give a number of seqs, or 0 for all", f.options.Limit)
	case f.options.Limit == 0:
		f.options.Limit = math.MaxInt
	}
	if f.live() {
		return f.callFlags.check(c, args)
	}
	calling := []string{"calls", "time", "tries", "seed", "allow-host", "allow-production", "keep-going"}
	for _, flag := range slices.Concat(calling, credentialNames) {
		if c.Flags().Changed(flag) {
			return fmt.Errorf("--%s has no effect if no service is called: add --url URL, or --demo for the built-in one", flag)
		}
	}
	return nil
}

// checkWeight returns an error if a flag that restricts condition II has no effect.
func (f *seqsFlags) checkWeight() error {
	for _, flag := range []struct {
		name    string
		set     bool
		needsID bool // the flag has no effect if values are matched by name
	}{
		{name: "min-share", set: f.options.RequiredOnly},
		{name: "links-only", set: f.weight.Links, needsID: true},
		{name: "min-evidence", set: f.weight.Evidence > 0, needsID: true},
	} {
		switch {
		case !flag.set:
		case f.options.Rule == distil.RuleSC:
			return fmt.Errorf("--%s has no effect with --rule %s, which ignores shared values: leave it out", flag.name, f.rule)
		case flag.needsID && f.matching == string(match.MatchByName):
			return fmt.Errorf("--%s needs qualified values: leave out --match %s", flag.name, f.matching)
		}
	}
	return nil
}

// evidenceFlag is the value of the flag --min-evidence.
type evidenceFlag match.Evidence

// String returns the name of the grade.
func (e *evidenceFlag) String() string { return match.Evidence(*e).String() }

// Type returns the name of the value for the help.
func (e *evidenceFlag) Type() string { return "grade" }

// Set parses the name of a grade.
func (e *evidenceFlag) Set(name string) error {
	grade, err := match.ParseEvidence(name)
	*e = evidenceFlag(grade)
	return err
}

// list lists the seqs of the spec without calling them.
func (f *seqsFlags) list(c *cobra.Command, s console.Streams, source string) error {
	a, err := f.loadAnalysis(c, s, source)
	if err != nil {
		return err
	}
	f.options.Shared = a.WeightedTable(f.weight)
	if !f.json {
		return f.printAll(c.Context(), s, a.ValuesTable())
	}
	list, err := distil.ListSeqs(c.Context(), a.ValuesTable(), f.options)
	if err != nil {
		return err
	}
	return console.WriteJSON(s.Out, results.NewSeqReport(a, list))
}

// printAll prints each seq when it is found and stores none, because the seqs up to --limit may not fit
// into memory.
func (f *seqsFlags) printAll(ctx context.Context, s console.Streams, t *match.ValuesTable) error {
	b := bufio.NewWriter(s.Out)
	n, gaveUp := 0, false
	for seq := range distil.AllSeqs(ctx, t, f.options) {
		gaveUp = n >= f.options.Limit
		if gaveUp {
			break
		}
		if _, err := fmt.Fprintln(b, results.SeqText(seq)); err != nil {
			return err
		}
		n++
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if gaveUp {
		console.PrintMoreNote(s.Err, n)
	}
	if n == 0 && len(f.only) > 0 {
		console.PrintNote(
			s.Err, "no seqs: each of these operations needs a value of another one: add what creates it with --only, as sonde paths says",
		)
	}
	return ctx.Err()
}

// ruleBoth is the value of --rule for listing seqs by the rules DC and SC, and comparing the results.
const ruleBoth = "both"

// rules returns the rules by which seqs are listed.
func (f *seqsFlags) rules() []distil.Rule {
	if f.rule == ruleBoth {
		return []distil.Rule{distil.RuleDC, distil.RuleSC}
	}
	return []distil.Rule{f.options.Rule}
}

// call calls the seqs. It prints the practical ones, which ran to their end, and their share of all listed seqs. With
// --rule both, it prints a comparison of the rules instead. If calling the seqs fails, it prints the results so far.
func (f *seqsFlags) call(c *cobra.Command, s console.Streams, args []string) error {
	ctx := c.Context()
	spec, err := f.open(ctx, s, args)
	if err != nil {
		return err
	}
	if err := f.checkProduction(service.OperationIDs(spec)); err != nil {
		return err
	}
	listed, err := f.analyze(c, spec)
	if err != nil {
		return err
	}
	f.options.Shared = listed.WeightedTable(f.weight)
	var listings []*practice.Listing
	for _, rule := range f.rules() {
		o := f.options
		o.Rule = rule
		l, err := practice.NewListing(ctx, listed.ValuesTable(), o, "")
		if err != nil {
			return err
		}
		listings = append(listings, l)
	}
	if f.keepGoing {
		f.OnDenied = model.ContinueWhenDenied
	}
	a := analysis.Analyze(spec, analysis.Options{})
	plan := f.PlanForAnalysis(a)
	removeBuild, err := f.BuildForRows(ctx, &plan)
	if err != nil {
		return err
	}
	defer removeBuild()
	v, err := search.NewInvoker(ctx, plan, a.SeqConnector(), f.tries, f.AllowHosts...)
	if err != nil {
		return err
	}
	defer v.Close()
	if listings[0].Empty() { // then the other rule gives no seqs, either
		return errors.New("there is no seq to call: each operation needs a value that only other operations return")
	}
	r := practice.NewRun(v, listings...)
	err = console.ShowProgress(s, func() error { return r.List(ctx) }, r.Progress)
	if f.rule == ruleBoth {
		report := r.Comparison()
		return f.report(s, report, func() error { return results.PrintComparison(s, report) }, report.Outcome, err)
	}
	report := r.Report()
	return f.report(s, report, func() error { return results.PrintPractice(s, report) }, report.Outcome, err)
}

// report prints a report as JSON, or by print, and returns the error that sets the exit code. err is the reason why the
// calls ended early, or nil.
func (f *seqsFlags) report(s console.Streams, report any, print func() error, o practice.Outcome, err error) error {
	write := print
	if f.json {
		write = func() error { return console.WriteJSON(s.Out, report) }
	}
	if err := write(); err != nil {
		return err
	}
	if err != nil && !o.UsedUp && !o.Summary.Cancelled {
		return err
	}
	return f.outcome(o.Summary, s.Err)
}
