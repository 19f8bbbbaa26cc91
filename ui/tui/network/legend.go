package network

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries explains the signs of the screen, and keys of other screens that are useful
// here.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{"→ ←", "the service connects to it, or listens on it"},
		{"?", "nothing was sent yet: http or tcp"},
		{theme.Injected, "injected by you, for every test from now on"},
		{"requested:", "injected, and not in force yet"},
		{theme.AtStart, "while the service started"},
		{"✓ △ ✗", "good answer, doubtful, fault"},
		{"refused", "no stub matches: the first contact with a new host"},
		{"held", "newer contacts are hidden while you read"},
		{"5 space .", "pauses the search, steps through it"},
		{"4 s", "tries seqs with the injected stubs"},
	}
}
