package commandlog

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// KeyLog opens the log, and closes it.
var KeyLog = key.NewBinding(key.WithKeys("~"), key.WithHelp("~", "command log: what you did, as commands"))

var (
	keyCopy    = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy the command"))
	keyScript  = key.NewBinding(key.WithKeys("w"), key.WithHelp("w", "write all as a script"))
	keyClose   = key.NewBinding(key.WithKeys("esc", "q", "~"), key.WithHelp("esc", "close"))
	keyWrite   = key.NewBinding(key.WithKeys("enter"), key.WithHelp("⏎", "write it"))
	keyCancel  = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "not now"))
	keyReplace = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "replace it"))
	keyKeep    = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "keep it"))
)

// scriptName is the proposed name of a script.
const scriptName = "sonde-commands.sh"

// Writer writes a script to a file. If the file exists and force is not set, the error is fs.ErrExist.
type Writer func(path, text string, force bool) error

// Box shows a log. The cursor is on the newest action at first.
type Box struct {
	entries  []Entry
	dropped  int
	write    Writer // nil if no file can be written
	copies   func(text string) error
	list     widget.List
	place    draw.Rect        // where the rows were drawn the last time
	field    *textinput.Model // the name of the script, nil while it is not asked
	path     string           // the name that was typed last
	question widget.Question  // asks whether to replace a file
}

// NewBox returns a box with the entries that the log has now.
func NewBox(l *Log, write Writer) *Box {
	b := &Box{write: write, copies: widget.CopyToClipboard, question: widget.Question{Pause: widget.ConfirmPause}}
	b.entries, b.dropped = l.Entries()
	b.list.Fit(len(b.entries), len(b.entries))
	b.list.Go(len(b.entries) - 1)
	return b
}

// scriptWritten has the result of writing a script.
type scriptWritten struct {
	path string
	err  error
}

// Update handles a message. open is false if the user has closed the box.
func (b *Box) Update(msg tea.Msg) (open bool, cmd tea.Cmd) {
	if b.question.Open() {
		_, cmd = b.question.Update(msg)
		return true, cmd
	}
	switch msg := msg.(type) {
	case scriptWritten:
		return true, b.written(msg)
	case tea.MouseMsg:
		b.mouse(msg)
	case tea.KeyMsg:
		return b.press(msg)
	}
	return true, nil
}

func (b *Box) mouse(msg tea.MouseMsg) {
	if widget.LeftClick(msg) && b.place.Has(msg.X, msg.Y) {
		b.list.Click(msg.Y - b.place.Y)
	}
	b.list.Go(b.list.At + widget.WheelRows(msg))
}

func (b *Box) press(k tea.KeyMsg) (open bool, cmd tea.Cmd) {
	switch {
	case b.field != nil:
		return true, b.typeName(k)
	case key.Matches(k, keyClose):
		return false, nil
	case key.Matches(k, keyCopy) && len(b.entries) > 0:
		return true, b.copy()
	case key.Matches(k, keyScript) && len(b.entries) > 0 && b.write != nil:
		field := widget.ValueField(scriptName)
		b.field = &field
		return true, nil
	}
	b.list.Key(k)
	return true, nil
}

// copy copies the command of the action under the cursor.
func (b *Box) copy() tea.Cmd {
	copies, command := b.copies, b.entries[b.list.At].Command
	if command == "" {
		return screen.ShowStatus("no command does this: there is nothing to copy")
	}
	return func() tea.Msg {
		if err := copies(command); err != nil {
			return screen.StatusMessage{Err: err}
		}
		return screen.StatusMessage{Text: "copied: " + command}
	}
}

// typeName handles a key while the name of the script is typed.
func (b *Box) typeName(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyCancel):
		b.field = nil
	case key.Matches(k, keyWrite):
		b.path = strings.TrimSpace(b.field.Value())
		b.field = nil
		if b.path != "" {
			return b.writeScript(false)
		}
	default:
		field, cmd := b.field.Update(k)
		b.field = &field
		return cmd
	}
	return nil
}

func (b *Box) writeScript(force bool) tea.Cmd {
	write, path, text := b.write, b.path, Script(b.entries)
	return func() tea.Msg { return scriptWritten{path, write(path, text, force)} }
}

// written shows the name of the script, or asks whether to replace an existing file.
func (b *Box) written(msg scriptWritten) tea.Cmd {
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		return b.question.Ask(
			"Replace the file?", draw.Clean(msg.path)+" already exists.", keyReplace, keyKeep,
			func() tea.Cmd { return b.writeScript(true) },
		)
	case msg.err != nil:
		return screen.ShowError(msg.err)
	}
	return screen.ShowStatus(fmt.Sprintf("wrote %s to %s", words.Plural(len(b.entries), "action"), msg.path))
}

// boxWidth is the maximum width of the box, in cells. detailLines is the number of lines for the command under the
// cursor.
const boxWidth, detailLines = 110, 4

// Over draws the box over a picture of the given size.
func (b *Box) Over(picture string, width, height int) string {
	f := draw.Frame{
		Title: "Command log", Width: min(width, boxWidth), Height: min(height, max(3, len(b.entries))+detailLines+3), Focused: true,
	}
	w, rows := f.Inner()
	x, y := (width-f.Width)/2, (height-f.Height)/3
	b.list.Fit(len(b.entries), max(1, rows-detailLines-1))
	b.place = draw.Rect{X: x + 1, Y: y + 1, W: w, H: b.list.Height}
	f.Note = b.note()
	return b.question.Over(draw.Overlay(picture, f.Render(b.body(w)), x, y), width, height)
}

// note counts the actions.
func (b *Box) note() string {
	if len(b.entries) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %s", b.list.At+1, words.Plural(len(b.entries), "action"))
	if b.dropped > 0 {
		text += ", without the " + words.Count(b.dropped) + " before"
	}
	return text
}

func (b *Box) body(width int) string {
	if len(b.entries) == 0 {
		return "\n Nothing was done yet that a command could repeat."
	}
	var lines []string
	from, to := b.list.Visible()
	for i := from; i < to; i++ {
		lines = append(lines, b.row(i, width).Render(width, i == b.list.At))
	}
	lines = append(lines, theme.Dim.Render(strings.Repeat("┄", width)))
	if b.field != nil {
		const prompt = " Write all to "
		b.field.Width = max(1, width-len(prompt)-1)
		return strings.Join(append(lines, theme.Accent.Render(prompt)+b.field.View()), "\n")
	}
	return strings.Join(append(lines, b.detail(width)...), "\n")
}

// withCommands is the minimum width of a row that has the command, too.
const withCommands = 76

// row draws an action: its time, what was done, and its command if there is room.
func (b *Box) row(i, width int) draw.Line {
	const at, text = 2, 11
	e := b.entries[i]
	line := widget.CursorMark(i == b.list.At).At(at, draw.Span{Text: e.At.Format("15:04:05"), Style: theme.Dim})
	style, said := theme.Plain, draw.Clean(e.Text)
	if e.Failed {
		style, said = theme.Bad, theme.Failed+" "+said
	}
	room := (width - text) * 2 / 5
	if width < withCommands {
		room = width - text - 1
	}
	line = line.At(text, draw.Span{Text: draw.CutMiddle(said, room), Style: style})
	command := e.Command
	switch {
	case width < withCommands:
		return line
	case command == "":
		command = "no command does this"
	}
	return line.At(text+room+1, draw.Span{Text: draw.Clean(command), Style: theme.Dim})
}

// detail draws the command under the cursor, in as many lines as it needs.
func (b *Box) detail(width int) []string {
	e := b.entries[b.list.At]
	text := e.Command
	if text == "" {
		text = "No command does this: " + e.Text
	}
	lines := words.Wrap(draw.Clean(text), max(1, width-2))
	if len(lines) > detailLines {
		lines = append(lines[:detailLines-1], lines[detailLines-1]+" …")
	}
	for i, l := range lines {
		lines[i] = " " + l
	}
	return lines
}

// Listed returns all keys of the box, for docs/keys.md.
func Listed() []key.Binding {
	return []key.Binding{keyCopy, keyScript, keyClose, keyWrite, keyCancel, keyReplace, keyKeep}
}

// Keys returns the keys that work now.
func (b *Box) Keys() []key.Binding {
	switch {
	case b.question.Open():
		return b.question.Keys()
	case b.field != nil:
		return []key.Binding{keyWrite, keyCancel}
	case len(b.entries) == 0:
		return []key.Binding{keyClose}
	}
	return []key.Binding{keyCopy, keyScript, keyClose}
}
