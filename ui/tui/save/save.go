// Package save asks into which file a picture goes, and has it written there, the
// same on every screen with pictures.
package save

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// KeyExport is the key of all screens that opens the line.
var KeyExport = key.NewBinding(key.WithKeys("x"), key.WithHelp("x", "export the picture"))

var (
	keyWrite   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "write it"))
	keyFormat  = key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "svg, dot, mermaid"))
	keyCancel  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "not now"))
	keyReplace = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "replace it"))
	keyKeep    = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "keep it"))
)

// endings are those of the formats, in the order in which tab goes through them.
var endings = []string{".svg", ".dot", ".mmd"}

// PictureWriter writes a picture into a file, in the format that its ending says. Where
// the file exists and force is not set, the error is fs.ErrExist.
type PictureWriter func(path string, p screen.GraphPicture, force bool) error

// FileNameLine is where the name of the file is typed. It is closed at first.
type FileNameLine struct {
	write    PictureWriter
	field    *textinput.Model
	question widget.Question
	picture  screen.GraphPicture
	path     string
}

// New returns a closed line.
func New(write PictureWriter) *FileNameLine {
	return &FileNameLine{write: write, question: widget.Question{Pause: widget.ConfirmPause}}
}

// Open asks where a picture goes; name is what is proposed, without ending.
func (l *FileNameLine) Open(name string, p screen.GraphPicture) {
	field := widget.ValueField(name + endings[0])
	l.field, l.picture = &field, p
}

// Typing tells that all keys are the line's.
func (l *FileNameLine) Typing() bool { return l.field != nil || l.question.Open() }

// written is what came of writing a picture. Its line tells it from those of
// other screens.
type written struct {
	of  *FileNameLine
	err error
}

// Update takes any message, and keys only while it is typed.
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
		l.field.SetValue(next(l.field.Value()))
		l.field.CursorEnd()
	case key.Matches(k, keyWrite):
		l.path = strings.TrimSpace(l.field.Value())
		l.field = nil
		if l.path != "" {
			return l.begin(false)
		}
	default:
		field, cmd := l.field.Update(k)
		l.field = &field
		return cmd
	}
	return nil
}

// next is a path with the ending after its own.
func next(path string) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + endings[(slices.Index(endings, ext)+1)%len(endings)]
}

// begin writes the picture, in the background.
func (l *FileNameLine) begin(force bool) tea.Cmd {
	write, path, p := l.write, l.path, l.picture
	return func() tea.Msg { return written{l, write(path, p, force)} }
}

// written says where the picture is, or asks whether it may replace what is there.
func (l *FileNameLine) written(err error) tea.Cmd {
	switch {
	case errors.Is(err, fs.ErrExist):
		return l.question.Ask(
			"Replace the file?", draw.Clean(l.path)+" is there already.", keyReplace, keyKeep,
			func() tea.Cmd { return l.begin(true) },
		)
	case err != nil:
		return screen.ShowError(err)
	}
	return screen.ShowStatus("Wrote " + l.path)
}

// Keys are those that the line takes.
func (l *FileNameLine) Keys() []key.Binding {
	if l.question.Open() {
		return l.question.Keys()
	}
	return []key.Binding{keyWrite, keyFormat, keyCancel}
}

// Title draws the line as a frame's title.
func (l *FileNameLine) Title(width int) string {
	const prompt = "Export to "
	l.field.Width = max(1, width-len(prompt)-1)
	return theme.Accent.Render(prompt) + strings.TrimRight(l.field.View(), " ")
}

// TypingName reports whether the name is being typed.
func (l *FileNameLine) TypingName() bool { return l.field != nil }

// OverlayQuestion draws the question over a picture of the screen, where there is one.
func (l *FileNameLine) OverlayQuestion(picture string, width, height int) string {
	return l.question.Over(picture, width, height)
}
