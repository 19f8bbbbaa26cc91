package record

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries says what the screen's signs mean.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{"┃", "something is under way there: side by side at the same time"},
		{"─▸ ◂╌", "what was said, and what was answered"},
		{"?", "not certain that it is for this request"},
		{"×45", "exchanges of the same shape: status, and what was sent"},
		{theme.Picked, "picked: its test is made"},
		{"trace", "linked by the trace context that the service passed on"},
		{"context", "linked by the service that Sonde built"},
		{"serial", "linked because no other request was in the service"},
		{"time", "linked by time alone: not certain"},
		{"oo po co", "the answer, the parameters of outward calls, their order and number"},
	}
}
