package explore

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries returns the signs of the screen and their meanings.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{theme.Required, "required"},
		{theme.Optional, "may be left out"},
		{"← →", "the operation that gives the value, that takes it"},
		{"✓ △ ✗", "2xx, only 4xx, some 5xx in the search"},
	}
}
