package results

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/console"
	"sonde/ui/words"
)

// AddCoverage adds a row with the coverage of the service's source. If there are several packages, it first adds a row
// for each package. If c is nil, it adds no rows.
func AddCoverage(t console.Table, c *model.Coverage) {
	if c == nil {
		return
	}
	if len(c.Packages) > 1 {
		for _, p := range c.Packages {
			t.Row("  "+p.Package, reachedOf(p.Statements, p.Branches))
		}
	}
	t.Row("source", reachedOf(c.Totals()))
}

// reachedOf describes coverage. It leaves out statements or branches if there are none, because a driver
// may not report them.
func reachedOf(statements, branches model.CoverageCount) string {
	var all []string
	for _, part := range []struct {
		of string
		model.CoverageCount
	}{{"statements", statements}, {"branches", branches}} {
		if part.All > 0 {
			all = append(all, fmt.Sprintf("%s of %s (%s)", percent(part.CoverageCount), part.of, parted(part.CoverageCount)))
		}
	}
	return strings.Join(all, ", ")
}

func percent(p model.CoverageCount) string { return fmt.Sprintf("%.1f%%", 100*p.Fraction()) }

func parted(p model.CoverageCount) string {
	return words.Count(p.Covered) + " of " + words.Count(p.All)
}
