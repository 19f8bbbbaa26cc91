package seqs

import (
	"slices"

	"sonde/analysis/distil"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/practice"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the screen, or are used in several rows.
var (
	keyPick   = keymap.Bind("space", "pick", " ")
	keyCover  = keymap.Bind("a", "cover the rest")
	keyByRule = keymap.Bind("p", "pick by rule")
	keyOrder  = keymap.Bind("o", "order")
	keyGroup  = keymap.Bind("g", "group")
	keyOrigin = keymap.Bind("f", "origin")
	keyBuild  = keymap.Bind("e", "build on it")
	keyDry    = keymap.Bind("n", "dry run")
	keyPlay   = keymap.Bind("R", "play it")
	keyByHand = keymap.Bind("r", "send by hand")
	// keyUnscope leaves the scope.
	keyUnscope = keymap.Bind("esc", "seqs of the whole API")

	keyAccept     = keymap.Bind("⏎", "accept", "enter")
	keyAcceptText = keymap.Bind("ctrl+s", "accept")
	keyCancel     = keymap.Bind("esc", "cancel")
	keyAllow      = keymap.Bind("y", "play it")
	keyDecline    = keymap.Bind("n", "send nothing", "n", "esc")
)

type condition = keymap.Need[*Screen]

var (
	listed       = condition{Met: func(s *Screen) bool { return s.list.under() != nil }, Why: "nothing is listed"}
	onRow        = condition{Met: func(s *Screen) bool { return s.list.current() != nil }, Why: "needs a seq under the cursor"}
	onByValue    = condition{Met: func(s *Screen) bool { return s.list.onByValue() }}
	onDetails    = condition{Met: func(s *Screen) bool { return s.details.focused }}
	onList       = keymap.Not(onDetails.Met, "")
	comparing    = condition{Met: func(s *Screen) bool { return s.details.left != nil }}
	notComparing = keymap.Not(comparing.Met, "")
	filtered     = condition{Met: func(s *Screen) bool { return s.list.find.Text() != "" }, Why: "no filter is set"}
	inScope      = condition{Met: func(s *Screen) bool { return !s.catalog.scope.whole() }, Why: "the seqs of the whole API are listed"}
	coverKnown   = condition{Met: func(s *Screen) bool { return len(s.picks.cover.rows) > 0 }, Why: "nothing is left to cover"}
	playable     = condition{
		Met:     func(s *Screen) bool { return s.player.playable(s.list.current()) },
		Why:     "needs a test that was played",
		Explain: func(*Screen) string { return notPlayable },
	}
	hasCalls = condition{Met: func(s *Screen) bool { return len(s.list.current().Seq) > 0 }, Why: "the seq has no calls yet"}
	canSave  = condition{Met: func(s *Screen) bool { return s.engine.RequestFiles.Save != nil }, Why: screen.NoProject}
	callable = condition{Met: func(s *Screen) bool { return s.calls.HasService() }, Why: practice.NoService}
	played   = condition{Met: func(s *Screen) bool { return s.list.current().Test != nil }}
)

// typing is the reason why other keys are inactive while a text field is open.
const typing = "a text is being typed"

// keys are the keys of the screen.
var keys = append(keymap.Map[*Screen](practice.Modes(func(s *Screen) *practice.Page { return s.calls })), keymap.Map[*Screen]{
	{
		On:   func(s *Screen) bool { return s.player.question.Open() },
		Busy: "a question is open",
		Rows: []keymap.Row[*Screen]{{Key: keyAllow}, {Key: keyDecline}}, // the question handles these keys
	},
	{
		On:   func(s *Screen) bool { return s.list.find.Typing() },
		Busy: typing,
		Rows: keymap.Each(finder.Keys(), typeFilter),
		Rest: typeFilter,
	},
	{On: func(s *Screen) bool { return s.catalog.empty() }},
	{
		On:   func(s *Screen) bool { return s.building() && s.builder.edit.area != nil },
		Busy: typing,
		Rows: []keymap.Row[*Screen]{{Key: keyAcceptText, Do: acceptValue}, {Key: keyCancel, Do: cancelValue}},
		Rest: typeValue,
	},
	{
		On:   func(s *Screen) bool { return s.building() && s.builder.edit.field != nil },
		Busy: typing,
		Rows: []keymap.Row[*Screen]{{Key: keyAccept, Do: acceptValue}, {Key: keyCancel, Do: cancelValue}},
		Rest: typeValue,
	},
	{On: (*Screen).building, Rows: builderRows},
	{
		On: func(s *Screen) bool { return s.details.drying(s.list.current()) },
		Rows: append([]keymap.Row[*Screen]{
			{Key: keymap.Bind("esc", "back", "esc", "n"), Do: keymap.Act(func(s *Screen) { s.details.endDryRun() })},
		}, keymap.Each(widget.MoveKeys(), scrollDetails)...),
	},
	{
		On: func(s *Screen) bool { return s.details.stepping(s.list.current()) },
		Rows: append([]keymap.Row[*Screen]{
			{
				Key:  keymap.Bind(".", "next call, start over"),
				Help: func(s *Screen) string { return keymap.Either(s.details.steps.finished(), "start over", "next call") },
				Do:   func(s *Screen) tea.Cmd { return s.player.nextStep() },
			},
			{Key: keymap.Bind("esc", "back"), Do: keymap.Act(func(s *Screen) { s.details.endSteps() })},
		}, keymap.Each(widget.MoveKeys(), scrollDetails)...),
	},
	{Away: "needs the list of seqs", Rows: slices.Concat(rowRows, listRows, keymap.Each(widget.MoveKeys(), move, listed))},
}...)

func typeFilter(s *Screen, k tea.KeyMsg) tea.Cmd { return s.list.pressFilter(k) }

func scrollDetails(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.details.scroll.Key(k)
	return nil
}

// pinned returns an action that pins the cursor to its row, so that it stays there when the list changes, and then
// calls the function do.
func pinned(do func(*Screen) tea.Cmd) func(*Screen) tea.Cmd {
	return func(s *Screen) tea.Cmd {
		s.list.pinned = true
		return do(s)
	}
}

// rowRows are the keys that act on the row under the cursor, and the keys that pick rows.
var rowRows = slices.Concat(
	[]keymap.Row[*Screen]{
		{Key: keyPick, Needs: []condition{onRow}, Do: pinned(func(s *Screen) tea.Cmd { return s.picks.toggle(s.list.current()) })},
		{Key: keyCover, Needs: []condition{coverKnown}, Do: func(s *Screen) tea.Cmd { return s.picks.pickCover() }},
		{
			Key:    keyCover,
			Needs:  []condition{keymap.Not(coverKnown.Met, ""), {Met: func(s *Screen) bool { return s.picks.cover.pending }}},
			Do:     func(s *Screen) tea.Cmd { return s.picks.pickCover() }, // takes effect when the result is known
			Hidden: true,
		},
		{
			Key: keymap.Bind("A", "pick all shown"),
			Help: func(s *Screen) string {
				return keymap.Either(allPicked(s.list.rows), "unpick all shown", "pick all shown")
			},
			Needs: []condition{listed},
			Do:    pinned(func(s *Screen) tea.Cmd { return s.picks.toggleAll() }),
		},
		{Key: keyByRule, Needs: []condition{listed}, Do: pinned(func(s *Screen) tea.Cmd { return s.picks.nextRule() })},
		{
			Key:   keymap.Bind("⏎", "unfold, fold", "enter", " "),
			Needs: []condition{onList, onByValue},
			Do:    keymap.Act(func(s *Screen) { s.list.toggleByValue() }),
		},
		{Key: keymap.Bind("⏎", "read it", "enter"), Needs: []condition{onList, onRow}, Do: pinned(switchPane)},
		{Key: keymap.Bind("⏎", "to the list", "enter", "esc"), Needs: []condition{onDetails, listed}, Do: pinned(switchPane)},
		{Key: keyBuild, Needs: []condition{onRow}, Take: buildOrLoad},
		{
			Key:   keymap.Bind("s", "try it"),
			Help:  func(s *Screen) string { return keymap.Either(s.picks.tally.picked > 0, "try those picked", "try it") },
			Needs: []condition{onRow},
			Do:    pinned(func(s *Screen) tea.Cmd { return s.picks.try() }),
		},
		{Key: keyByHand, Needs: []condition{onRow}, Do: pinned((*Screen).sendByHand)},
		{Key: screen.KeySave, Needs: []condition{onRow, hasCalls, canSave}, Do: pinned(saveRow)},
		{
			Key:   keymap.Bind("c", "compare"),
			Needs: []condition{notComparing, onRow},
			Do:    pinned(keymap.Act(func(s *Screen) { s.details.compareWith(s.list.current()) })),
		},
		{Key: keymap.Bind("c", "stop comparing", "c", "esc"), Needs: []condition{comparing, onList}, Do: endCompare},
		{Key: keymap.Bind("c", "stop comparing"), Needs: []condition{comparing, onDetails}, Do: endCompare},
		{Key: keyDry, Needs: []condition{onRow}, Do: pinned(func(s *Screen) tea.Cmd {
			return s.details.startDryRun(s.list.current(), s.engine, s.player.host.Address())
		})},
	},
	playRows(onRow),
)

// playRows returns the keys that play the row under the cursor. The keys are active only if all given conditions are
// met.
func playRows(where ...condition) []keymap.Row[*Screen] {
	replay := pinned(func(s *Screen) tea.Cmd { return s.player.replay() })
	return []keymap.Row[*Screen]{
		{Key: keyPlay, Needs: slices.Concat(where, []condition{{Met: playable.Met}, keymap.Not(played.Met, "")}), Do: replay},
		{Key: keymap.Bind("R", "play it again"), Needs: slices.Concat(where, []condition{playable, played}), Do: replay},
		{
			Key:   keymap.Bind(".", "step through it"),
			Needs: slices.Concat(where, []condition{playable}),
			Do:    pinned(func(s *Screen) tea.Cmd { return s.player.stepThrough() }),
		},
	}
}

// listRows are the keys that change what is listed.
var listRows = []keymap.Row[*Screen]{
	{Key: finder.KeyFilter, Do: func(s *Screen) tea.Cmd {
		s.details.focused = false
		return s.list.find.Focus()
	}},
	{Key: keyOrigin, Do: keymap.Act(func(s *Screen) { s.list.nextOrigin() })},
	{Key: keyOrder, Do: keymap.Act(func(s *Screen) { s.list.nextOrder() })},
	{Key: keyGroup, Do: keymap.Act(func(s *Screen) { s.list.nextGrouping() })},
	{
		Key:   finder.KeyClearFilter,
		Needs: []condition{filtered, onList, notComparing},
		Do:    keymap.Act(func(s *Screen) { s.list.clearFilter() }),
	},
	{
		Key:   keyUnscope,
		Needs: []condition{inScope, keymap.Not(filtered.Met, ""), onList, notComparing},
		Do:    func(s *Screen) tea.Cmd { return s.limitTo(scope{}) },
	},
	{
		Key: keymap.Bind("d", "seqs by DC or SC"),
		Help: func(s *Screen) string {
			return keymap.Either(s.catalog.distilled.rule == distil.RuleSC, "seqs by DC", "seqs by SC")
		},
		Do: func(s *Screen) tea.Cmd { return s.picks.switchRule() },
	},
	{Key: practice.KeyOpen, Needs: []condition{callable}, Do: keymap.Act(func(s *Screen) { s.calls.Open(s.catalog.callScope()) })},
	{Key: keymap.Bind("v", "other pane"), Needs: []condition{listed}, Do: pinned(switchPane)},
}

var (
	switchPane = keymap.Act(func(s *Screen) { s.details.focused = !s.details.focused })
	endCompare = keymap.Act(func(s *Screen) { s.details.left = nil })
)

// move moves the cursor of the list, or scrolls the details if they have the focus.
func move(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.list.pinned = true
	if s.details.focused {
		s.details.scroll.Key(k)
	} else {
		s.list.cursor.Key(k)
	}
	return nil
}

// buildOrLoad opens the builder. If the links are not known yet, buildOrLoad only starts to compute them. The key is
// handled again when the links are known.
func buildOrLoad(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.list.pinned = true
	if !s.catalog.links.ready() {
		return s.loading.link(s.catalog.analyzed, k)
	}
	return s.build()
}

// sendByHand opens the last call of the row as a manual request on the Explore screen.
func (s *Screen) sendByHand() tea.Cmd {
	r := s.list.current()
	if r.file == nil {
		return s.engine.Queue.ComposeLastCall(r.Seq, r.Test)
	}
	op := r.Seq[len(r.Seq)-1]
	return tea.Batch(
		s.engine.Queue.Send(screen.ComposeRequest{Op: op, Test: r.Draft, SavedAs: r.file.savedAs()}),
		s.engine.Queue.ShowScreen(screen.TabExplore, op),
	)
}

// Keys returns the keys that are active now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns the actions of all keys.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys, active or not, for docs/keys.md.
func (s *Screen) Listed() []key.Binding { return keys.Listed() }

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}
