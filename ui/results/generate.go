package results

import (
	"cmp"
	"fmt"
	"io"

	"sonde/runner/replay/generate"
	"sonde/ui/app/generation"
	"sonde/ui/console"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// MaxNotes is the maximum number of warnings of a recording, and of exchanges without a test, that are
// shown.
const MaxNotes = 5

// PrintGenerate writes the report as text.
func PrintGenerate(w io.Writer, r generation.Report) {
	printMimicTable(w, r)
	printMimicNotes(w, r)
}

// printMimicTable writes a table with the columns of Tables 3 to 5 of the RICK paper.
func printMimicTable(w io.Writer, r generation.Report) {
	t := console.NewTable(w)
	t.Row(
		"operation", "exchanges", "shapes", "bytes", "mocks", "stubs", "OO", "PO", "CO", "tests", "mimic",
		"incomplete", "unhandled", "flaky",
	)
	for _, row := range append(r.Rows, r.Total) {
		if row.Tests == 0 {
			continue
		}
		outcome := []any{row.Mimics, row.Incomplete, row.Unhandled, row.Flaky}
		if r.Untried != "" {
			outcome = []any{"-", "-", "-", "-"}
		}
		t.Row(append([]any{
			string(row.Operation), row.Seen, row.Shapes, row.Bytes, row.Hosts, row.Stubs, row.OO, row.PO, row.CO,
			row.Tests,
		}, outcome...)...)
	}
	t.Flush()
}

// printMimicNotes writes the tests that do not mimic, and the notes after the table.
func printMimicNotes(w io.Writer, r generation.Report) {
	fmt.Fprintln(w)
	for _, test := range r.Tests {
		for _, x := range test.Results {
			if x.Outcome != generate.OutcomeMimics {
				first := ""
				if len(x.Differences) > 0 {
					first = x.Differences[0] + "; "
				}
				fmt.Fprintf(w, "%s %s %s: %sfailed in %d of %d runs\n", theme.Failed, x.Outcome, x.Function, first, x.Failed, x.Runs)
			}
		}
		if test.Uncertain {
			fmt.Fprintf(
				w,
				"%s uncertain %s: it is not certain what the service sent for it, so it has no call oracle\n",
				theme.Failed, test.ID,
			)
		}
	}
	for _, x := range r.Skipped[:min(len(r.Skipped), MaxNotes)] {
		fmt.Fprintf(w, "  left out %s: %s\n", x.Request, x.Why)
	}
	if more := len(r.Skipped) - MaxNotes; more > 0 {
		fmt.Fprintf(w, "  left out %d more: --json names them\n", more)
	}
	printPinnedFaults(w, r)
	printCodeChoice(w, r)
	printMimicCauses(w, r)
	if r.Untried != "" {
		fmt.Fprintf(w, "The tests were not run: %s.\n", r.Untried)
	} else {
		fmt.Fprintf(
			w, "%d of %s mimic successfully in all of %s.\n", r.Total.Mimics,
			words.Plural(r.Total.Tests, "test"), words.Plural(r.Runs, "run"),
		)
		if r.Calling.Tests > 0 && r.Others.Tests > 0 {
			fmt.Fprintf(
				w, "Of the tests with outward calls, %d of %d mimic; of those without, %d of %d.\n",
				r.Calling.Mimics, r.Calling.Tests, r.Others.Mimics, r.Others.Tests,
			)
		}
	}
	printOmitted(w, r)
	for _, file := range r.Files {
		fmt.Fprintln(w, file)
	}
}

// printOmitted writes which tests are left out of the files, with the reasons. For a format other than Go, it first
// writes that the results were measured with Go tests.
func printOmitted(w io.Writer, r generation.Report) {
	if r.Format != "" && r.Untried == "" {
		fmt.Fprintf(w, "That was measured with Go tests of the same exchanges; the files are in %s.\n", r.Format)
	}
	for _, t := range r.LeftOut {
		fmt.Fprintf(w, "  left out %s: %s\n", t.Name, t.Why)
	}
}

// printPinnedFaults writes how many tests expect an answer that most likely is a fault of the service, such as a 500.
// Such tests pin the fault.
func printPinnedFaults(w io.Writer, r generation.Report) {
	n, first := 0, ""
	for _, t := range r.Tests {
		if t.IsFault {
			n, first = n+1, cmp.Or(first, t.About)
		}
	}
	switch {
	case n == 1:
		fmt.Fprintf(w, "A test pins a server error: %s. --faults skip leaves it out.\n", first)
	case n > 1:
		fmt.Fprintf(w, "The tests of %d exchanges pin server errors, such as: %s. --faults skip leaves them out.\n", n, first)
	}
}

// printCodeChoice writes how many exchanges were chosen by the code that they run.
func printCodeChoice(w io.Writer, r generation.Report) {
	if r.Code == nil {
		return
	}
	ran, of := r.Code.Chosen, r.Code.Recorded
	fmt.Fprintf(
		w, "%s chosen for new code, %d for a new shape or trait: they run %d of %d statements and %d of %d branches of the recording.\n",
		words.Plural(r.Code.ByCode, "exchange"), len(r.Tests)-r.Code.ByCode, ran.Statements, of.Statements, ran.Branches, of.Branches,
	)
}

// printMimicCauses writes how the requests that cause outward calls were found, with the number of calls for each
// method, and the number of calls that no request caused.
func printMimicCauses(w io.Writer, r generation.Report) {
	if len(r.Causes) > 0 {
		fmt.Fprintf(w, "The causes of outward calls are known by %s.\n", AttributionText(r.Causes))
	}
	if r.Background > 0 {
		fmt.Fprintf(
			w, "No request caused %s: all tests have their stubs, and do not compare them.\n", words.Plural(r.Background, "outward call"),
		)
	}
	if r.Strays > 0 {
		fmt.Fprintf(w, "The cause of %s is unknown: no test has a stub for them.\n", words.Plural(r.Strays, "outward call"))
	}
}
