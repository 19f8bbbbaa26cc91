package tui

import (
	"context"
	"slices"

	"sonde/model/match"
	"sonde/ui/app/userdata"
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
	files  []string // that are watched
	stamp  string   // of them as they were read
}

// loaded is the answer to an attempt to read the spec.
type loaded struct {
	no    int
	study *screen.AnalyzedSpec
	err   error
	files []string
	stamp string
}

// open begins to read the spec, in the background.
func (a *app) open() tea.Cmd {
	a.opening.no++
	a.opening.busy, a.opening.err = true, nil
	o, engine := a.opening, a.engine
	return func() tea.Msg {
		if len(o.files) == 0 {
			o.files = []string{o.source}
		}
		msg := loaded{no: o.no, files: o.files, stamp: stampOf(engine, o.files)}
		spec, err := engine.Load(o.ctx, o.source)
		msg.err = err
		if err != nil {
			return msg
		}
		if len(spec.Files) > 0 && !slices.Equal(spec.Files, o.files) {
			msg.files, msg.stamp = spec.Files, stampOf(engine, spec.Files)
		}
		msg.study, msg.err = screen.AnalyzeSpec(o.ctx, spec, match.DefaultMode)
		return msg
	}
}

// loaded takes a spec that was read. Where reading it again failed, the one that
// is open stays.
func (a *app) loaded(msg loaded) tea.Cmd {
	if msg.no != a.opening.no {
		return nil
	}
	a.opening.busy, a.opening.err = false, msg.err
	a.opening.files, a.opening.stamp = msg.files, msg.stamp
	if msg.err != nil {
		return tea.Batch(a.failed(msg.err), a.watch())
	}
	return tea.Batch(a.opened(msg.study), a.watch())
}

// failed says that reading again failed; the first time the whole screen does.
func (a *app) failed(err error) tea.Cmd {
	a.review()
	if a.study == nil {
		return nil
	}
	return a.say(screen.StatusMessage{Err: err})
}

// opened shows a spec: the first time where it was left, else where the person is.
func (a *app) opened(study *screen.AnalyzedSpec) tea.Cmd {
	before := a.study
	a.study = study
	a.review()
	opened := screen.SpecOpened{Spec: study}
	if before == nil {
		opened.Place = &a.home.Place
		a.tab = screen.Tab(max(0, min(a.home.Place.Tab, len(a.screens)-1)))
		return tea.Batch(a.broadcast(opened), a.broadcast(screen.ScreenShown{Tab: a.tab}), a.greet())
	}
	return tea.Batch(
		a.say(screen.StatusMessage{Text: "the spec was read again"}),
		a.broadcast(opened),
		a.broadcast(screen.ScreenShown{Tab: a.tab}),
	)
}

// place is where the person is now; as it was where no spec could be opened.
func (a *app) place() userdata.Place {
	if a.study == nil {
		return a.home.Place
	}
	p := userdata.Place{Tab: int(a.tab)}
	for _, s := range a.screens {
		if k, ok := s.(screen.PlaceKeeper); ok {
			k.SavePlace(&p)
		}
	}
	return p
}
