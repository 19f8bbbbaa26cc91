package export

import (
	"errors"
	"io/fs"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// fileWritten is sent after the file was written or writing it failed.
type fileWritten struct {
	folder string
	format usecase.TestFormat
	path   string
	err    error
}

// writeAll writes the tests that have values. It first runs the items that have to be run, unless all of them have
// failed before or a search is in progress. If there is no test to write, it runs the items in any case, so that the
// user gets the error.
func (s *Screen) writeAll() tea.Cmd {
	tests, _ := s.picks.tests()
	switch {
	case s.picks.values.running():
		s.writeAfterRun = true
		return nil
	case s.canRun() && s.picks.untried() && !s.searching():
		s.writeAfterRun = true
		return s.runItems()
	case s.canRun() && len(tests) == 0:
		return s.runItems() // shows the error of a search in progress, or the errors of the items
	}
	return s.write(s.destination.folder, false)
}

// write writes the tests that have values to a folder. It does nothing if no test has values, or while tests are
// being written.
func (s *Screen) write(folder string, force bool) tea.Cmd {
	tests, _ := s.picks.tests()
	if len(tests) == 0 || s.destination.written.busy {
		return nil
	}
	s.destination.written = writtenFile{busy: true}
	write, format, faults := s.engine.TestFiles.Write, s.destination.format(), s.destination.faultMode()
	return func() tea.Msg {
		path, err := write(format.Name, faults, folder, tests, force)
		return fileWritten{folder: folder, format: format, path: path, err: err}
	}
}

// fileWritten shows the path of the file, or asks whether to replace an existing file. If the user has chosen another
// folder or format in the meantime, fileWritten drops the result.
func (s *Screen) fileWritten(msg fileWritten) tea.Cmd {
	if msg.folder != s.destination.folder || msg.format != s.destination.format() {
		return nil
	}
	s.destination.written = writtenFile{}
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		return s.question.Ask(
			"Replace the tests?",
			"There are tests in "+draw.Clean(msg.folder)+" already.",
			keyReplace,
			keyKeep,
			func() tea.Cmd { return s.write(msg.folder, true) },
		)
	case msg.err != nil:
		s.destination.written.err = msg.err
		return nil
	}
	s.destination.written.path = msg.path
	return screen.ShowStatus("Wrote " + msg.path)
}

// textEntry is a text field for the folder or for the name of a test.
type textEntry struct {
	field  textinput.Model
	testID string // the ID of the test that gets the name, "" if the folder is typed
}

func newTextEntry(text, testID string) *textEntry {
	f := textinput.New()
	f.Prompt = ""
	f.Cursor.SetMode(cursor.CursorStatic)
	f.SetValue(text)
	f.Focus()
	return &textEntry{field: f, testID: testID}
}

func (e *textEntry) press(k tea.KeyMsg) { e.field, _ = e.field.Update(k) }

// view draws the label and the field.
func (e *textEntry) view(width int) (label, field string) {
	shown := e.field
	shown.Width = max(1, width-12)
	if e.testID != "" {
		return "name    ", shown.View()
	}
	return "folder  ", shown.View()
}

func (s *Screen) typeFolder() { s.entry = newTextEntry(s.destination.folder, "") }

// typeName opens the field for the name of the test under the cursor.
func (s *Screen) typeName() {
	id := s.picks.items[s.picks.list.At].ID
	if id == "" {
		return
	}
	name := s.picks.names[id]
	if f, ok := s.preview.tests[s.picks.list.At]; ok && name == "" {
		name = f.name
	}
	s.entry = newTextEntry(name, id)
}

// acceptText stores the text of the field. An empty name restores the default name of a test. An empty
// folder is ignored.
func (s *Screen) acceptText() {
	entry := s.entry
	text := strings.TrimSpace(entry.field.Value())
	s.entry = nil
	switch {
	case entry.testID != "":
		s.picks.names[entry.testID] = text
		s.fileChanged()
	case text != "":
		s.destination.folder, s.destination.written = text, writtenFile{}
	}
}
