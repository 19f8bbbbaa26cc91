// Package saverequest is a box that asks for the file and the name under which a request or a seq is saved in the
// project.
package saverequest

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Box is the box. Its methods must not be called by several goroutines at once. The Cmds that they return may run in
// other goroutines.
type Box struct {
	save   func(usecase.SavedRequest, bool) (usecase.SaveResult, error)
	post   *screen.MessageQueue
	form   *widget.Form[usecase.SavedRequest]
	calls  int
	exists bool // the file has the name: the box asks whether to replace the request
	err    error
	busy   bool
	closed bool
}

// saved is the result of saving. of is the box that has saved.
type saved struct {
	of     *Box
	result usecase.SaveResult
	err    error
}

// DefaultFile is the proposed name of a file for a project without files.
const DefaultFile = "requests.http"

// New returns a box for a test. files are the names of the files of the project.
func New(requests usecase.RequestFiles, post *screen.MessageQueue, of screen.SaveTest, files []string) *Box {
	typed := usecase.SavedRequest{File: of.File, Name: of.Name, Test: of.Test, Files: of.Files}
	if typed.File == "" {
		typed.File = append(slices.Clip(files), DefaultFile)[0]
	}
	b := &Box{save: requests.Save, post: post, calls: len(of.Test.Calls)}
	b.form = widget.NewForm(typed, func(*usecase.SavedRequest) []widget.FormField[usecase.SavedRequest] {
		return fields(files)
	})
	b.form.Move(1)
	return b
}

// fields returns the fields of the box.
func fields(files []string) []widget.FormField[usecase.SavedRequest] {
	return []widget.FormField[usecase.SavedRequest]{
		{
			Name: "file",
			Help: "a file in requests/, new or not; its other text stays as it is",
			Text: func(s *usecase.SavedRequest) *string { return &s.File },
			Complete: func(typed string) (fit []string) {
				for _, name := range files {
					if strings.HasPrefix(name, typed) {
						fit = append(fit, name)
					}
				}
				return fit
			},
		},
		{
			Name: "name",
			Help: "the name in the file; secrets are saved as variables, such as {{TOKEN}}",
			Text: func(s *usecase.SavedRequest) *string { return &s.Name },
		},
	}
}

type need = keymap.Need[*Box]

var (
	completable = need{Met: func(b *Box) bool { return len(b.form.Completions()) > 0 }}

	keyPrev = keymap.Bind("↑", "before", "shift+tab", "up")

	// keys are the keys of the box.
	keys = keymap.Map[*Box]{
		{
			On: func(b *Box) bool { return b.busy },
			Rows: []keymap.Row[*Box]{
				{Key: keymap.Bind("esc", "close"), Do: keymap.Act(func(b *Box) { b.closed = true })},
			},
		},
		{
			On: func(b *Box) bool { return b.exists },
			Rows: []keymap.Row[*Box]{
				{Key: keymap.Bind("y", "replace it"), Do: func(b *Box) tea.Cmd { return b.write(true) }},
				{Key: keymap.Bind("n", "another name", "n", "esc"), Do: keymap.Act(func(b *Box) { b.exists = false })},
			},
		},
		{
			Rows: []keymap.Row[*Box]{
				{Key: keymap.Bind("ctrl+s", "save it"), Do: func(b *Box) tea.Cmd { return b.write(false) }},
				{Key: keymap.Bind("tab", "complete"), Needs: []need{completable}, Do: keymap.Act(func(b *Box) {
					b.form.Complete(b.form.Completions()[0])
				})},
				{Key: keymap.Bind("tab", "next"), Needs: []need{keymap.Not(completable.Met, "")}, Take: (*Box).next, Hidden: true},
				{Key: keymap.Bind("⏎", "next, save it", "enter", "down"), Help: (*Box).enterHelp, Take: (*Box).next},
				{Key: keyPrev, Do: keymap.Act(func(b *Box) { b.form.Move(-1) })},
				{Key: keymap.Bind("esc", "cancel"), Do: keymap.Act(func(b *Box) { b.closed = true })},
			},
			Rest: func(b *Box, k tea.KeyMsg) tea.Cmd { return b.form.Type(k) },
		},
	}
)

func (b *Box) enterHelp() string { return keymap.Either(b.form.OnLast(), "save it", "next") }

// next moves to the next field. Enter on the last field saves.
func (b *Box) next(k tea.KeyMsg) tea.Cmd {
	if k.Type == tea.KeyEnter && b.form.OnLast() {
		return b.write(false)
	}
	b.form.Move(1)
	return nil
}

// write saves the test in the background.
func (b *Box) write(force bool) tea.Cmd {
	save, typed := b.save, b.form.Typed
	b.busy, b.exists, b.err = true, false, nil
	return func() tea.Msg {
		result, err := save(typed, force)
		return saved{of: b, result: result, err: err}
	}
}

// Update handles a message. open reports whether the box stays open.
func (b *Box) Update(msg tea.Msg) (open bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case saved:
		if msg.of == b {
			cmd = b.saved(msg)
		}
	case tea.KeyMsg:
		if !b.busy {
			b.err = nil
		}
		cmd, _ = keys.Press(b, msg)
	}
	return !b.closed, cmd
}

// saved closes the box and says where the test is, or shows why it could not be saved.
func (b *Box) saved(msg saved) tea.Cmd {
	b.busy = false
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		b.exists = true
		return nil
	case msg.err != nil:
		b.err = msg.err
		return nil
	}
	b.closed = true
	return tea.Batch(
		b.post.Send(screen.TestSaved{Path: msg.result.Path, Name: msg.result.Name}),
		screen.ShowStatus(resultText(msg.result)),
	)
}

// resultText says where a test is, and what the file does not have of it.
func resultText(r usecase.SaveResult) string {
	verb := "Saved"
	if r.Replaced {
		verb = "Replaced"
	}
	file := filepath.Join(filepath.Base(filepath.Dir(r.Path)), filepath.Base(r.Path))
	parts := []string{fmt.Sprintf("%s %q in %s: 4 shows it", verb, r.Name, file)}
	if len(r.Variables) > 0 {
		names := make([]string, len(r.Variables))
		for i, v := range r.Variables {
			names[i] = "{{" + v + "}}"
		}
		parts = append(parts, words.Plural(len(names), "secret")+" left out: set "+strings.Join(names, ", ")+" in the environment")
	}
	return draw.Clean(strings.Join(append(parts, r.Notes...), "; "))
}

// maxWidth is the maximum width of the box, in cells.
const maxWidth = 76

// Over draws the box on a picture of width × height cells.
func (b *Box) Over(picture string, width, height int) string {
	title := "Save the request"
	if b.calls > 1 {
		title = "Save the seq · " + words.Plural(b.calls, "call")
	}
	f := draw.Frame{Title: title, Width: min(width, maxWidth), Focused: true}
	inner := f.Width - 2
	foot := b.foot(inner - 2)
	f.Height = min(height, b.form.Rows()+len(foot)+2)
	lines := append(b.form.Lines(inner, max(1, f.Height-2-len(foot))), foot...)
	return draw.Overlay(picture, f.Render(strings.Join(lines, "\n")), (width-f.Width)/2, max(0, (height-f.Height)/3))
}

// foot draws a question, the result of the last action or the help of a field, and the keys.
func (b *Box) foot(width int) []string {
	shown := slices.DeleteFunc(b.Keys(), func(k key.Binding) bool { return k.Help() == keyPrev.Help() })
	typed := b.form.Typed
	switch {
	case b.busy:
		return widget.BoxFoot("…", theme.Dim, shown, width)
	case b.exists:
		text := fmt.Sprintf("%s has %q already. Its comments and scripts stay if it is replaced.", typed.File, typed.Name)
		return widget.BoxFoot(draw.Clean(text), theme.Warn, shown, width)
	case b.err != nil:
		return widget.BoxFoot(theme.Failed+" "+draw.Clean(b.err.Error()), theme.Bad, shown, width)
	}
	return widget.BoxFoot(b.form.Field().Help, theme.Dim, shown, width)
}

// Keys returns the keys that are active now.
func (b *Box) Keys() []key.Binding { return keys.Keys(b) }

// Listed returns all keys of the box, for docs/keys.md.
func Listed() []key.Binding { return keys.Listed() }
