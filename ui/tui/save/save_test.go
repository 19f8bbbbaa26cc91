package save

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// desk is a file name line with the files that it has written.
type desk struct {
	*FileNameLine
	there  map[string]string // key: path; value: title of the picture
	status screen.StatusMessage
}

func newDesk() *desk {
	d := &desk{there: map[string]string{}}
	d.FileNameLine = New(func(path string, p usecase.GraphPicture, force bool) error {
		if _, ok := d.there[path]; ok && !force {
			return fs.ErrExist
		}
		if strings.HasPrefix(path, "/") {
			return errors.New("not there")
		}
		d.there[path] = p.Title
		return nil
	})
	d.question.Pause = 0
	return d
}

// press presses keys and runs their commands.
func (d *desk) press(keys ...tea.KeyType) {
	for _, k := range keys {
		d.do(d.Update(tea.KeyMsg{Type: k}))
	}
}

func (d *desk) write(text string) {
	d.do(d.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)}))
}

func (d *desk) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case screen.StatusMessage:
		d.status = msg
	default:
		d.do(d.Update(msg))
	}
}

func TestSave(t *testing.T) {
	d := newDesk()
	d.press(tea.KeyEnter)
	if d.Typing() || len(d.there) > 0 {
		t.Fatal("a closed line handled a key")
	}
	d.Open("graph", usecase.GraphPicture{Title: "one"})
	d.press(tea.KeyTab, tea.KeyEnter)
	if d.there["graph.dot"] != "one" || d.status.Text != "Wrote graph.dot" || d.Typing() {
		t.Errorf("wrote %v, said %q", d.there, d.status.Text)
	}
	d.Open("graph", usecase.GraphPicture{Title: "two"})
	d.press(tea.KeyTab, tea.KeyTab, tea.KeyTab)
	if d.field.Value() != "graph.svg" {
		t.Errorf("tab three times makes %q, want the first ending", d.field.Value())
	}
	d.press(tea.KeyEsc)
	if d.Typing() || len(d.there) != 1 {
		t.Errorf("esc wrote %v", d.there)
	}
}

// An existing file is replaced only after the user confirmed it.
func TestReplace(t *testing.T) {
	d := newDesk()
	d.there["graph.svg"] = "old"
	for _, c := range []struct{ answer, want string }{{"n", "old"}, {"y", "new"}} {
		d.Open("graph", usecase.GraphPicture{Title: "new"})
		d.press(tea.KeyEnter)
		if !d.Typing() || !strings.Contains(
			d.OverlayQuestion(strings.Repeat(strings.Repeat(" ", 60)+"\n", 12), 60, 12), "graph.svg already exists",
		) {
			t.Fatal("nothing was asked")
		}
		d.write(c.answer)
		if d.there["graph.svg"] != c.want || d.Typing() {
			t.Errorf("%s: %q is there", c.answer, d.there["graph.svg"])
		}
	}
}

// An error is shown. Results of other lines are ignored.
func TestSaveFails(t *testing.T) {
	d, other := newDesk(), newDesk()
	d.Open("/graph", usecase.GraphPicture{})
	cmd := d.Update(tea.KeyMsg{Type: tea.KeyEnter})
	msg := cmd()
	if other.Update(msg) != nil {
		t.Error("another line handled the result")
	}
	d.do(d.Update(msg))
	if d.status.Err == nil {
		t.Error("the error was not shown")
	}
}
