package send

import (
	"slices"

	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the pane, or in several rows.
var (
	keySend    = keymap.Bind("r", "send it")
	keyStop    = keymap.Bind("esc", "give it up")
	keyAllow   = keymap.Bind("y", "send it")
	keyDecline = keymap.Bind("n", "send nothing", "n", "esc")

	keyClearSearch = keymap.Bind("esc", "clear the search")

	keyCompare   = keymap.Bind("D", "differences")
	keyWebSocket = keymap.Bind("W", "open a WebSocket")
)

type need = keymap.Need[*Pane]

var (
	onForm = need{
		Met: func(p *Pane) bool { return p.Open() && !p.answer.focused },
		Why: "needs an open request, with the focus on its form",
	}
	onAnswer = need{
		Met: func(p *Pane) bool { return p.answer.focused && p.body() != nil },
		Why: "needs an answer with a body",
	}
	hasAnswer = need{Met: func(p *Pane) bool { return p.body() != nil }, Why: "needs an answer with a body"}
	hasResult = need{
		Met:     func(p *Pane) bool { return p.sender.result != nil },
		Why:     "nothing was sent yet",
		Explain: func(*Pane) string { return "Nothing was sent yet: " + widget.KeyName(keySend) + " sends it" },
	}
	canSave   = need{Met: func(p *Pane) bool { return p.saves }, Why: screen.NoProject}
	onDraft   = need{Met: func(p *Pane) bool { return !p.form.form.empty() }, Why: "needs an open request"}
	hasSearch = need{
		Met: func(p *Pane) bool { return p.body() != nil && p.answer.search.Value() != "" },
		Why: "no text is searched for",
	}
	noStream = need{
		Met: func(p *Pane) bool { return p.stream.stream == nil },
		Why: "an answer that is a stream cannot be kept as a test",
	}
	isGET = need{
		Met: func(p *Pane) bool { return p.Open() && p.op.Method == "GET" },
		Why: "a WebSocket begins with GET",
	}
	liveStream = need{
		Met: func(p *Pane) bool { return p.stream.live() && p.stream.listed() },
		Why: "no stream is open",
	}
	canSend = need{
		Met: func(p *Pane) bool { return p.stream.canSend() && p.stream.listed() },
		Why: "needs an open WebSocket",
	}
	onMessage = need{
		Met: func(p *Pane) bool { return p.answer.focused && p.listsMessages() && p.stream.current() != nil },
		Why: "needs a message of a stream",
	}
	onListed = need{
		Met: func(p *Pane) bool { _, ok := p.answer.listedRequest(); return ok },
		Why: "needs a request of the history",
	}
	inHistory     = need{Met: func(p *Pane) bool { return p.answer.shows(historyAside) }}
	changedForm   = need{Met: func(p *Pane) bool { return p.memory.changed(&p.form.form) }, Why: "the form has the values of a draft"}
	messageOpened = need{Met: func(p *Pane) bool { return p.stream.opened != nil }}
	foldable      = need{Met: func(p *Pane) bool { return p.answer.body.Foldable(p.answer.bodyLine()) }}
	hasNesting    = need{Met: func(p *Pane) bool { return p.answer.body.AnyFolded() || p.answer.body.Deep() }}
)

// foldHelp returns the help of a key that folds or unfolds.
func foldHelp(folded bool, what string) string {
	if folded {
		return "unfold " + what
	}
	return "fold " + what
}

// keys are the keys of the pane.
var keys = keymap.Map[*Pane]{
	{
		On:   func(p *Pane) bool { return p.question.Open() },
		Busy: "a question is open",
		Rows: keymap.Each([]key.Binding{keyAllow, keyDecline}, func(p *Pane, k tea.KeyMsg) tea.Cmd {
			_, cmd := p.question.Update(k)
			return cmd
		}),
	},
	areaMode,
	fieldMode,
	{
		On:   func(p *Pane) bool { return p.answer.typing() },
		Busy: "the search text is being typed",
		Rows: []keymap.Row[*Pane]{
			{
				Key: keymap.Bind("⏎", "to the answer", "enter", "down"),
				Do:  keymap.Act(func(p *Pane) { p.answer.search.Blur() }),
			},
			{Key: keyClearSearch, Do: keymap.Act(func(p *Pane) { p.answer.clearSearch() })},
		},
		Rest: func(p *Pane, k tea.KeyMsg) tea.Cmd {
			if p.answer.typeSearch(k) {
				p.goToHit(0)
			}
			return nil
		},
	},
	{
		On:   func(p *Pane) bool { return p.stream.input != nil },
		Busy: "a message is being typed",
		Rows: []keymap.Row[*Pane]{
			{Key: keymap.Bind("⏎", "send it", "enter"), Do: func(p *Pane) tea.Cmd { return p.stream.send() }},
			{Key: keymap.Bind("esc", "to the messages"), Do: keymap.Act(func(p *Pane) { p.stream.input = nil })},
		},
		Rest: func(p *Pane, k tea.KeyMsg) tea.Cmd {
			p.stream.typeKey(k)
			return nil
		},
	},
	{
		On:   func(p *Pane) bool { return p.answer.top() != nil },
		Busy: "the history is open",
		Rows: slices.Concat(asideRows, takingRows, answerRows, keymap.Each(widget.MoveKeys(), (*Pane).move)),
	},
	{
		On:   func(p *Pane) bool { return p.sender.inFlight() },
		Busy: "a request is in flight",
		Rows: []keymap.Row[*Pane]{{Key: keyStop, Do: func(p *Pane) tea.Cmd { return p.sender.giveUp() }}},
	},
	{Rows: slices.Concat(formRows, streamRows, takingRows, answerRows, lastRows, keymap.Each(widget.MoveKeys(), (*Pane).move))},
}

// streamRows are the keys of a stream.
var streamRows = []keymap.Row[*Pane]{
	{
		Key:   keymap.Bind("⏎", "show the message", "enter"),
		Needs: []need{onMessage},
		Do:    keymap.Act(func(p *Pane) { p.answer.show(p.stream.open()) }),
	},
	{
		Key:   keymap.Bind("m", "write a message"),
		Needs: []need{canSend},
		Do: keymap.Act(func(p *Pane) {
			p.answer.focused = true
			p.stream.typeMessage()
		}),
	},
	{Key: keymap.Bind("esc", "stop the stream"), Needs: []need{liveStream}, Do: func(p *Pane) tea.Cmd { return p.stream.stopByUser() }},
	{
		Key:   keymap.Bind("esc", "to the messages"),
		Needs: []need{messageOpened, keymap.Not(hasSearch.Met, "")},
		Do:    keymap.Act(func(p *Pane) { p.answer.show(p.stream.close()) }),
	},
}

// asideRows are the keys of the history, of an earlier answer and of a comparison.
var asideRows = []keymap.Row[*Pane]{
	{
		Key:   keymap.Bind("⏎", "show the answer", "enter"),
		Needs: []need{inHistory, onListed},
		Do:    keymap.Act(func(p *Pane) { p.answer.showEarlier() }),
	},
	{Key: keymap.Bind("r", "into the form"), Needs: []need{onListed}, Do: func(p *Pane) tea.Cmd { return p.answer.repeatEarlier(p.spec) }},
	{Key: keyCompare, Needs: []need{onListed}, Do: func(p *Pane) tea.Cmd { return p.answer.compareEarlier(p.op.ID) }},
	{Key: screen.KeySave, Needs: []need{onListed, canSave}, Do: saveListed},
	{
		Key: keymap.Bind("o", "this operation, all"),
		Help: func(p *Pane) string {
			return keymap.Either(p.answer.history.only == "", "this operation", "all operations")
		},
		Needs: []need{inHistory},
		Do:    keymap.Act(func(p *Pane) { p.answer.history.switchOnly(p.op.ID) }),
	},
	{Key: keymap.Bind("esc", "back"), Needs: []need{keymap.Not(hasSearch.Met, "")}, Do: keymap.Act(func(p *Pane) { p.answer.pop() })},
}

// answerRows are the keys of an answer's body.
var answerRows = []keymap.Row[*Pane]{
	{
		Key:   keymap.Bind("⏎", "fold this", "enter"),
		Help:  func(p *Pane) string { return foldHelp(p.answer.body.Folded(p.answer.bodyLine()), "this") },
		Needs: []need{onAnswer, foldable},
		Do:    keymap.Act(func(p *Pane) { p.goToBody(p.answer.foldLine()) }),
	},
	{
		Key:   keymap.Bind("F", "fold all"),
		Help:  func(p *Pane) string { return foldHelp(p.answer.body.AnyFolded(), "all") },
		Needs: []need{onAnswer, hasNesting},
		Do:    keymap.Act(func(p *Pane) { p.goToBody(p.answer.foldAll()) }),
	},
	{Key: keymap.Bind("n", "next found"), Needs: []need{hasSearch}, Do: keymap.Act(func(p *Pane) { p.goToHit(+1) })},
	{Key: keymap.Bind("N", "found before"), Needs: []need{hasSearch}, Do: keymap.Act(func(p *Pane) { p.goToHit(-1) })},
	{Key: keyClearSearch, Needs: []need{hasSearch}, Do: keymap.Act(func(p *Pane) { p.answer.clearSearch() })},
	{Key: keymap.Bind("/", "find"), Needs: []need{hasAnswer}, Do: keymap.Act(func(p *Pane) { p.answer.focusSearch() })},
}

// lastRows are the keys of the whole pane.
var lastRows = []keymap.Row[*Pane]{
	{Key: keymap.Bind("a", "keep as a test"), Needs: []need{hasResult, noStream}, Do: (*Pane).keep},
	{Key: screen.KeySave, Needs: []need{onDraft, canSave}, Do: saveForm},
	{Key: keymap.Bind("y", "copy as curl"), Needs: []need{hasResult}, Do: func(p *Pane) tea.Cmd { return p.sender.copyCommand(p.copies) }},
	{
		Key:   keymap.Bind("esc", "to the operation"),
		Needs: []need{keymap.Not(hasSearch.Met, ""), keymap.Not(liveStream.Met, ""), keymap.Not(messageOpened.Met, "")},
		Do:    keymap.Act((*Pane).close),
	},
	{
		Key: keymap.Bind("v", "other pane"),
		Do:  keymap.Act(func(p *Pane) { p.answer.focused = !p.answer.focused }),
	},
	{Key: keymap.Bind("H", "history"), Do: func(p *Pane) tea.Cmd { return p.answer.openHistory(p.op.ID) }},
	{
		Key:   keyCompare,
		Needs: []need{hasResult},
		Do: func(p *Pane) tea.Cmd {
			return p.answer.compareAnswer(p.op.ID, answerOf(p.op.ID, p.sender.result))
		},
	},
	{Key: keyWebSocket, Needs: []need{isGET}, Do: func(p *Pane) tea.Cmd { return p.transmit(true) }},
	{Key: keymap.Bind("R", "begin anew"), Needs: []need{changedForm}, Do: func(p *Pane) tea.Cmd {
		p.memory.discard(p.op.ID, &p.form.form)
		return p.draft(p.op.ID, nil)
	}},
}

// Keys returns the keys that are active now.
func (p *Pane) Keys() []key.Binding { return keys.Keys(p) }

// Actions returns the actions of all keys. Inactive keys have a reason.
func (p *Pane) Actions() []screen.Action { return keys.Actions(p) }

// Listed returns all keys, active or not, for docs/keys.md.
func (p *Pane) Listed() []key.Binding { return keys.Listed() }

func (p *Pane) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(p, k)
	return cmd
}

// move moves the cursor of the form or of the answer, whichever has the focus.
func (p *Pane) move(k tea.KeyMsg) tea.Cmd {
	switch {
	case p.answer.shows(historyAside):
		p.answer.history.list.Key(k)
	case !p.answer.focused:
		p.form.cursor.Key(k)
	case p.listsMessages():
		p.stream.move(k)
	default:
		p.answer.scroll.Key(k)
	}
	return nil
}
