package cli

import (
	"fmt"

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

func reachedOf(statements, branches model.Part) string {
	return fmt.Sprintf("%s of statements (%s), %s of branches (%s)", percent(statements), parted(statements), percent(branches), parted(branches))
}

func percent(p model.Part) string { return fmt.Sprintf("%.1f%%", 100*p.Share()) }

func parted(p model.Part) string { return words.Count(p.Covered) + " of " + words.Count(p.All) }
