package seqs

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries explains the screen's columns and signs.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{theme.Picked, "picked"},
		{"″", "the same call as in the row above"},
		{"each:", "what all rows have in common; it has no column"},
		{"in", "the area, group or operation whose seqs are listed; S on other screens chooses it"},
		{leftOutSign, "depends on earlier state: exports leave it out"},
		{"s", "a running search tries it at once"},
		{"DC", "seqs in which each call shares a value with the next"},
		{"SC", "seqs in which each call can run after the one before"},
		{"+2 longer", "longer DC seqs, for what short ones do not reach"},
		{"groups grp", "value-sharing groups it touches; 1 is best"},
		{"length len", "number of calls"},
		{"covers cov", "targets of the search that it is kept for"},
		{"faults", "faults of the search that it shows"},
		{"only", "targets that only it covers, without the source"},
		{"born", "calls the search had made before it"},
		{"status", "the status of each answer"},
		{"✓ △ ✗", "2xx, 4xx, 5xx"},
		{"—", "not called yet, or no answer"},
		{theme.Failed + " 404", "a seq that was called and did not run to its end, and the answer"},
		{theme.Barred + " 404", "begins with a seq that did not succeed, and the answer"},
	}
}
