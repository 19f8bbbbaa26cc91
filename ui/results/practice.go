package results

import (
	"fmt"

	"sonde/ui/app/practice"
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
	if r.Failed+r.Barred > 0 {
		console.PrintNote(s.Err, "%s broke off, %s with one that did not succeed:", words.Count(r.Failed), begins(r.Barred))
	}
	for _, why := range r.Reasons[:min(maxReasons, len(r.Reasons))] {
		console.PrintNote(s.Err, "  %s: %s %s", words.Plural(why.Seqs, "seq"), why.Op, why.AnswerText())
	}
	if more := len(r.Reasons) - maxReasons; more > 0 {
		console.PrintNote(s.Err, "  and %s: --json lists them", words.Plural(more, "rarer reason"))
	}
	for _, fault := range r.Faults {
		if fault.CountsAsFailure() {
			console.PrintNote(s.Err, "fault: %s", faultLine(fault))
		}
	}
	for _, text := range WarningLines(r.Summary.Warnings) {
		console.PrintNote(s.Err, "warning: %s", text)
	}
	console.PrintNote(s.Err, "%s sent, %s of them to set up", words.Plural(r.Summary.Calls, "call"), words.Count(r.Summary.SetUp))
	printEnd(s, r)
	return nil
}

// begins returns "1 begins" or "N begin".
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
