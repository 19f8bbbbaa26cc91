package search

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// The default settings of a run.
const (
	defaultCalls = 20000
	defaultSeed  = 1
)

// form is the page with the settings of the next run.
type form struct {
	host     screen.Service
	spec     *model.Spec // nil before a spec was opened
	settings usecase.SearchSettings
	fields   []field
	list     widget.List
	input    *textinput.Model // the text field for a value, nil while none is typed
	err      error            // the error of the typed value or of the last start

	width, height int
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
			Security: host.Security,
		},
	}
}

// setService makes another service the one that the next search calls. The settings that it supports stay.
func (f *form) setService(host screen.Service) {
	next := newForm(host)
	next.spec, next.width, next.height, next.list = f.spec, f.width, f.height, f.list
	next.settings = supported(f.settings, host)
	next.settings.ResumeFolder = ""
	*f = next
	f.list.Fit(len(f.fields), f.visibleFields())
}

// typing reports whether the text field is open.
func (f *form) typing() bool { return f.input != nil }

// fit sizes the page.
func (f *form) fit(width, height int) {
	f.width, f.height = width, height
	f.list.Fit(len(f.fields), f.visibleFields())
}

// adjust changes the setting under the cursor by a step.
func (f *form) adjust(a adjustment) { f.fields[f.list.At].adjust(&f.settings, a) }

// editField opens a text field on the setting under the cursor. The typed text replaces the value. If the
// text is empty, the value stays.
func (f *form) editField() {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = 20
	input.Cursor.SetMode(cursor.CursorStatic)
	input.Placeholder = f.fields[f.list.At].show(f.settings)
	input.Width = input.CharLimit
	input.Focus()
	f.input, f.err = &input, nil
}

// typeKey handles a key in the text field.
func (f *form) typeKey(k tea.KeyMsg) {
	input, _ := f.input.Update(k)
	f.input = &input
}

// cancel closes the text field without changing the setting.
func (f *form) cancel() { f.input, f.err = nil, nil }

// acceptValue stores the typed value. If the value is invalid, the text field stays open.
func (f *form) acceptValue() {
	f.err = nil
	if text := strings.TrimSpace(f.input.Value()); text != "" {
		f.err = f.fields[f.list.At].parse(&f.settings, text)
	}
	if f.err == nil {
		f.input = nil
	}
}

// mouse handles a click on a setting and the wheel.
func (f *form) mouse(msg tea.MouseMsg) {
	f.list.Go(f.list.At + widget.WheelRows(msg)/3)
	if widget.LeftClick(msg) {
		_, first := f.lines()
		f.list.Click(msg.Y - first - 1)
	}
}

// targets returns the cells of the visible settings.
func (f *form) targets() []screen.PointAt {
	_, first := f.lines()
	return rowsAt(1, first+1, f.list.Visible)
}
