package past

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	tea "github.com/charmbracelet/bubbletea"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

var (
	enter = tea.KeyMsg{Type: tea.KeyEnter}
	esc   = tea.KeyMsg{Type: tea.KeyEsc}
	down  = tea.KeyMsg{Type: tea.KeyDown}
	typeE = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("e")}
)

// page returns a page with n searches.
func page(n int) Model {
	var m Model
	m.Fit(100, 20)
	all := make([]Row, n)
	for i := range all {
		all[i] = Row{Folder: fmt.Sprintf("runs/%d", i), Started: time.Now(), State: "done", How: "P .60, seed 1"}
	}
	m.Take(all, nil)
	return m
}

func TestOpen(t *testing.T) {
	m := page(3)
	if folder, used := m.Key(down); folder != "" || !used {
		t.Errorf("down opens %q, used %t", folder, used)
	}
	if folder, used := m.Key(enter); folder != "runs/1" || !used {
		t.Errorf("enter opens %q, used %t, want runs/1", folder, used)
	}
	if folder, _ := m.Key(enter); folder != "" {
		t.Errorf("enter opens %q while a search is read", folder)
	}
	m.Failed(errors.New("no such run"))
	if view := ansi.Strip(m.View()); !strings.Contains(view, "no such run") {
		t.Errorf("the error is not shown:\n%s", view)
	}
	if folder, _ := m.Key(enter); folder != "runs/1" {
		t.Errorf("enter opens %q after a failure, want runs/1", folder)
	}
}

func TestTypeAFolder(t *testing.T) {
	tests := []struct {
		name string
		keys []tea.KeyMsg
		want string
	}{
		{"a folder", []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune(" old/run ")}, enter}, "old/run"},
		{"nothing", []tea.KeyMsg{enter}, ""},
		{"cancelled", []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune("old/run")}, esc}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := page(0)
			m.Key(typeE)
			if !m.Typing() {
				t.Fatal("e opens no text field")
			}
			var got string
			for _, k := range tt.keys {
				got, _ = m.Key(k)
			}
			if got != tt.want || m.Typing() {
				t.Errorf("opens %q, typing %t, want %q", got, m.Typing(), tt.want)
			}
		})
	}
}

// Keys that the page doesn't have are left to the screen.
func TestOtherKeys(t *testing.T) {
	m := page(2)
	if _, used := m.Key(esc); used {
		t.Error("the page used esc")
	}
	empty := page(0)
	if _, used := empty.Key(enter); used {
		t.Error("an empty page used enter")
	}
	if got := len(empty.Keys()); got != 1 {
		t.Errorf("an empty page has %d keys, want that of the folder", got)
	}
}

func TestViewHasItsSize(t *testing.T) {
	for _, size := range [][2]int{{40, 8}, {60, 12}, {80, 20}, {120, 33}, {200, 50}} {
		for _, n := range []int{0, 1, 60} {
			m := page(n)
			m.Fit(size[0], size[1])
			lines := strings.Split(m.View(), "\n")
			if len(lines) != size[1] {
				t.Errorf("%d searches: %d lines, want %d", n, len(lines), size[1])
			}
			for _, l := range lines {
				if got := lipgloss.Width(l); got != size[0] {
					t.Errorf("%d searches: a line of %d cells, want %d: %q", n, got, size[0], l)
				}
			}
			for i, target := range m.Targets() {
				m.Mouse(tea.MouseMsg{X: target.X, Y: target.Y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
				if m.list.At != i {
					t.Errorf("a click on target %d selects row %d", i, m.list.At)
				}
			}
		}
	}
}
