package tui

import (
	"context"

	"sonde/model/match"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// opening is the state of reading the spec.
type opening struct {
	ctx    context.Context
	source string
	no     int // of the newest attempt; older answers are dropped
	busy   bool
	err    error
}

// loaded is the answer to an attempt to read the spec.
type loaded struct {
	no    int
	study *screen.Study
	err   error
}

// open begins to read the spec, in the background.
func (a *app) open() tea.Cmd {
	a.opening.no++
	a.opening.busy, a.opening.err = true, nil
	o, load := a.opening, a.engine.Load
	return func() tea.Msg {
		spec, err := load(o.ctx, o.source)
		if err != nil {
			return loaded{no: o.no, err: err}
		}
		study, err := screen.NewStudy(o.ctx, spec, match.Usual)
		return loaded{no: o.no, study: study, err: err}
	}
}

// loaded takes a spec that was read. Where reading it again failed, the one that
// is open stays.
func (a *app) loaded(msg loaded) tea.Cmd {
	if msg.no != a.opening.no {
		return nil
	}
	a.opening.busy, a.opening.err = false, msg.err
	if msg.err != nil {
		if a.study != nil {
			return a.say(screen.Say{Err: msg.err})
		}
		return nil
	}
	var said tea.Cmd
	if a.study != nil {
		said = a.say(screen.Say{Text: "the spec was read again"})
	}
	a.study = msg.study
	return tea.Batch(said, a.broadcast(screen.Opened{Study: msg.study}), a.broadcast(screen.Shown{Tab: a.tab}))
}
