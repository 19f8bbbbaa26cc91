package cli

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/words"
)

// coverage adds how much of the service's source was reached, by package, where
// somebody saw it.
func coverage(t table, c *model.Coverage) {
	if c == nil {
		return
	}
	if len(c.Packages) > 1 {
		for _, p := range c.Packages {
			t.row("  "+p.Package, reachedOf(p.Statements, p.Branches))
		}
	}
	t.row("source", reachedOf(c.Whole()))
}

// reachedOf leaves out what there is none of: a driver may know no branches.
func reachedOf(statements, branches model.Part) string {
	var all []string
	for _, part := range []struct {
		of string
		model.Part
	}{{"statements", statements}, {"branches", branches}} {
		if part.All > 0 {
			all = append(all, fmt.Sprintf("%s of %s (%s)", percent(part.Part), part.of, parted(part.Part)))
		}
	}
	return strings.Join(all, ", ")
}

func percent(p model.Part) string { return fmt.Sprintf("%.1f%%", 100*p.Share()) }

func parted(p model.Part) string { return words.Count(p.Covered) + " of " + words.Count(p.All) }
