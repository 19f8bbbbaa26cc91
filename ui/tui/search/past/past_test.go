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

var down = tea.KeyMsg{Type: tea.KeyDown}

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
	m.Move(down)
	if folder := m.Open(); folder != "runs/1" || !m.Opening() {
		t.Errorf("opens %q, opening %t, want runs/1", folder, m.Opening())
	}
	m.Failed(errors.New("no such run"))
	if view := ansi.Strip(m.View()); !strings.Contains(view, "no such run") {
		t.Errorf("the error is not shown:\n%s", view)
	}
	if m.Opening() {
		t.Error("still opening after a failure")
	}
	if folder := m.Open(); folder != "runs/1" {
		t.Errorf("opens %q after a failure, want runs/1", folder)
	}
}

func TestTypeAFolder(t *testing.T) {
	tests := []struct {
		name, text string
		want       string
	}{
		{"a folder", " old/run ", "old/run"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := page(0)
			m.TypeFolder()
			if !m.Typing() {
				t.Fatal("no text field is open")
			}
			m.TypeKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(tt.text)})
			if got := m.AcceptFolder(); got != tt.want || m.Typing() || m.Opening() != (tt.want != "") {
				t.Errorf("opens %q, typing %t, opening %t, want %q", got, m.Typing(), m.Opening(), tt.want)
			}
		})
	}
	m := page(0)
	m.TypeFolder()
	m.TypeKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("old/run")})
	if m.CancelFolder(); m.Typing() || m.Opening() {
		t.Errorf("cancelled: typing %t, opening %t", m.Typing(), m.Opening())
	}
}

func TestEmpty(t *testing.T) {
	if m := page(0); !m.Empty() {
		t.Error("a page without searches is not empty")
	}
	if m := page(2); m.Empty() {
		t.Error("a page with two searches is empty")
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
