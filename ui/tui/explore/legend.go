package explore

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries says what the screen's signs mean.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{theme.Required, "required"},
		{theme.Optional, "may be left out"},
		{"← →", "who gives the value, who takes it"},
		{"✓ △ ✗", "2xx, only 4xx, some 5xx in the search"},
	}
}
