package graph

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// Legend says what the screen's signs mean.
func (s *Screen) Legend() []screen.Sign {
	return []screen.Sign{
		{"◆", "the operation that the graph is about"},
		{"→", "takes values from the one above"},
		{"←", "gives values to the one above"},
		{theme.Ok, "answered 2xx in the search"},
		{theme.Refused, "only refused: 4xx"},
		{theme.Failed, "failed: some 5xx"},
	}
}
