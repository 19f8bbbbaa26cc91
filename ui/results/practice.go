package results

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sonde/ui/app/practice"
	"sonde/ui/app/usecase"
	"sonde/ui/console"
	"sonde/ui/words"
)

// maxReasons is the maximum number of reasons that are shown.
const maxReasons = 5

// PrintPractice writes the completed seqs to standard output. To standard error, it writes a summary, the reasons why
// the other seqs failed, the faults and the warnings.
func PrintPractice(s console.Streams, r practice.Report) error {
	for _, seq := range r.Seqs {
		if _, err := fmt.Fprintln(s.Out, seq); err != nil {
			return err
		}
	}
	console.PrintNote(s.Err, "practical: %s of %s (%.0f%%), %s of them with 2xx throughout",
		words.Count(r.Practical), words.Plural(r.Listed, "listed seq"), 100*r.Share, words.Count(r.Successful))
	printReasons(s, "", r.SeqCounts, r.Reasons)
	printOutcome(s, r.Outcome)
	printEnd(s, r)
	return nil
}

// PrintComparison writes the figures of each rule to standard output. To standard error, it writes the reasons why seqs
// failed, the faults and the warnings.
func PrintComparison(s console.Streams, c practice.Comparison) error {
	t := console.NewTable(s.Out)
	row := func(name string, cell func(usecase.RuleListing) string) {
		cells := []any{name}
		for _, l := range c.Rules {
			cells = append(cells, cell(l))
		}
		t.Row(cells...)
	}
	count := func(name string, of func(usecase.RuleListing) int) {
		row(name, func(l usecase.RuleListing) string { return words.Count(of(l)) })
	}
	row("", func(l usecase.RuleListing) string { return strings.ToUpper(string(l.Rule)) })
	row("listed", func(l usecase.RuleListing) string { return words.LimitedCell(l.Listed, l.More) })
	row("practical", func(l usecase.RuleListing) string {
		return fmt.Sprintf("%s (%.0f%%)", words.Count(l.Practical), 100*l.Share())
	})
	count("  2xx throughout", func(l usecase.RuleListing) int { return l.Successful })
	count("failed", func(l usecase.RuleListing) int { return l.Failed })
	count("barred", func(l usecase.RuleListing) int { return l.Barred })
	count("open", func(l usecase.RuleListing) int { return l.Open })
	row("operations", func(l usecase.RuleListing) string {
		return words.Count(l.Operations) + " of " + words.Count(l.Reachable)
	})
	count("calls", func(l usecase.RuleListing) int { return l.Calls })
	for _, calls := range checkpoints(c.Rules) {
		row("after "+words.Plural(calls, "call"), func(l usecase.RuleListing) string {
			at := l.At(calls)
			return words.Plural(at.Practical, "seq") + ", " + words.Plural(at.Operations, "operation")
		})
	}
	if err := t.Flush(); err != nil {
		return err
	}
	open := 0
	for _, l := range c.Rules {
		printReasons(s, strings.ToUpper(string(l.Rule))+": ", l.SeqCounts, l.Reasons)
		open += l.Open
	}
	printOutcome(s, c.Outcome)
	switch {
	case c.UsedUp:
		console.PrintNote(s.Err, "the budget is used up with %s open; raise --calls or --time", words.Plural(open, "seq"))
	case c.Summary.Cancelled:
		console.PrintNote(s.Err, "stopped with %s open", words.Plural(open, "seq"))
	}
	return nil
}

// checkpoints returns the numbers of calls at which the curves of the rules are compared: a quarter, half and all of
// the calls that each rule has made.
func checkpoints(rules []usecase.RuleListing) []int {
	least := math.MaxInt
	for _, l := range rules {
		least = min(least, l.Calls)
	}
	all := []int{least / 4, least / 2, least}
	return slices.Compact(slices.DeleteFunc(all, func(calls int) bool { return calls == 0 }))
}

// printReasons writes the most frequent reasons why seqs failed or are barred. Each line begins with the name of the
// rule, which may be "".
func printReasons(s console.Streams, rule string, n usecase.SeqCounts, reasons []usecase.ObstacleCount) {
	if n.Failed+n.Barred > 0 {
		console.PrintNote(s.Err, "%s%s broke off, %s with one that did not succeed:", rule, words.Count(n.Failed), begins(n.Barred))
	}
	for _, why := range reasons[:min(maxReasons, len(reasons))] {
		console.PrintNote(s.Err, "  %s: %s %s", words.Plural(why.Seqs, "seq"), why.Op, why.AnswerText())
	}
	if more := len(reasons) - maxReasons; more > 0 {
		console.PrintNote(s.Err, "  and %s: --json lists them", words.Plural(more, "rarer reason"))
	}
}

// printOutcome writes the faults, the warnings and the number of calls.
func printOutcome(s console.Streams, r practice.Outcome) {
	for _, fault := range r.Faults {
		if fault.CountsAsFailure() {
			console.PrintNote(s.Err, "fault: %s", faultLine(fault))
		}
	}
	for _, text := range WarningLines(r.Summary.Warnings) {
		console.PrintNote(s.Err, "warning: %s", text)
	}
	console.PrintNote(s.Err, "%s sent, %s of them to set up", words.Plural(r.Summary.Calls, "call"), words.Count(r.Summary.SetUp))
}

// begins returns a number of seqs with the verb "begin" in the right form: "1 begins" or "3 begin".
func begins(n int) string {
	if n == 1 {
		return "1 begins"
	}
	return words.Count(n) + " begin"
}

// printEnd writes a note if the calls or the listing ended early, so that there may be more seqs.
func printEnd(s console.Streams, r practice.Report) {
	reached := "all listed seqs were reached, but there may be more"
	if r.Open > 0 {
		reached = fmt.Sprintf("%s of %s were not reached", words.Count(r.Open), words.Plural(r.Listed, "listed seq"))
	}
	switch {
	case r.UsedUp:
		console.PrintNote(s.Err, "the budget is used up: %s; raise --calls or --time", reached)
	case r.Summary.Cancelled:
		console.PrintNote(s.Err, "stopped: %s", reached)
	case r.GaveUp:
		console.PrintMoreNote(s.Err, len(r.Seqs))
	}
}
