package results

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/app/adequacy"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// maxUnmatched is the maximum number of requests without an operation that are listed.
const maxUnmatched = 5

// namesWidth is the width of the lines in a list of names.
const namesWidth = 100

// adequacyText writes an assessment as text.
type adequacyText struct{ *adequacy.Assessment }

// PrintAdequacy writes an assessment as text.
func PrintAdequacy(w io.Writer, a *adequacy.Assessment) error { return adequacyText{a}.print(w) }

// print writes an assessment for people.
func (a adequacyText) print(w io.Writer) error {
	a.printSeqs(w)
	a.printTotals(w)
	a.printMissing(w)
	a.printLeftOut(w)
	return a.printRest(w)
}

// printSeqs writes a row for each seq. If the seqs are from several files, each row names its file.
func (a adequacyText) printSeqs(w io.Writer) {
	if len(a.Seqs) == 0 {
		return
	}
	t := console.NewTable(w)
	head := []any{" ", "seq", "groups", "calls"}
	if a.Files > 1 {
		head = slices.Insert(head, 1, any("file"))
	}
	t.Row(head...)
	names := draw.NewSeqNames(a.Meter.Table.Ops)
	for i, f := range a.Seqs {
		r := a.Scopes[i]
		mark := " "
		if r.InOneGroup() {
			mark = theme.Ok
		}
		row := []any{mark, f.Name, groupNumbers(r.Groups), calls(names, f.Seq, r.Unknown)}
		if a.Files > 1 {
			row = slices.Insert(row, 1, any(f.File))
		}
		t.Row(row...)
	}
	t.Flush()
	fmt.Fprintln(w)
}

// groupNumbers returns the numbers of groups, counted from 1 as in the output of sonde groups.
func groupNumbers(groups []int) string {
	if len(groups) == 0 {
		return "none"
	}
	var all []string
	for _, g := range groups {
		all = append(all, fmt.Sprint(g+1))
	}
	return strings.Join(all, ", ")
}

// calls returns the operations of a seq by their short names, and unknown operations in full.
func calls(names draw.SeqNames, seq model.Seq, unknown []model.OpID) string {
	text := names.Text(seq)
	if len(unknown) > 0 {
		text += "  (not in the spec: " + SeqText(unknown) + ")"
	}
	return text
}

func (a adequacyText) printTotals(w io.Writer) {
	best := 0
	for _, r := range a.Scopes {
		if r.InOneGroup() {
			best++
		}
	}
	t := console.NewTable(w)
	t.Row(theme.Ok+" seqs", fmt.Sprintf("%d of %d", best, len(a.Seqs)), "touch a single group, which is best")
	t.Row("groups", ratio(a.Groups), "touched")
	t.Row("operations", ratio(a.Operations), "called")
	t.Row("values", ratio(a.Values), "taken or emitted")
	t.Row("passed on", ratio(a.Passed), "emitted by one call and taken by a later one of the same seq")
	t.Flush()
}

func ratio[T any](p valuegroup.Coverage[T]) string {
	return fmt.Sprintf("%d of %d", p.Covered, p.Total)
}

// printMissing lists what the seqs do not reach.
func (a adequacyText) printMissing(w io.Writer) {
	var groups []string
	for _, g := range a.Groups.Missing {
		ops := a.Meter.Groups[g].Operations
		name := fmt.Sprintf("%d  %s", g+1, ops[0])
		if len(ops) > 1 {
			name += fmt.Sprintf(" and %d more", len(ops)-1)
		}
		groups = append(groups, name)
	}
	var ops []string
	for _, op := range a.Operations.Missing {
		ops = append(ops, string(op))
	}
	printLines(w, "groups not touched", groups)
	printLines(w, "operations not called", ops)
	printNames(w, "values not reached", a.Values.Missing)
	printNames(w, "values not passed on", a.Passed.Missing)
}

func printLines(w io.Writer, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", title)
	for _, l := range lines {
		fmt.Fprintf(w, "  %s\n", draw.Clean(l))
	}
}

// printNames writes names separated by commas.
func printNames(w io.Writer, title string, names []string) {
	if len(names) > 0 {
		printLines(w, title, words.Wrap(draw.Clean(strings.Join(names, ", ")), namesWidth-2))
	}
}

// printLeftOut lists requests that were read but not counted, and notes.
func (a adequacyText) printLeftOut(w io.Writer) {
	printLines(w, words.Plural(len(a.Unmatched), "request")+" not in the spec", unmatchedLines(a.Unmatched))
	var lines []string
	for _, host := range slices.Sorted(maps.Keys(a.OtherHosts)) {
		lines = append(lines, fmt.Sprintf("%s  %s", host, words.Plural(a.OtherHosts[host], "request")))
	}
	printLines(w, "left out, because they went to other hosts (--host names the service's)", lines)
	printLines(w, "note", a.notes())
}

// unmatchedLines returns a line for each of the first maxUnmatched requests that match no operation, without
// duplicates. The line has the name of the first seq that contains the request. If there are more requests, the last
// line has their number.
func unmatchedLines(all []adequacy.Request) (lines []string) {
	seen := map[string]bool{}
	for _, s := range all {
		request := s.Method + " " + s.URL
		if !seen[request] && len(seen) < maxUnmatched {
			lines = append(lines, fmt.Sprintf("%s  (%s)", request, s.Seq))
		}
		seen[request] = true
	}
	if more := len(seen) - maxUnmatched; more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", words.Count(more)))
	}
	return lines
}

// notes returns notes on the tests that were read.
func (a adequacyText) notes() (lines []string) {
	if len(a.AssumedHosts) > 0 {
		lines = append(
			lines,
			strings.Join(a.AssumedHosts, ", ")+" was taken for the service, as no request went to a host of the spec",
		)
	}
	if a.matchesNothing() {
		lines = append(
			lines,
			"no request matches an operation of the spec: is it the right spec, or does the service have another --host?",
		)
	}
	if a.OtherTags > 0 {
		lines = append(lines, words.Plural(a.OtherTags, "call")+" of operations without the tag left out")
	}
	if a.Unread > 0 {
		lines = append(
			lines,
			words.Plural(a.Unread, "call")+" in Go code not read: method and path must be written out, in a function named Test…",
		)
	}
	return lines
}

// matchesNothing reports whether there were requests, but none matches an operation.
func (a adequacyText) matchesNothing() bool {
	for _, f := range a.Seqs {
		if len(f.Seq) > 0 {
			return false
		}
	}
	return a.OtherTags == 0 && len(a.Unmatched)+len(a.OtherHosts) > 0
}

// printRest writes the seqs that would cover the missing operations, each as a line that other commands can
// read.
func (a adequacyText) printRest(w io.Writer) error {
	if len(a.Operations.Missing) == 0 {
		_, err := fmt.Fprintf(w, "\nevery operation is called\n")
		return err
	}
	if len(a.Rest.Seqs) > 0 {
		fmt.Fprintf(w, "\n%s:\n", a.restTitle())
	}
	for _, seq := range a.Rest.Seqs {
		fmt.Fprintln(w, SeqText(seq))
	}
	var none []string
	for _, op := range a.Rest.Operations {
		none = append(none, string(op))
	}
	printLines(w, a.whyNone(), none)
	return nil
}

func (a adequacyText) restTitle() string {
	title := words.Plural(len(a.Rest.Seqs), "seq") + " would cover the rest"
	if none := len(a.Rest.Operations); none > 0 {
		title = fmt.Sprintf(
			"%s would cover %d of these %d operations", words.Plural(len(a.Rest.Seqs), "seq"),
			len(a.Operations.Missing)-none, len(a.Operations.Missing),
		)
	}
	if a.Rest.IsMinimum {
		title += "; fewer cannot"
	}
	return title
}

// whyNone returns the reason why some operations are in no seq.
func (a adequacyText) whyNone() string {
	if a.Rest.GaveUp {
		return "in none of the listed seqs (" + words.Limited(words.Count(adequacy.MaxCandidates), true) + ")"
	}
	return "in no seq, because they need values that no earlier operation provides"
}
