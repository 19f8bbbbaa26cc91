// Package choose asks the user which API to open before the app starts: a spec of the
// folder, a recent one, the demo, or any file.
package choose

import (
	"context"
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/filepicker"
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// SpecEntry is a spec to choose. Source is its file or URL, and Description says what it is.
type SpecEntry struct{ Source, Name, Description string }

// AskForSpec shows the entries and returns the source of the chosen one, "" if the user quits. dir is the
// first folder in the list of files.
func AskForSpec(ctx context.Context, entries []SpecEntry, dir string) (string, error) {
	last, err := tea.NewProgram(newModel(entries, dir), tea.WithContext(ctx), tea.WithAltScreen(), tea.WithMouseCellMotion()).Run()
	if err != nil {
		return "", fmt.Errorf("choosing a spec failed: %w", err)
	}
	return last.(*model).chosen, nil
}

// model is the list of entries. While picking is true, the list of files takes its place.
type model struct {
	entries       []SpecEntry
	list          widget.List
	files         filepicker.Model
	picking       bool
	width, height int
	chosen        string
}

var (
	keyOpen  = key.NewBinding(key.WithKeys("enter", "l", "right"), key.WithHelp("⏎", "open"))
	keyFiles = key.NewBinding(key.WithKeys("f", "tab"), key.WithHelp("f", "pick a file"))
	keyList  = key.NewBinding(key.WithKeys("f", "tab"), key.WithHelp("f", "to the list"))
	keyUp    = key.NewBinding(key.WithKeys("h", "left", "backspace", "esc"), key.WithHelp("←", "folder above"))
	keyQuit  = key.NewBinding(key.WithKeys("q", "ctrl+c"), key.WithHelp("q", "quit"))
)

func newModel(entries []SpecEntry, dir string) *model {
	m := &model{entries: entries, files: filepicker.New(), picking: len(entries) == 0}
	m.files.CurrentDirectory, m.files.AllowedTypes = dir, []string{".yaml", ".yml", ".json"}
	m.files.ShowPermissions, m.files.AutoHeight, m.files.Cursor = false, false, theme.Cursor
	m.files.KeyMap.Back, m.files.KeyMap.Open = keyUp, keyOpen
	s := &m.files.Styles
	accent, dim := theme.Accent.Lipgloss(), theme.Dim.Lipgloss()
	s.Cursor, s.Selected, s.File = theme.Active.Lipgloss(), theme.Strong.Lipgloss(), theme.Plain.Lipgloss()
	s.Directory, s.Symlink = accent, accent
	s.DisabledFile, s.DisabledCursor, s.DisabledSelected, s.FileSize = dim, dim, dim, dim.Width(7).Align(1)
	s.EmptyDirectory = dim.SetString("  Nothing is in this folder.")
	return m
}

// Init returns the command that reads the folder.
func (m *model) Init() tea.Cmd { return m.files.Init() }

// Update handles a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.list.Fit(len(m.entries), max(1, m.height-frame))
		m.files.SetHeight(max(1, m.height-frame-1))
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case tea.KeyMsg:
		var cmds []tea.Cmd
		for _, k := range widget.KeyPresses(msg) {
			cmds = append(cmds, m.press(k))
		}
		return m, tea.Batch(cmds...)
	}
	return m, m.updateFiles(msg)
}

// updateFiles passes a message to the list of files. It ends the program when the user chooses a file
// there.
func (m *model) updateFiles(msg tea.Msg) (cmd tea.Cmd) {
	m.files, cmd = m.files.Update(msg)
	if ok, file := m.files.DidSelectFile(msg); ok && m.picking {
		return m.choose(file)
	}
	return cmd
}

func (m *model) press(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyQuit):
		return tea.Quit
	case key.Matches(k, keyFiles) && len(m.entries) > 0:
		m.picking = !m.picking
	case m.picking:
		return m.updateFiles(k)
	case key.Matches(k, keyOpen):
		return m.choose(m.entries[m.list.At].Source)
	default:
		m.list.Key(k)
	}
	return nil
}

// mouse handles the wheel, which moves the selection, and a click, which chooses an entry.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.picking {
		return nil
	}
	m.list.Go(m.list.At + widget.WheelRows(msg))
	if widget.LeftClick(msg) && m.list.Click(msg.Y-top) {
		return m.choose(m.entries[m.list.At].Source)
	}
	return nil
}

func (m *model) choose(source string) tea.Cmd {
	m.chosen = source
	return tea.Quit
}

// frame is the number of lines around the list. top is the number of lines above it.
const frame, top = 4, 2

// View draws the whole terminal.
func (m *model) View() string {
	if m.width < 2 || m.height < frame {
		return ""
	}
	f := draw.Frame{Title: "Specs", Width: m.width, Height: m.height - 2, Focused: true}
	body := m.rows(m.width - 2)
	if m.picking {
		f.Title = draw.CutMiddle(draw.Clean(m.files.CurrentDirectory), max(1, m.width-8))
		body = "\n" + m.files.View()
	}
	title := draw.TextLine(" sonde ", theme.Active)
	title = append(title, draw.Span{Text: " Which API? sonde SPEC opens any file or URL at once.", Style: theme.Plain})
	return theme.Draw(draw.JoinRows(title.Render(m.width, false), f.Render(body), m.keys()))
}

func (m *model) rows(width int) string {
	var rows []string
	from, to := m.list.Visible()
	for i := from; i < to; i++ {
		mark := " "
		if i == m.list.At {
			mark = theme.Cursor
		}
		name := min(34, width/2)
		row := draw.TextLine(mark, theme.Active).At(2, draw.Span{Text: draw.Clean(m.entries[i].Name), Style: theme.Strong}).
			At(name, draw.Span{Text: draw.CutMiddle(draw.Clean(m.entries[i].Description), max(1, width-name-1)), Style: theme.Dim})
		rows = append(rows, row.Render(width, i == m.list.At))
	}
	return strings.Join(rows, "\n")
}

func (m *model) keys() string {
	keys := []key.Binding{keyOpen, keyFiles, keyQuit}
	switch {
	case len(m.entries) == 0:
		keys = []key.Binding{keyOpen, keyUp, keyQuit}
	case m.picking:
		keys = []key.Binding{keyOpen, keyUp, keyList, keyQuit}
	}
	var parts []string
	for _, k := range keys {
		parts = append(parts, " "+widget.KeyAndHelp(k)+" ")
	}
	return draw.FitLine(strings.Join(parts, ""), m.width)
}
