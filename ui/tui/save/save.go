// Package save asks for a file name for a graph and writes the graph. It is the same on all screens with
// graphs.
package save

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// KeyExport opens the line on all screens.
var KeyExport = key.NewBinding(key.WithKeys("x"), key.WithHelp("x", "export the picture"))

var (
	keyWrite   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "write it"))
	keyFormat  = key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "svg, dot, mermaid"))
	keyCancel  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "not now"))
	keyReplace = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "replace it"))
	keyKeep    = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "keep it"))
)

// endings are the file extensions of the formats, in the order in which the tab key selects them.
var endings = []string{".svg", ".dot", ".mmd"}

// PictureWriter writes a picture to a file. The file extension selects the format. If the file exists and
// force is false, the error is fs.ErrExist.
type PictureWriter func(path string, p usecase.GraphPicture, force bool) error

// FileNameLine is a line in which the user types the name of a file. It is initially closed.
type FileNameLine struct {
	write    PictureWriter
	field    *textinput.Model
	question widget.Question
	picture  usecase.GraphPicture
	path     string
}

// New returns a closed line.
func New(write PictureWriter) *FileNameLine {
	return &FileNameLine{write: write, question: widget.Question{Pause: widget.ConfirmPause}}
}

// Open asks for the file name for a picture. name is the proposed name without extension.
func (l *FileNameLine) Open(name string, p usecase.GraphPicture) {
	field := widget.ValueField(name + endings[0])
	l.field, l.picture = &field, p
}

// Typing reports whether the line receives all keys.
func (l *FileNameLine) Typing() bool { return l.field != nil || l.question.Open() }

// written is sent after a picture was written or writing it failed. of is the line that wrote the picture;
// other lines ignore the message.
type written struct {
	of  *FileNameLine
	err error
}

// Update handles a message. It handles keys only while the line or its question is open.
func (l *FileNameLine) Update(msg tea.Msg) tea.Cmd {
	if w, ok := msg.(written); ok && w.of == l {
		return l.written(w.err)
	}
	if k, ok := msg.(tea.KeyMsg); ok && l.field != nil {
		return l.typed(k)
	}
	_, cmd := l.question.Update(msg)
	return cmd
}

func (l *FileNameLine) typed(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyCancel):
		l.field = nil
	case key.Matches(k, keyFormat):
		l.field.SetValue(nextEnding(l.field.Value()))
		l.field.CursorEnd()
	case key.Matches(k, keyWrite):
		l.path = strings.TrimSpace(l.field.Value())
		l.field = nil
		if l.path != "" {
			return l.writePicture(false)
		}
	default:
		field, cmd := l.field.Update(k)
		l.field = &field
		return cmd
	}
	return nil
}

// nextEnding replaces the extension of a path by the extension of the next format. A path without a known extension
// gets the extension of the first format.
func nextEnding(path string) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + endings[(slices.Index(endings, ext)+1)%len(endings)]
}

// writePicture writes the picture in the background.
func (l *FileNameLine) writePicture(force bool) tea.Cmd {
	write, path, p := l.write, l.path, l.picture
	return func() tea.Msg { return written{l, write(path, p, force)} }
}

// written shows the path of the picture, or asks whether to replace an existing file.
func (l *FileNameLine) written(err error) tea.Cmd {
	switch {
	case errors.Is(err, fs.ErrExist):
		return l.question.Ask(
			"Replace the file?", draw.Clean(l.path)+" already exists.", keyReplace, keyKeep,
			func() tea.Cmd { return l.writePicture(true) },
		)
	case err != nil:
		return screen.ShowError(err)
	}
	return screen.ShowStatus("Wrote " + l.path)
}

// Keys returns all keys of a line and of its question.
func Keys() []key.Binding { return []key.Binding{keyWrite, keyFormat, keyCancel, keyReplace, keyKeep} }

// Keys returns the keys of the line, or of its question.
func (l *FileNameLine) Keys() []key.Binding {
	if l.question.Open() {
		return l.question.Keys()
	}
	return []key.Binding{keyWrite, keyFormat, keyCancel}
}

// Title draws the line as the title of a frame. It must only be called while TypingName returns true.
func (l *FileNameLine) Title(width int) string {
	const prompt = "Export to "
	l.field.Width = max(1, width-len(prompt)-1)
	return theme.Accent.Render(prompt) + strings.TrimRight(l.field.View(), " ")
}

// TypingName reports whether the user is typing the name.
func (l *FileNameLine) TypingName() bool { return l.field != nil }

// OverlayQuestion draws the question, if it is open, over a picture of the screen.
func (l *FileNameLine) OverlayQuestion(picture string, width, height int) string {
	return l.question.Over(picture, width, height)
}
