package practice

import (
	"sonde/ui/tui/keymap"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// KeyOpen opens the page.
var KeyOpen = keymap.Bind("P", "call them: practical?")

var (
	keyStart    = keymap.Bind("⏎", "call the seqs, call them again", "enter")
	keyStop     = keymap.Bind("s", "stop")
	keyLess     = keymap.Bind("←", "smaller budget", "left", "h")
	keyMore     = keymap.Bind("→", "larger budget", "right", "l")
	keyCurves   = keymap.Bind("o", "curves of seqs, of operations")
	keyBack     = keymap.Bind("esc", "back", "esc", "P")
	keyAllow    = keymap.Bind("y", "call them")
	keyDecline  = keymap.Bind("n", "send nothing", "n", "esc")
	moveBinding = widget.MoveKeys()
)

// NoService is the reason why the page cannot be opened.
const NoService = "there is no service to call: start Sonde with --url"

// Modes returns the modes of the page for the keys of a screen: the question, and the page itself.
func Modes[S any](of func(S) *Page) []keymap.Mode[S] {
	running := keymap.Need[S]{Met: func(s S) bool { return of(s).Running() }, Why: "no seqs are being called"}
	idle := keymap.Not(running.Met, "seqs are being called")
	act := func(do func(*Page)) func(S) tea.Cmd {
		return keymap.Act(func(s S) { do(of(s)) })
	}
	rows := []keymap.Row[S]{
		{
			Key:   keyStart,
			Help:  func(s S) string { return keymap.Either(of(s).shows(), "call them again", "call the seqs") },
			Needs: []keymap.Need[S]{idle},
			Do:    func(s S) tea.Cmd { return of(s).start() },
		},
		{Key: keyStop, Needs: []keymap.Need[S]{running}, Do: act((*Page).stop)},
		{Key: keyLess, Needs: []keymap.Need[S]{idle}, Do: act(func(p *Page) { p.changeBudget(-1) })},
		{Key: keyMore, Needs: []keymap.Need[S]{idle}, Do: act(func(p *Page) { p.changeBudget(1) })},
		{
			Key:  keyCurves,
			Help: func(s S) string { return keymap.Either(of(s).byOps, "curves of seqs", "curves of operations") },
			Do:   act(func(p *Page) { p.byOps = !p.byOps }),
		},
		{Key: keyBack, Do: act((*Page).Close)},
	}
	scroll := func(s S, k tea.KeyMsg) tea.Cmd {
		of(s).scroll.Key(k)
		return nil
	}
	return []keymap.Mode[S]{
		{
			On:   func(s S) bool { return of(s).Asking() },
			Busy: "a question is open",
			Rows: []keymap.Row[S]{{Key: keyAllow}, {Key: keyDecline}}, // the question handles these keys
		},
		{
			On:   func(s S) bool { return of(s).Shown() },
			Rows: append(rows, keymap.Each(moveBinding, scroll)...),
		},
	}
}
