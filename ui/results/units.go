package results

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sonde/runner/instrument/units"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// UnitsReport is the JSON of sonde units.
type UnitsReport struct {
	units.Plan
	Counts units.Counts `json:"counts"`
}

// NewUnitsReport returns a plan with its figures.
func NewUnitsReport(plan units.Plan) UnitsReport { return UnitsReport{plan, plan.Count()} }

// PrintUnits writes the functions under test by package, each with what is mocked and what prevents a test.
func PrintUnits(w io.Writer, plan units.Plan) error {
	for _, p := range plan.Packages {
		if len(p.Targets) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s: %d of %s\n", draw.Clean(p.Path), len(p.Targets), words.Plural(p.Declared, "function"))
		t := console.NewTable(w)
		for _, f := range p.Targets {
			sign, note := theme.Ok, mockedText(f)
			if !f.CanWrite() {
				sign, note = theme.Refused, strings.Join(f.Obstacles, "; ")
			}
			t.Row("  "+sign, fmt.Sprintf("%s:%d", f.File, f.Line), f.Name, note)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	for _, skipped := range plan.Skipped {
		fmt.Fprintf(w, "%s left out: %s\n", theme.Refused, draw.Clean(skipped.Why))
	}
	return printUnitCounts(w, plan.Count())
}

// mockedText lists what is mocked, each once, with the methods that are called.
func mockedText(f units.Function) string {
	var targets []string
	methods := map[string][]string{}
	for _, c := range f.Calls {
		if !slices.Contains(targets, c.Target) {
			targets = append(targets, c.Target)
		}
		if c.Method != "" && !slices.Contains(methods[c.Target], c.Method) {
			methods[c.Target] = append(methods[c.Target], c.Method)
		}
	}
	var texts []string
	for _, target := range targets {
		text := target
		if called := methods[target]; len(called) > 0 {
			text += "." + strings.Join(called, ", .")
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

func printUnitCounts(w io.Writer, c units.Counts) error {
	t := console.NewTable(w)
	t.Row("lines", c.Lines)
	t.Row("functions and methods", c.Declared)
	t.Row("  with mockable calls", c.Targets)
	t.Row("    whose inputs a test can write", shareText(c.CanWrite, c.Targets))
	t.Row("mockable calls", c.Calls)
	return t.Flush()
}

// shareText returns a number with its percentage of all.
func shareText(n, all int) string {
	if all == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%.0f%%)", n, 100*float64(n)/float64(all))
}
