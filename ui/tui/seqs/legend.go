package seqs

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries says what the screen's columns and signs mean.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{theme.Picked, "picked"},
		{leftOutSign, "depends on earlier state: exports leave it out"},
		{"s", "a search that is going on tries it at once"},
		{"DC", "seqs where what follows shares a value"},
		{"SC", "seqs where whatever can run follows"},
		{"+2 longer", "by DC, for what short ones do not reach"},
		{"groups grp", "value-sharing groups it touches; 1 is best"},
		{"length len", "how many calls it has"},
		{"covers cov", "targets of the search that it is kept for"},
		{"faults", "faults of the search that it shows"},
		{"only", "targets that only it covers, source left out"},
		{"born", "calls that the search had made before it"},
		{"status", "what each call was answered"},
		{"✓ △ ✗", "2xx, 4xx, 5xx"},
		{"—", "not called yet, or no answer"},
	}
}
