package export

import (
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/tui/finder"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// formatList is the list of formats from which the user chooses one. The preview shows the format under its cursor.
type formatList struct {
	open   bool
	list   widget.List
	shown  []int           // the formats that match the filter, as indexes of destination.formats
	field  textinput.Model // the filter
	before destination     // the destination when the list was opened, which esc restores

	generation int                          // number of the latest comparison; older results are dropped
	stale      bool                         // the tests have changed since the latest comparison
	tests      int                          // the number of tests that were compared
	fits       map[string]usecase.FormatFit // key: name of a format; nil until the comparison has ended
}

// compared is the result of a comparison of all formats.
type compared struct {
	generation int
	fits       []usecase.FormatFit
}

func newFormatList() formatList { return formatList{field: widget.FilterField("a format")} }

// typing reports whether the filter has the focus.
func (f *formatList) typing() bool { return f.open && f.field.Focused() }

// fit sets the number of rows, and how many of them fit into height lines below the filter.
func (f *formatList) fit(height int) {
	if f.filtered() {
		height--
	}
	f.list.Fit(len(f.shown), max(1, height))
}

// filtered reports whether the line of the filter is shown.
func (f *formatList) filtered() bool { return f.field.Focused() || f.field.Value() != "" }

// find gives the filter the focus.
func (f *formatList) find() tea.Cmd { return f.field.Focus() }

// filter lists the formats whose name, description or needs have all typed words.
func (f *formatList) filter(all []usecase.TestFormat) {
	f.shown = nil
	words := strings.Fields(strings.ToLower(f.field.Value()))
	for i, format := range all {
		if matches(format, words) {
			f.shown = append(f.shown, i)
		}
	}
}

func matches(f usecase.TestFormat, words []string) bool {
	text := strings.ToLower(f.Name + " " + f.Text + " " + f.Needs)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// take stores the result of a comparison. It ignores results of older comparisons.
func (f *formatList) take(msg compared) {
	if msg.generation != f.generation {
		return
	}
	f.fits = map[string]usecase.FormatFit{}
	for _, fit := range msg.fits {
		f.fits[fit.Format] = fit
	}
}

// listFormats opens the list of formats. The cursor is on the format of the file.
func listFormats(s *Screen) tea.Cmd {
	f := &s.formats
	f.open, f.before, s.previewFocused = true, s.destination, false
	f.field.Reset()
	f.filter(s.destination.formats)
	s.fit()
	f.list.Go(s.destination.chosen)
	return nil
}

// compareFormats asks which formats can express the picked tests.
func compareFormats(s *Screen) tea.Cmd {
	tests, _ := s.picks.tests()
	f := &s.formats
	f.generation++
	f.stale, f.fits, f.tests = false, nil, len(tests)
	if len(tests) == 0 {
		return nil
	}
	compare, faults, generation := s.engine.TestFiles.Compare, s.destination.faultMode(), f.generation
	return func() tea.Msg { return compared{generation: generation, fits: compare(faults, tests)} }
}

// typeFormat handles a key in the filter.
func typeFormat(s *Screen, k tea.KeyMsg) (cmd tea.Cmd) {
	f := &s.formats
	switch {
	case key.Matches(k, finder.KeyClearFilter):
		f.field.Blur()
		f.field.Reset()
	case key.Matches(k, finder.KeyLeaveFilter):
		f.field.Blur()
	default:
		f.field, cmd = f.field.Update(k)
	}
	f.filter(s.destination.formats)
	s.fit()
	previewFormat(s)
	return cmd
}

// moveInFormats moves the cursor of the list, or scrolls the preview.
func moveInFormats(s *Screen, k tea.KeyMsg) tea.Cmd {
	if s.previewFocused {
		return s.move(k)
	}
	s.formats.list.Key(k)
	previewFormat(s)
	return nil
}

// mouseInFormats handles a click and the wheel on the list; y is the line below its border. A click on the row of the
// cursor chooses the format.
func mouseInFormats(s *Screen, msg tea.MouseMsg, y int) tea.Cmd {
	f := &s.formats
	if f.filtered() {
		y--
	}
	at := f.list.At
	f.list.Go(at + widget.WheelRows(msg)/3)
	clicked := widget.LeftClick(msg) && f.list.Click(y)
	if clicked && at == f.list.At {
		return chooseFormat(s)
	}
	s.previewFocused = s.previewFocused && !clicked
	previewFormat(s)
	return nil
}

// previewFormat makes the format under the cursor the format of the preview.
func previewFormat(s *Screen) {
	f, d := &s.formats, &s.destination
	if len(f.shown) == 0 || f.shown[f.list.At] == d.chosen {
		return
	}
	d.chosen = f.shown[f.list.At]
	d.written = writtenFile{}
	s.preview.stale = true
	s.preview.Scroll.Go(0)
}

// chooseFormat closes the list. The format under the cursor is the format of the file.
func chooseFormat(s *Screen) tea.Cmd {
	previewFormat(s)
	s.formats.close()
	s.previewFocused = false
	return nil
}

// leaveFormats closes the list. The format is the one before the list was opened.
func leaveFormats(s *Screen) {
	if s.destination.chosen != s.formats.before.chosen {
		s.destination = s.formats.before
		s.preview.stale = true
		s.preview.Scroll.Go(0)
	}
	s.formats.close()
	s.previewFocused = false
}

// close closes the list.
func (f *formatList) close() {
	f.open = false
	f.field.Blur()
}
