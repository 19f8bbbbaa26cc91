package tui

import (
	"fmt"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// tourStep is a step of the tour: one action that the user should try.
type tourStep struct {
	text func(now tourScene) string
	// done reports whether the user has done the action since the step began.
	done func(since, now tourScene) bool
	// did describes in one line what the action has changed.
	did func(since, now tourScene) string
	// needs reports whether the step is possible. If needs is nil, the step is always possible.
	needs func(now tourScene) bool
}

var steps = []tourStep{
	{
		text: fixedText("↓ goes to the next operation: what it takes, who gives that, what it answers"),
		done: func(since, now tourScene) bool { return now.arrows.count > since.arrows.count || now.op != since.op },
		did:  arrowText,
	},
	{
		text: keyText(screen.TabExplore, "filter", "/", "%s finds: type post and press ⏎"),
		done: func(since, now tourScene) bool { return now.filter != "" && now.filter != since.filter },
		did: func(_, now tourScene) string {
			return fmt.Sprintf("The list has what matches %q, best first; esc clears the filter", draw.Clean(now.filter))
		},
	},
	{
		text: fixedText("2 shows groups: operations that share values belong together"),
		done: screenReached(screen.TabGroups),
		did:  always("These are the groups, with the operations and values of each"),
	},
	{
		text: fixedText("3 shows the graph: what must be called before what"),
		done: screenReached(screen.TabGraph),
		did:  always("This is the graph: arrows lead from who gives a value to who takes it"),
	},
	{
		text: fixedText("4 shows seqs: short ones that together use every group"),
		done: screenReached(screen.TabSeqs),
		did:  always("These are seqs: lists of operations, in an order in which they can be called"),
	},
	{
		text: keyText(screen.TabSeqs, "pick", "space", "%s picks the seq under the cursor for a test"),
		done: func(since, now tourScene) bool { return now.picks != since.picks },
		did:  picksText,
	},
	{
		text: searchText,
		done: func(since, now tourScene) bool {
			return inProgress(now.run) || now.run.Summary.Calls != since.run.Summary.Calls
		},
		did:   always("The search calls the service, and keeps the tests that reach something new"),
		needs: func(now tourScene) bool { return now.demo },
	},
	{
		text:  steerText,
		done:  func(since, now tourScene) bool { return len(now.run.Marks) > len(since.run.Marks) },
		did:   always("The search has taken the change, and the chart marks the call from which it counts"),
		needs: func(now tourScene) bool { return inProgress(now.run) },
	},
	{
		text: fixedText("6 shows what you picked as tests, in a format of your choice"),
		done: screenReached(screen.TabExport),
		did:  always("This is the test file of what you picked, before it is written"),
	},
	{
		text: fixedText("That was it: ctrl+p finds any action, ? explains a screen, q quits"),
		done: func(_, _ tourScene) bool { return false },
		did:  always(""),
	},
}

// always returns a function that returns the same text for all scenes.
func always(text string) func(since, now tourScene) string {
	return func(_, _ tourScene) string { return text }
}

// arrowText describes what an arrow key has changed: the operation or folder, or the line in it. The key may also have
// changed nothing, because the cursor was at the end of the list.
func arrowText(since, now tourScene) string {
	where := draw.CutMiddle(draw.Clean(now.where), 40)
	switch {
	case where != "" && now.where != since.where:
		return "You went to " + where + ", and the page shows it"
	case !now.arrows.moved:
		return "Nothing is further that way: the other arrow leads back"
	case where != "":
		return "You moved to another line of " + where
	}
	return "You moved to another line"
}

func picksText(since, now tourScene) string {
	if now.picks < since.picks {
		return "It is no longer picked: " + words.Count(now.picks) + " are"
	}
	return words.Plural(now.picks, "seq") + " picked, which the tab of Export counts"
}

func fixedText(text string) func(tourScene) string { return func(tourScene) string { return text } }

// screenReached returns a condition that is met when the user comes to the given screen from another one.
func screenReached(tab screen.Tab) func(since, now tourScene) bool {
	return func(since, now tourScene) bool { return now.tab == tab && since.tab != tab }
}

// keyText returns a function that formats a text with the name of the user's key for an action on a screen.
func keyText(tab screen.Tab, action, usual, format string) func(tourScene) string {
	return func(now tourScene) string {
		return fmt.Sprintf(format, now.keyName(tab, action, usual))
	}
}

// searchText returns a text for the step that starts a search. While the Search screen is visible, the text names the
// key that starts a search. On other screens, it names the key of the Search screen.
func searchText(now tourScene) string {
	if now.tab != screen.TabSearch {
		return "5 is where a search calls the service, to find faults and tests"
	}
	return keyText(screen.TabSearch, "start", "⏎", "%s starts it, against "+draw.Clean(now.url))(now)
}

// steerText returns a text that explains how to steer the search. If the search has ended, the text explains how to
// start another search.
func steerText(now tourScene) string {
	if !inProgress(now.run) {
		return keyText(screen.TabSearch, "new run", "n", "The search has ended: %s starts another one, to be steered while it runs")(now)
	}
	return keyText(screen.TabSearch, "more", "→", "%s turns smart sampling up meanwhile: the chart marks it")(now)
}
