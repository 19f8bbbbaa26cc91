package search

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// The settings of a run that the user has not changed.
const (
	defaultCalls = 20000
	defaultSeed  = 1
)

// form is the page with the settings of the next run.
type form struct {
	host     screen.Service
	spec     *model.Spec // nil before one was opened
	settings usecase.SearchSettings
	fields   []field
	list     widget.List
	input    *textinput.Model // while a value is being typed
	err      error            // what is wrong with what was typed, or why the last start failed

	width, height int
	hasRun        bool // there is a run to return to
}

func newForm(host screen.Service) form {
	var more []field
	if host.Probes != usecase.ProbesUnavailable {
		more = append(more, whiteBox(host.Probes))
	}
	if host.Net != usecase.NetworkUnavailable {
		more = append(more, virtualNetwork)
	}
	return form{
		host:   host,
		fields: slices.Insert(slices.Clip(fields), len(bounds), more...),
		settings: usecase.SearchSettings{
			Limits:   model.Limits{Calls: defaultCalls},
			Tuning:   model.DefaultTuning(),
			Seed:     defaultSeed,
			Workers:  1,
			Minimise: model.DefaultMinimise,
			Sampling: model.DefaultSampling(),
			WhiteBox: host.Probes >= usecase.ProbesRequested,
			Net:      host.Net == usecase.NetworkRequested,
		},
	}
}

// typing reports whether a value is being typed.
func (f *form) typing() bool { return f.input != nil }

// fit sizes the page.
func (f *form) fit(width, height int, hasRun bool) {
	f.width, f.height, f.hasRun = width, height, hasRun
	f.list.Fit(len(f.fields), f.visibleFields())
}

// key takes a key.
func (f *form) key(msg tea.KeyMsg) request {
	at := f.fields[f.list.At]
	switch {
	case f.typing():
		f.typed(msg)
	case f.list.Key(msg):
	case key.Matches(msg, keyMore, keyLess):
		at.turn(&f.settings, false, key.Matches(msg, keyMore))
	case key.Matches(msg, keyFineMore, keyFineLess):
		at.turn(&f.settings, true, key.Matches(msg, keyFineMore))
	case key.Matches(msg, keyType):
		f.edit(at)
	case key.Matches(msg, keyStart) && f.host.URL != "":
		return startRun
	case key.Matches(msg, keyPast):
		return showPast
	case key.Matches(msg, keyResult) && f.hasRun:
		return showRun
	}
	return noRequest
}

// edit opens a text field on a setting. The typed text replaces the old value; an empty one keeps it.
func (f *form) edit(at field) {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = 20
	input.Cursor.SetMode(cursor.CursorStatic)
	input.Placeholder = at.show(f.settings)
	input.Width = input.CharLimit
	input.Focus()
	f.input, f.err = &input, nil
}

// typed takes a key while a value is being typed.
func (f *form) typed(msg tea.KeyMsg) {
	switch {
	case key.Matches(msg, keyCancel):
		f.input, f.err = nil, nil
	case key.Matches(msg, keyAccept):
		f.accept(strings.TrimSpace(f.input.Value()))
	default:
		input, _ := f.input.Update(msg)
		f.input = &input
	}
}

// accept stores the typed value. The field stays open where that is not valid.
func (f *form) accept(text string) {
	f.err = nil
	if text != "" {
		f.err = f.fields[f.list.At].parse(&f.settings, text)
	}
	if f.err == nil {
		f.input = nil
	}
}

// mouse moves the cursor to the setting that was clicked, and scrolls.
func (f *form) mouse(msg tea.MouseMsg) {
	f.list.Go(f.list.At + widget.WheelRows(msg)/3)
	if widget.LeftClick(msg) {
		_, first := f.lines()
		f.list.Click(msg.Y - first - 1)
	}
}

// targets are the settings in sight.
func (f *form) targets() []screen.PointAt {
	_, first := f.lines()
	return rowsAt(1, first+1, f.list.Visible)
}
