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

// form is the page with the settings of the next run. The first row starts the run; the settings follow.
type form struct {
	host     screen.Service
	spec     *model.Spec // nil before a spec was opened
	settings usecase.SearchSettings
	fields   []field
	list     widget.List
	input    *textinput.Model // the text field for a value, nil while none is typed
	err      error            // the error of the typed value or of the last start
	dragged  *field           // the setting whose slider is being dragged, nil for none
	onStart  bool             // the cursor returns to the row that starts the run when the text field is closed

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
	f.fit(f.width, f.height)
}

// typing reports whether the text field is open.
func (f *form) typing() bool { return f.input != nil }

// fit sizes the page.
func (f *form) fit(width, height int) {
	f.width, f.height = width, height
	f.list.Fit(startRows+len(f.fields), f.visibleRows())
}

// startRows is the number of rows before the settings: one, which starts the run.
const startRows = 1

// setting returns the setting under the cursor, nil on the row that starts the run.
func (f *form) setting() *field {
	if f.list.At < startRows {
		return nil
	}
	return &f.fields[f.list.At-startRows]
}

// adjust changes the setting under the cursor by a step.
func (f *form) adjust(a adjustment) { f.setting().adjust(&f.settings, a) }

// change switches a setting that is on or off, and opens a text field on another one.
func (f *form) change() {
	if at := f.setting(); at.flip != nil {
		at.flip(&f.settings)
		return
	}
	f.editField()
}

// editCalls opens a text field on the number of calls, which is also in the row that starts the run. The cursor returns
// to that row.
func (f *form) editCalls() {
	f.onStart = true
	f.list.Go(startRows)
	f.editField()
}

// closeField closes the text field.
func (f *form) closeField() {
	f.input = nil
	if f.onStart {
		f.onStart = false
		f.list.Go(0)
	}
}

// editField opens a text field on the setting under the cursor. The typed text replaces the value. If the
// text is empty, the value stays.
func (f *form) editField() {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = 20
	input.Cursor.SetMode(cursor.CursorStatic)
	input.Placeholder = f.setting().show(f.settings)
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
func (f *form) cancel() {
	f.err = nil
	f.closeField()
}

// acceptValue stores the typed value. If the value is invalid, the text field stays open.
func (f *form) acceptValue() {
	f.err = nil
	if text := strings.TrimSpace(f.input.Value()); text != "" {
		f.err = f.setting().parse(&f.settings, text)
	}
	if f.err == nil {
		f.closeField()
	}
}

// targets returns the cells of the visible rows.
func (f *form) targets() []screen.PointAt {
	_, first := f.lines()
	return rowsAt(1, first+1, f.list.Visible)
}
