package tui

import (
	"sonde/ui/tui/explore"
	"sonde/ui/tui/export"
	"sonde/ui/tui/graph"
	"sonde/ui/tui/groups"
	"sonde/ui/tui/network"
	"sonde/ui/tui/record"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search"
	"sonde/ui/tui/seqs"
)

// screens makes the screens in the order of their tabs.
func screens(e screen.Engine, h screen.Service) []screen.Screen {
	return []screen.Screen{
		explore.New(e, h), groups.New(e), graph.New(e),
		seqs.New(e, h), search.New(e, h), export.New(e, h),
		network.New(e, h), record.New(e, h),
	}
}
