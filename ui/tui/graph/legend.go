package graph

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries returns the signs of the screen and their meanings.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{"◆", "the operation that the graph is about"},
		{"┏ ┓ [ ]", "where the cursor is; on the map ◆"},
		{"╔ ╗ { }", "what was found; in the tree and on the map ●"},
		{"░ █ ▪", "on the map: in sight, a box there, a box elsewhere"},
		{"→", "takes values from the row above"},
		{"←", "gives values to the row above"},
		{theme.Untried, "not called yet in the search"},
		{theme.Ok, "answered 2xx in the search"},
		{theme.Refused, "only refused: 4xx"},
		{theme.Failed, "failed: some 5xx"},
		{"201×14", "14 answers with the status 201; … others, too"},
	}
}
