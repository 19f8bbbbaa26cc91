package send

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Results of reading and writing files in the background. id is the number of the form for which they were read.
type (
	// measured has the size of a chosen file.
	measured struct {
		id   int
		path string
		size int64
		err  error
	}
	// pathsListed has the completions of a path.
	pathsListed struct {
		id    int
		typed string
		paths []string
	}
	// filesRead has the test of a form whose files were read.
	filesRead struct {
		id   int
		test model.Test
		err  error
	}
	// editorReady is sent when a text was written to a file for the editor.
	editorReady struct {
		id   int
		file string
		err  error
	}
	// editorClosed is sent when the editor has ended.
	editorClosed struct {
		id   int
		file string
		err  error
	}
	// editorTextRead has the text that the editor wrote.
	editorTextRead struct {
		id   int
		text string
		err  error
	}
	// valuesSeen has the values in answers that the inputs of the form may take.
	valuesSeen struct {
		id     int
		values []model.SeenValues
	}
)

// Numbers of editors that are not for a form.
const (
	noEditor       = -1 // the editor was not opened
	answerInEditor = -2 // the editor shows an answer
)

// formTasks are the tasks of a form that read or write files, or may be slow. They run in the background.
type formTasks struct {
	calls usecase.ManualCalls
	id    int // number of the form
}

// measure returns the command that looks for the size of a file, nil for no file.
func (t formTasks) measure(path string) tea.Cmd {
	path = strings.TrimSpace(path)
	if path == "" {
		return nil
	}
	return func() tea.Msg {
		n, err := t.calls.Files.Size(path)
		return measured{id: t.id, path: path, size: n, err: err}
	}
}

// listPaths returns the command that looks for the completions of a path.
func (t formTasks) listPaths(typed string) tea.Cmd {
	return func() tea.Msg { return pathsListed{id: t.id, typed: typed, paths: t.calls.Files.Complete(typed)} }
}

// readFiles returns the command that reads the files of a form.
func (t formTasks) readFiles(f *form, id int) tea.Cmd {
	return func() tea.Msg {
		test, err := f.test(t.calls.Files.Read)
		return filesRead{id: id, test: test, err: err}
	}
}

// writeFile returns the command that writes a text to a temporary file for the editor.
func (t formTasks) writeFile(name, text string) tea.Cmd {
	return func() tea.Msg {
		file, err := t.calls.Files.WriteTemporary(name, text)
		return editorReady{id: t.id, file: file, err: err}
	}
}

// openEditor opens the editor. The editor uses the terminal until it ends.
func (t formTasks) openEditor(msg editorReady) tea.Cmd {
	if msg.err != nil {
		return screen.ShowError(msg.err)
	}
	cmd, err := t.calls.Files.Edit(msg.file, 0)
	if err != nil {
		return tea.Batch(screen.ShowError(err), t.takeText(editorClosed{id: noEditor, file: msg.file}))
	}
	return tea.ExecProcess(cmd, func(err error) tea.Msg { return editorClosed{id: msg.id, file: msg.file, err: err} })
}

// takeText returns the command that reads the text of the editor, and removes the temporary file.
func (t formTasks) takeText(msg editorClosed) tea.Cmd {
	return func() tea.Msg {
		text, err := t.calls.Files.TakeTemporary(msg.file)
		if msg.err != nil {
			err = fmt.Errorf("the editor failed, and the text is as before: %w; $EDITOR sets which one is used", msg.err)
		}
		return editorTextRead{id: msg.id, text: text, err: err}
	}
}

// readValues returns the command that reads the values in answers that the inputs of an operation may take.
func (t formTasks) readValues(op model.OpID) tea.Cmd {
	if t.calls.SeenValues == nil {
		return nil
	}
	return func() tea.Msg { return valuesSeen{id: t.id, values: t.calls.SeenValues(op)} }
}

// update handles the results of the form's tasks. It reports whether the message is one.
func (v *formView) update(msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case measured:
		switch {
		case msg.id != v.tasks.id:
		case msg.err != nil:
			cmd = screen.ShowError(msg.err)
		default:
			v.form.setSize(msg.path, msg.size)
		}
	case pathsListed:
		cmd = v.edit.pathsListed(msg)
	case editorReady:
		cmd = v.tasks.openEditor(msg)
	case editorClosed:
		// The mouse must be enabled again, because bubbletea does not restore it.
		cmd = tea.Batch(tea.EnableMouseCellMotion, v.tasks.takeText(msg))
	case editorTextRead:
		cmd = v.editorTextRead(msg)
	case valuesSeen:
		if msg.id == v.tasks.id {
			v.seen = msg.values
		}
	default:
		return nil, false
	}
	return cmd, true
}

// pathsListed completes a path as far as all completions agree, and lists them.
func (e *edit) pathsListed(msg pathsListed) tea.Cmd {
	if !e.path || e.field == nil || e.field.Value() != msg.typed {
		return nil
	}
	// A path with unsafe characters cannot be typed.
	paths := slices.DeleteFunc(msg.paths, func(path string) bool { return draw.Clean(path) != path })
	if len(paths) == 0 {
		return screen.ShowStatus("no file begins with this path")
	}
	common := paths[0]
	c := completion{}
	for _, path := range paths {
		for !strings.HasPrefix(path, common) {
			common = common[:len(common)-1]
		}
		at := strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/') + 1
		c.candidates = append(c.candidates, candidate{shown: path[at:], insert: path})
	}
	e.field.SetValue(strings.ToValidUTF8(common, ""))
	e.field.CursorEnd()
	if len(paths) > 1 {
		e.hint.completion = c
	}
	return nil
}

// editorTextRead stores the text of the editor in the form, unless another form was opened.
func (v *formView) editorTextRead(msg editorTextRead) tea.Cmd {
	switch {
	case msg.id == noEditor:
	case msg.id == answerInEditor: // what it changed has no effect
	case msg.err != nil:
		return screen.ShowError(msg.err)
	case msg.id == v.tasks.id && v.textToEdit() != nil:
		v.setEditedText(msg.text)
	}
	return nil
}

// textToEdit returns the text that the editor opens: the body, or a field of a form. It returns nil if the row under the
// cursor has no such text.
func (v *formView) textToEdit() *string {
	if v.form.empty() {
		return nil
	}
	b := v.form.sentBody()
	switch v.current().kind {
	case bodyRow, textRow:
		if b != nil && b.isText() {
			return &b.text
		}
	case formFieldRow:
		if f := v.currentField(); !f.isFile() && (model.Payload{Data: f.value}).IsText() {
			return &f.value
		}
	}
	return nil
}

// setEditedText stores the text of the editor. It removes the line end that editors add.
func (v *formView) setEditedText(text string) {
	before := v.textToEdit()
	if !strings.HasSuffix(*before, "\n") {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	switch f := v.currentField(); {
	case text == *before:
	case f != nil:
		f.value, f.omitted, v.form.sentBody().edited = text, false, true
	default:
		v.form.sentBody().setText(text)
	}
}
