package tui

import (
	"fmt"
	"slices"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
)

// step is one thing to do on a tour.
type step struct {
	says func(*app) string
	// done reports whether it was done since the step began.
	done func(since, now sight) bool
	// needs reports whether it can be done, nil for always.
	needs func(sight) bool
}

var steps = []step{
	{
		says: text("↓ goes to the next operation: what it takes, who gives that, what it answers"),
		done: func(since, now sight) bool { return now.op != since.op },
	},
	{
		says: keyed(screen.TabExplore, "filter", "/", "%s finds: type post and press ⏎"),
		done: func(since, now sight) bool { return now.filter != "" && now.filter != since.filter },
	},
	{
		says: text("2 shows groups: operations that share values belong together"),
		done: on(screen.TabGroups),
	},
	{
		says: text("3 shows the graph: what must be called before what"),
		done: on(screen.TabGraph),
	},
	{
		says: text("4 shows seqs: short ones that together use every group"),
		done: on(screen.TabSeqs),
	},
	{
		says: keyed(screen.TabSeqs, "pick", "space", "%s picks the seq under the cursor for a test"),
		done: func(since, now sight) bool { return now.picks != since.picks },
	},
	{
		says: searching,
		done: func(since, now sight) bool {
			return ongoing(now.run) || now.run.Summary.Calls != since.run.Summary.Calls
		},
		needs: func(now sight) bool { return now.demo },
	},
	{
		says:  keyed(screen.TabSearch, "more", "→", "%s turns smart sampling up meanwhile: the chart marks it"),
		done:  func(since, now sight) bool { return len(now.run.Marks) > len(since.run.Marks) || !ongoing(now.run) },
		needs: func(now sight) bool { return ongoing(now.run) },
	},
	{
		says: text("6 shows what you picked as tests, in a format of your choice"),
		done: on(screen.TabExport),
	},
	{
		says: text("That was it: ctrl+p finds any action, ? explains a screen, q quits"),
		done: func(since, now sight) bool { return false },
	},
}

func text(says string) func(*app) string { return func(*app) string { return says } }

func on(tab screen.Tab) func(since, now sight) bool {
	return func(_, now sight) bool { return now.tab == tab }
}

// keyed names the key that does something on a screen, as the person has bound it.
func keyed(tab screen.Tab, does, usual, says string) func(*app) string {
	return func(a *app) string {
		name, s := usual, a.screens[tab]
		named := a.rebound.named(s, s.Keys())
		if i := slices.IndexFunc(named, func(b key.Binding) bool { return b.Help().Desc == does }); i >= 0 {
			name = widget.KeyName(named[i])
		}
		return fmt.Sprintf(says, name)
	}
}

// searching leads to the screen first, and then says how to start.
func searching(a *app) string {
	if a.tab != screen.TabSearch {
		return "5 is where a search calls the service, to find faults and tests"
	}
	return keyed(screen.TabSearch, "start", "⏎", "%s starts it, against "+draw.Clean(a.host.URL))(a)
}
