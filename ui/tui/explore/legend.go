package explore

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries returns the signs of the screen and their meanings.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	entries := []screen.LegendEntry{
		{theme.Required, "required"},
		{theme.Optional, "may be left out"},
		{theme.Corrected, "a value that you have corrected"},
		{"← →", "the operation that gives the value, that takes it"},
		{"✗ ✓ △", "some 5xx, else some 2xx, else only 4xx in the search"},
		{"201×14", "14 answers with the status 201 in the search"},
	}
	if s.changes.load != nil {
		entries = append(entries, screen.LegendEntry{
			"+ ~ ! -", "added, changed, changed so that clients break, removed since the version of --against",
		})
	}
	return entries
}
