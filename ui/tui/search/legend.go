package search

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries returns the signs of the screen and their meanings.
func (m Model) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{"m b o p", "answers, faults: mute, boost, only, as usual"},
		{"t", "answers, faults: do that to a tag or a group"},
		{theme.Spell("⏎"), "on a test: why it is kept"},
		{"c", "what was reached of the source: ✓ covered, △ half, ✗ not"},
		{".83", "in the source: how near a test came, 1 is covered"},
		{"0.31 .50", "a knob's value now, the value it was set to"},
		{"×0 ×4", "muted or left out, boosted"},
		{"›", "in the same tag or group; knob that ← → turn"},
		{"┆", "when something was steered"},
		{"✓ △ ✗", "2xx, 4xx, 5xx"},
		{"tries", "open targets: tests made for it since one came nearer, at since of the budget"},
		{"last", "the test that was judged last, kept or not"},
	}
}
