package export

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// file is what became of the test file.
type file struct {
	busy bool
	path string // once it is written
	err  error
}

// written is the answer to a write.
type written struct {
	dir    string
	format screen.TestFormat
	path   string
	err    error
}

// writeAll writes the tests, those of seqs that were not run yet as soon as they
// have values. While a search goes on, which cannot be, those that have some.
func (s *Screen) writeAll() tea.Cmd {
	tests, _ := s.tests()
	switch {
	case s.values.running():
		s.after = true
		return nil
	case s.canRun() && s.untried() && !s.searching():
		s.after = true
		return s.realise()
	case s.canRun() && len(tests) == 0:
		return s.realise() // which says why it does not, or why there are no values
	}
	return s.write(s.folder, false)
}

// write writes the tests that have values into a folder.
func (s *Screen) write(dir string, force bool) tea.Cmd {
	tests, _ := s.tests()
	if len(tests) == 0 || s.file.busy {
		return nil
	}
	s.file = file{busy: true}
	write, format, faults := s.engine.Write, s.format(), s.faults()
	return func() tea.Msg {
		path, err := write(format.Name, faults, dir, tests, force)
		return written{dir: dir, format: format, path: path, err: err}
	}
}

// written shows where the file is, or asks whether it may be replaced. An answer
// for a folder or a format that is no longer the chosen one is dropped.
func (s *Screen) written(msg written) tea.Cmd {
	if msg.dir != s.folder || msg.format != s.format() {
		return nil
	}
	s.file = file{}
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		return s.question.Ask("Replace the tests?", "There are tests in "+draw.Clean(msg.dir)+" already.", keyReplace, keyKeep,
			func() tea.Cmd { return s.write(msg.dir, true) })
	case msg.err != nil:
		s.file.err = msg.err
		return nil
	}
	s.file.path = msg.path
	return screen.ShowStatus("Wrote " + msg.path)
}

// edit opens the text field of the folder.
func (s *Screen) edit() { s.naming, s.field = "", field(s.folder) }

// name opens the text field of the name of the test under the cursor.
func (s *Screen) name() {
	if id := s.items[s.list.At].ID; id != "" {
		s.naming, s.field = id, field(s.nameOf(id))
	}
}

// nameOf is what a test is called: by the person, else in the preview.
func (s *Screen) nameOf(id string) string {
	if f, ok := s.preview.tests[s.list.At]; ok && s.called[id] == "" {
		return f.name
	}
	return s.called[id]
}

func field(text string) *textinput.Model {
	f := textinput.New()
	f.Prompt = ""
	f.Cursor.SetMode(cursor.CursorStatic)
	f.SetValue(text)
	f.Focus()
	return &f
}

// typed takes a key while the folder or a name is being typed.
func (s *Screen) typed(k tea.KeyMsg) tea.Cmd {
	field, _ := s.field.Update(k)
	s.field = &field
	return nil
}

// accept takes what was typed. A test whose name was deleted is called by what it does
// again.
func (s *Screen) accept() {
	text := strings.TrimSpace(s.field.Value())
	s.field = nil
	switch {
	case s.naming != "":
		s.called[s.naming] = text
		s.changed()
	case text != "":
		s.folder, s.file = text, file{}
	}
}

// runs is the command that runs a test file, or the file where there is more to say.
func runs(f screen.TestFormat, path string) string {
	path = filepath.ToSlash(path)
	if !filepath.IsAbs(path) && !strings.HasPrefix(path, "../") {
		path = "./" + strings.TrimPrefix(path, "./")
	}
	line := f.Run + " " + quoted(path)
	if f.Helpers != "" {
		line += " " + quoted(path[:strings.LastIndexByte(path, '/')+1]+f.Helpers)
	}
	return strings.TrimSpace(line)
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	odd := func(r rune) bool {
		return !strings.ContainsRune("/._-+:@%,=~", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	if strings.ContainsFunc(word, odd) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
