package groups

import (
	"sonde/analysis/distil"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// LegendEntries returns the columns and signs of the screen and their meanings.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{"ops, values", "operations, and all values they take or emit"},
		{"DC", "seqs where what follows shares a value"},
		{"SC", "seqs where whatever can run follows"},
		{"cut", "how many seqs fewer by DC than by SC"},
		{"+ / *", "merged of several, part of one, or both, since m or V"},
		{"214k 2.1M", "thousands, millions, rounded down"},
		{"5M+", "5 million, more exist"},
		{"≈", "of the first " + words.Plural(distil.DefaultLimit, "seq")},
		{"✓ ✗ ⊘ ·", "of seqs that P has called: practical, failed, barred, open"},
		{"┆", "a value that operations exchange"},
		{"← → ↔", "emits it, takes it, both"},
		{"◂ ▸", "where it comes out, where it goes in"},
	}
}
