package tui

import (
	"sonde/ui/tui/explore"
	"sonde/ui/tui/screen"
)

// screens makes the screens in the order of their tabs.
func screens(_ screen.Engine, _ screen.Host) []screen.Screen {
	return []screen.Screen{explore.New()}
}
