package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// Comparison says what is different between two runs.
type Comparison struct {
	Old, New Run
	// Differences are lines about what makes the runs hard to compare, such as another spec.
	Differences []string
	Figures     []Figure
	// NewFaults are only in the new run, GoneFaults only in the old one. RemainingFaults are in both, as the new run has
	// them.
	NewFaults, GoneFaults, RemainingFaults []model.Fault
	// Gained and Lost are operations that got a 2xx in one of the runs only.
	Gained, Lost []model.OpID
	// Targets are the operations whose reached statuses differ.
	Targets []TargetChange
	Files   []FileChange
	// FilesAlike is the number of files with the same coverage in both runs.
	FilesAlike int
	// Unknown says what cannot be compared, and why.
	Unknown []string
}

// Figure is a number of both runs.
type Figure struct {
	Name     string
	Old, New string
	Change   string // "" if it is the same or is not known
	// Better reports whether more is better: 1 for the number of tests, -1 for faults, 0 for neither.
	Better int
	sign   int // of the change
}

// TargetChange has the statuses of an operation that only one of the runs reached.
type TargetChange struct {
	Op           model.OpID
	Gained, Lost []int
}

// FileChange is the coverage of a file by both runs.
type FileChange struct {
	File     string
	Old, New model.CoverageCount
}

// Compare compares two runs.
func Compare(older, newer Run) Comparison {
	c := Comparison{Old: older, New: newer}
	c.Differences = differences(older, newer)
	c.Figures = figures(older, newer)
	c.compareFaults()
	c.compareAnswers()
	c.compareFiles()
	return c
}

// differences returns lines about what is not the same for both runs, although it should be.
func differences(older, newer Run) (lines []string) {
	if older.Title != newer.Title {
		lines = append(
			lines, fmt.Sprintf("The runs are of different services: %q and %q.", draw.Clean(older.Title), draw.Clean(newer.Title)),
		)
	} else if older.BaseURL != newer.BaseURL {
		lines = append(lines, fmt.Sprintf("The service was at %s, and is at %s.", draw.Clean(older.BaseURL), draw.Clean(newer.BaseURL)))
	}
	if older.SpecHash != newer.SpecHash && older.SpecHash != "" && newer.SpecHash != "" {
		lines = append(lines, "The spec is another one.")
	}
	if older.Mode != newer.Mode {
		lines = append(lines, fmt.Sprintf("The old run is %s, the new one is %s.", older.Mode, newer.Mode))
	}
	for _, run := range []struct {
		name string
		Run
	}{{"old", older}, {"new", newer}} {
		for _, text := range run.Trouble {
			lines = append(lines, fmt.Sprintf("The %s run is no success: %s.", run.name, draw.Clean(text)))
		}
	}
	return lines
}

// figures returns the figures of both runs side by side.
func figures(older, newer Run) (all []Figure) {
	count := func(name string, better int, of func(Run) int) {
		a, b := of(older), of(newer)
		f := Figure{Name: name, Old: words.Count(a), New: words.Count(b), Better: better, sign: b - a}
		if a != b {
			f.Change = countChange(b - a)
		}
		all = append(all, f)
	}
	tally := func(of func(model.FaultTally) int) func(Run) int {
		return func(r Run) int { return of(model.TallyFaults(r.Faults)) }
	}
	count("faults that count", -1, tally(model.FaultTally.Counted))
	count("faults: errors", -1, tally(func(t model.FaultTally) int { return t.Errors }))
	count("faults: warnings", -1, tally(func(t model.FaultTally) int { return t.Warnings }))
	count("flaky faults and notes, which do not count", 0, tally(model.FaultTally.Uncounted))
	count("covered targets", 1, func(r Run) int { return r.Summary.Covered })
	count("targets", 0, func(r Run) int { return r.Summary.Targets })
	count("operations", 0, func(r Run) int { return r.Summary.Operations })
	count("operations with a 2xx", 1, func(r Run) int { return r.Summary.With2xx })
	count("operations with a 5xx", -1, func(r Run) int { return r.Summary.With5xx })
	count("kept tests", 0, func(r Run) int { return len(r.Tests) })
	count("calls", 0, func(r Run) int { return r.Summary.Calls })
	if older.Summary.Code != nil && newer.Summary.Code != nil {
		all = append(all, coverageFigures(*older.Summary.Code, *newer.Summary.Code)...)
	}
	return append(
		all,
		Figure{Name: "seed", Old: strconv.FormatUint(older.Seed, 10), New: strconv.FormatUint(newer.Seed, 10)},
		Figure{Name: "time", Old: duration(older.Summary.Elapsed), New: duration(newer.Summary.Elapsed)},
		Figure{Name: "started", Old: startText(older.Started), New: startText(newer.Started)},
	)
}

func coverageFigures(older, newer model.Coverage) (all []Figure) {
	oldStatements, oldBranches := older.Totals()
	newStatements, newBranches := newer.Totals()
	for _, f := range []struct {
		name     string
		old, new model.CoverageCount
	}{{"covered statements", oldStatements, newStatements}, {"covered branches", oldBranches, newBranches}} {
		if f.old.All > 0 && f.new.All > 0 {
			change := shareChange(f.old, f.new)
			all = append(all, Figure{
				Name: f.name, Old: share(f.old), New: share(f.new), Change: change, Better: 1, sign: signOf(change),
			})
		}
	}
	return all
}

// shareChange returns the change of a covered share in points, "" if it is less than a tenth.
func shareChange(older, newer model.CoverageCount) string {
	tenths := 0
	if older.All > 0 && newer.All > 0 {
		tenths = newer.Covered*1000/newer.All - older.Covered*1000/older.All
	}
	if tenths == 0 {
		return ""
	}
	sign := "+"
	if tenths < 0 {
		sign, tenths = "−", -tenths
	}
	return fmt.Sprintf("%s%d.%d points", sign, tenths/10, tenths%10)
}

func signOf(change string) int {
	switch {
	case change == "":
		return 0
	case strings.HasPrefix(change, "+"):
		return 1
	}
	return -1
}

// countChange formats a change, such as "+3" or "−3".
func countChange(n int) string {
	if n < 0 {
		return "−" + words.Count(-n)
	}
	return "+" + words.Count(n)
}

// compareFaults sets the faults of the comparison.
func (c *Comparison) compareFaults() {
	before, after := map[model.FaultKey]bool{}, map[model.FaultKey]bool{}
	for _, f := range c.Old.Faults {
		before[f.Key()] = true
	}
	for _, i := range c.New.FaultOrder() {
		f := c.New.Faults[i]
		after[f.Key()] = true
		if before[f.Key()] {
			c.RemainingFaults = append(c.RemainingFaults, f)
		} else {
			c.NewFaults = append(c.NewFaults, f)
		}
	}
	for _, i := range c.Old.FaultOrder() {
		if f := c.Old.Faults[i]; !after[f.Key()] {
			c.GoneFaults = append(c.GoneFaults, f)
		}
	}
}

// compareAnswers sets the operations and targets of the comparison.
func (c *Comparison) compareAnswers() {
	if c.Old.Answers == nil || c.New.Answers == nil {
		c.Unknown = append(c.Unknown, "Operations and targets cannot be compared, because a run has no answers by status.")
		return
	}
	for _, op := range operationsOfBoth(c.Old, c.New) {
		before, after := c.Old.Answers[op], c.New.Answers[op]
		switch {
		case has2xx(after) && !has2xx(before):
			c.Gained = append(c.Gained, op)
		case has2xx(before) && !has2xx(after):
			c.Lost = append(c.Lost, op)
		}
		t := TargetChange{Op: op, Gained: onlyIn(after, before), Lost: onlyIn(before, after)}
		if t.Gained != nil || t.Lost != nil {
			c.Targets = append(c.Targets, t)
		}
	}
}

// operationsOfBoth returns the operations of both runs, first those of the new one.
func operationsOfBoth(older, newer Run) []model.OpID {
	all := slices.Clone(newer.Operations)
	for _, op := range older.Operations {
		if !slices.Contains(newer.Operations, op) {
			all = append(all, op)
		}
	}
	return all
}

// onlyIn returns the statuses with answers in one run and without answers in another.
func onlyIn(counts, others map[int]int) (all []int) {
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		if counts[status] > 0 && others[status] == 0 {
			all = append(all, status)
		}
	}
	return all
}

// compareFiles sets the files whose coverage differs, and that both runs have.
func (c *Comparison) compareFiles() {
	if (c.Old.Files == nil) != (c.New.Files == nil) {
		c.Unknown = append(c.Unknown, "The coverage by file cannot be compared, because only one of the runs has it.")
		return
	}
	before := map[string]model.CoverageCount{}
	for _, f := range c.Old.Files {
		before[f.File] = f.Statements
	}
	for _, f := range c.New.Files {
		earlier, known := before[f.File]
		switch {
		case !known:
		case earlier == f.Statements:
			c.FilesAlike++
		default:
			c.Files = append(c.Files, FileChange{File: f.File, Old: earlier, New: f.Statements})
		}
	}
}
