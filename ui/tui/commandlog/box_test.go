package commandlog

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// driver drives a box like a user. files are the files that the box has written.
type driver struct {
	*Box
	open   bool
	status screen.StatusMessage
	copied string
	files  map[string]string
}

func drive(l *Log) *driver {
	d := &driver{open: true, files: map[string]string{}}
	d.Box = NewBox(l, func(path, text string, force bool) error {
		if _, ok := d.files[path]; ok && !force {
			return fs.ErrExist
		}
		if path == "no/way" {
			return errors.New("no such folder")
		}
		d.files[path] = text
		return nil
	})
	d.copies = func(text string) error { d.copied = text; return nil }
	d.question.Pause = 0
	return d
}

func (d *driver) send(msg tea.Msg) *driver {
	open, cmd := d.Update(msg)
	d.open = open
	if cmd != nil {
		switch msg := cmd().(type) {
		case nil:
		case screen.StatusMessage:
			d.status = msg
		default:
			d.send(msg)
		}
	}
	return d
}

func (d *driver) press(keys ...string) *driver {
	types := map[string]tea.KeyType{
		"up": tea.KeyUp, "enter": tea.KeyEnter, "esc": tea.KeyEsc, "home": tea.KeyHome, "ctrl+u": tea.KeyCtrlU,
	}
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if t, ok := types[k]; ok {
			msg = tea.KeyMsg{Type: t}
		}
		d.send(msg)
	}
	return d
}

func (d *driver) view(width, height int) string {
	return d.Over(draw.FitLines("", width, height), width, height)
}

const replayCommand = "sonde export runs/shop --pick t1 --format curl && sh sonde-tests/sonde.sh"

// filled returns a log with actions of each kind, and texts that are hostile to terminals.
func filled() *Log {
	l := New(noon)
	l.Add("search in runs/shop", "sonde search --demo --calls 20000 --seed 1")
	l.Add("Explore: filter cart", "")
	l.Add("send \x1b[2JPOST /carts", "curl -i -X POST http://127.0.0.1:41873/carts -H 'Content-Type: application/json' --data-raw "+
		`'{"productId":1,"quantity":2,"giftWrap":true,"size":"XL"}'`)
	l.ended("replay t1 GET /carts/{cartId} after 1 call", replayCommand, errRefused)
	return l
}

func TestBoxViews(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {60, 21}, {80, 21}, {120, 33}, {200, 47}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			view := drive(filled()).press("up").view(size[0], size[1])
			for _, row := range strings.Split(view, "\n") {
				if ansi.StringWidth(row) != size[0] || strings.Contains(row, "\x1b[2J") {
					t.Errorf("a row of %d cells: %q", ansi.StringWidth(row), row)
				}
			}
			golden.RequireEqual(t, []byte(trimmed(view)))
		})
	}
}

// trimmed removes blanks at line ends, because editors and git complain about them.
func trimmed(view string) string {
	rows := strings.Split(view, "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

// y copies the command under the cursor. It says so if there is none.
func TestCopy(t *testing.T) {
	d := drive(filled()).press("y")
	if d.copied != replayCommand || !strings.HasPrefix(d.status.Text, "copied: sonde export") {
		t.Errorf("copied %q, said %q", d.copied, d.status.Text)
	}
	d.copied = ""
	d.press("home").send(tea.KeyMsg{Type: tea.KeyDown}).press("y")
	if d.copied != "" || d.status.Text != "no command does this: there is nothing to copy" {
		t.Errorf("copied %q, said %q", d.copied, d.status.Text)
	}
	d.copies = func(string) error { return errors.New("no clipboard") }
	if d.press("home", "y"); d.status.Err == nil {
		t.Error("the error was not shown")
	}
}

// w writes all commands to a file. An existing file is replaced only after the user confirmed it.
func TestWriteScript(t *testing.T) {
	d := drive(filled()).press("w", "q", "esc")
	if !d.open || len(d.files) != 0 {
		t.Fatalf("open %t, files %v", d.open, d.files)
	}
	d.press("w", "enter")
	if text := d.files[scriptName]; !strings.Contains(text, "\nsonde search --demo --calls 20000 --seed 1\n") ||
		d.status.Text != "wrote 4 actions to "+scriptName {
		t.Errorf("wrote %q, said %q", text, d.status.Text)
	}
	d.files[scriptName] = "mine"
	if d.press("w", "enter"); !strings.Contains(d.view(80, 21), "already exists") {
		t.Fatalf("nothing was asked\n%s", d.view(80, 21))
	}
	if d.press("n"); d.files[scriptName] != "mine" {
		t.Error("the file was replaced")
	}
	if d.press("w", "enter", "y"); !strings.HasPrefix(d.files[scriptName], "#!/bin/sh") {
		t.Error("the file was not replaced")
	}
	d.press("w", "ctrl+u")
	for _, r := range "no/way" {
		d.press(string(r))
	}
	if d.press("enter"); d.status.Err == nil {
		t.Error("the error was not shown")
	}
}

// An empty log says so. Esc, q and ~ close the box.
func TestEmptyBox(t *testing.T) {
	for _, k := range []string{"esc", "q", "~"} {
		d := drive(New(noon)).press("y", "w", "up")
		if view := d.view(60, 21); !d.open || !strings.Contains(view, "Nothing was done yet") || len(d.Keys()) != 1 {
			t.Errorf("open %t\n%s", d.open, view)
		}
		if d.press(k); d.open {
			t.Errorf("%s does not close the box", k)
		}
	}
}

// A click moves the cursor, and the wheel scrolls.
func TestBoxMouse(t *testing.T) {
	d := drive(filled())
	d.view(80, 21)
	d.send(tea.MouseMsg{X: d.place.X + 3, Y: d.place.Y + 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	if d.list.At != 1 {
		t.Errorf("the cursor is on row %d, want 1", d.list.At)
	}
	d.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown})
	if d.list.At != 3 {
		t.Errorf("the cursor is on row %d, want 3", d.list.At)
	}
}
