package results

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/lab/mutate"
	"sonde/ui/app/survivors"
	"sonde/ui/console"
	"sonde/ui/words"
)

// MutateReport is the JSON of sonde mutate.
type MutateReport struct {
	Package   string          `json:"package"`
	Mutants   int             `json:"mutants"`
	Idle      int             `json:"idle"`      // number of mutants in code that runs only when the service starts or ends
	Unreached int             `json:"unreached"` // number of mutants in code that never runs
	Sample    int             `json:"sample"`    // number of chosen mutants; 0 for all
	Seed      uint64          `json:"seed"`
	Broken    []string        `json:"broken"` // tests that fail on the unchanged service
	All       mutate.Tally    `json:"all"`
	Outward   mutate.Tally    `json:"outward"` // results of mutants that change calls to other hosts
	Operators []operatorRow   `json:"operators"`
	Results   []mutate.Result `json:"results"`
	// Refactored reports whether the changes keep the behaviour of the service. Each change that a test notices is
	// then a false alarm.
	Refactored bool `json:"refactored,omitempty"`
	// Kill has the new tests that notice survivors, nil if they were not searched for.
	Kill *survivors.Result `json:"kill,omitempty"`
	// Levels compares the unit tests with other tests, nil without --compare.
	Levels *Levels `json:"levels,omitempty"`
}

type operatorRow struct {
	Operator mutate.Operator `json:"operator"`
	mutate.Tally
}

// NewMutateReport returns the JSON of the results of mutants.
func NewMutateReport(a *mutate.Analysis, log *mutate.Log) MutateReport {
	all := a.Results(log)
	r := MutateReport{
		Package: a.Head.Package, Mutants: a.Made, Idle: a.Idle, Unreached: a.Unreached, Sample: a.Sample, Seed: a.Seed,
		Broken: append([]string{}, a.Broken...), All: mutate.NewTally(all), Results: append([]mutate.Result{}, all...),
		Outward:   mutate.NewTally(slices.DeleteFunc(slices.Clone(all), func(r mutate.Result) bool { return !r.Outward })),
		Operators: []operatorRow{},
	}
	for _, o := range slices.Concat(mutate.Operators, mutate.Refactorings) {
		of := slices.DeleteFunc(slices.Clone(all), func(r mutate.Result) bool { return r.Operator != o })
		if len(of) > 0 {
			r.Operators = append(r.Operators, operatorRow{o, mutate.NewTally(of)})
		}
	}
	return r
}

// notJudged lists the reasons why mutants are not judged.
var notJudged = []struct {
	status mutate.Status
	reason string
}{
	{mutate.Equal, "compile to the same code"},
	{mutate.Duplicate, "are equal to another one"},
	{mutate.Equivalent, "were judged equivalent by a person"},
	{mutate.Uncompiled, "do not compile"},
}

// PrintMutants writes the results of mutants as text.
func PrintMutants(w io.Writer, r MutateReport) error {
	var less []string
	for _, t := range notJudged {
		if n := r.All.Status[t.status]; n > 0 {
			less = append(less, fmt.Sprintf("%s %s", words.Count(n), t.reason))
		}
	}
	things, effect := "mutant", "killed"
	if r.Refactored {
		things, effect = "refactoring", "noticed: false alarms"
	}
	fmt.Fprintf(w, "%s tried", words.Plural(r.All.Mutants, things))
	if r.Sample > 0 {
		fmt.Fprintf(w, ", a sample by seed %d", r.Seed)
	}
	if len(less) > 0 {
		fmt.Fprintf(w, "; %s", strings.Join(less, ", "))
	}
	fmt.Fprintf(w, "\n%s judged: %s %s, %.1f%%\n\n", words.Count(r.All.Judged), words.Count(r.All.Dead), effect, 100*r.All.MutationScore())
	if err := printTallies(w, r); err != nil {
		return err
	}
	if r.Refactored {
		return printAlarms(w, r.Results)
	}
	if err := printSurvivors(w, r.Results); err != nil {
		return err
	}
	return cmp.Or(printKills(w, r.Kill), printLevels(w, r.Levels, r.Results))
}

// printKills writes which survivors new tests notice.
func printKills(w io.Writer, found *survivors.Result) error {
	if found == nil {
		return nil
	}
	fmt.Fprintf(
		w, "\n%s of other exchanges and with other values; the service answers %s of them in the same way each time: they notice %s\n",
		words.Plural(found.Candidates, "test"), words.Count(found.Stable), words.Plural(len(found.Kills), "survivor"),
	)
	t := console.NewTable(w)
	for _, k := range found.Kills {
		t.Row("  "+k.Mutant.ID, k.Mutant.Position(), k.Test, k.About)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, file := range found.Files {
		fmt.Fprintln(w, file)
	}
	return nil
}

// printTallies writes a row for each operator, for all mutants, and for mutants of outward calls.
func printTallies(w io.Writer, r MutateReport) error {
	columns := tallyColumns(r)
	t := console.NewTable(w)
	heads := []any{""}
	for _, c := range columns {
		heads = append(heads, c.head)
	}
	t.Row(heads...)
	row := func(name string, n mutate.Tally) {
		cells := []any{name}
		for _, c := range columns {
			cells = append(cells, c.count(n))
		}
		t.Row(cells...)
	}
	for _, o := range r.Operators {
		row(string(o.Operator), o.Tally)
	}
	row("all", r.All)
	row("outward calls", r.Outward)
	return t.Flush()
}

// tallyColumn is a column of a table of tallies.
type tallyColumn struct {
	head  string
	count func(mutate.Tally) int
}

// tallyColumns returns the columns of a report. It leaves out the columns of the oracles if only tests without a mock
// oracle noticed mutants. It leaves out the column "no oracle" if each of the tests that noticed a mutant has a mock
// oracle.
func tallyColumns(r MutateReport) []tallyColumn {
	effect := "killed"
	if r.Refactored {
		effect = "alarms"
	}
	columns := []tallyColumn{
		{"judged", func(n mutate.Tally) int { return n.Judged }},
		{effect, func(n mutate.Tally) int { return n.Dead }},
	}
	if r.All.Together > 0 || r.All.WithoutOracle == 0 {
		for _, o := range model.MockOracles {
			columns = append(columns, tallyColumn{strings.ToUpper(string(o)), func(n mutate.Tally) int { return n.By[o] }})
		}
		for _, o := range model.MockOracles {
			columns = append(columns, tallyColumn{"only " + strings.ToUpper(string(o)), func(n mutate.Tally) int { return n.Only[o] }})
		}
	}
	if r.All.WithoutOracle > 0 {
		columns = append(columns, tallyColumn{"no oracle", func(n mutate.Tally) int { return n.WithoutOracle }})
	}
	return append(
		columns,
		tallyColumn{"before", func(n mutate.Tally) int { return n.By[mutate.BeforeOracle] }},
		tallyColumn{"timeout", func(n mutate.Tally) int { return n.Status[mutate.Timeout] }},
		tallyColumn{"crash", func(n mutate.Tally) int { return n.Status[mutate.Crash] }},
		tallyColumn{"survived", func(n mutate.Tally) int { return n.Status[mutate.Survived] }},
	)
}

// printSurvivors writes the mutants that no test noticed.
func printSurvivors(w io.Writer, all []mutate.Result) error {
	return printChanges(w, "\nsurvived:\n", all, func(r mutate.Result) bool { return r.Status == mutate.Survived })
}

// printAlarms writes the refactorings that tests noticed, each with the first test that noticed it.
func printAlarms(w io.Writer, all []mutate.Result) error {
	return printChanges(w, "\nfalse alarms:\n", all, func(r mutate.Result) bool { return r.Status.IsNoticed() })
}

// printChanges writes a heading, and the changes for which the function wanted returns true. Each change has the first
// test that noticed it.
func printChanges(w io.Writer, head string, all []mutate.Result, wanted func(mutate.Result) bool) error {
	t := console.NewTable(w)
	for _, r := range all {
		if !wanted(r) {
			continue
		}
		fmt.Fprint(w, head)
		head = ""
		row := []any{"  " + r.ID, r.Position(), r.Operator, r.Before + "  ⇒  " + cmp.Or(r.After, "(no call)")}
		if len(r.Tests) > 0 {
			row = append(row, r.Tests[0])
		}
		t.Row(row...)
	}
	return t.Flush()
}
