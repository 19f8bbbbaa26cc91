package tui

import (
	"sonde/ui/tui/explore"
	"sonde/ui/tui/graph"
	"sonde/ui/tui/groups"
	"sonde/ui/tui/screen"
)

// screens makes the screens in the order of their tabs.
func screens(_ screen.Engine, _ screen.Host) []screen.Screen {
	return []screen.Screen{explore.New(), groups.New(), graph.New()}
}
