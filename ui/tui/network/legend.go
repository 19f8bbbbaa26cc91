package network

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries says what the screen's signs mean, and what its keys do elsewhere.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{"→ ←", "the service turns to it, or listens on it"},
		{"?", "nothing was said there yet: http or tcp"},
		{theme.Injected, "put there by you, for every test from now on"},
		{"asked:", "wished for, and not in force yet"},
		{"✓ △ ✗", "answered, not quite, misbehaved"},
		{"refused", "nobody is there: the first of each new host"},
		{"held", "contacts stay while you read them"},
		{"5 space .", "pauses the search, steps through it"},
		{"4 s", "tries seqs with what was put there"},
	}
}
