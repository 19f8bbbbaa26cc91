package record

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// LegendEntries explains the signs on the screen.
func (s *Screen) LegendEntries() []screen.LegendEntry {
	return []screen.LegendEntry{
		{"┃", "something is in progress there: side by side at the same time"},
		{"─▸ ◂╌", "a request or message, and its answer"},
		{"?", "not certain that it belongs to this request"},
		{"×45", "exchanges of the same shape: status and outward calls"},
		{theme.Picked, "picked: its test is made"},
		{"trace", "linked by the trace context that the service passed on"},
		{"context", "linked by the service that Sonde built"},
		{"serial", "linked because no other request was in the service"},
		{"time", "linked by time alone: not certain"},
		{"oo po co", "the answer, the parameters of outward calls, their order and number"},
	}
}
