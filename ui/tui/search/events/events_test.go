package events

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	tea "github.com/charmbracelet/bubbletea"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// rows returns n events. Every third event is a fault.
func rows(n int) []Row {
	all := make([]Row, n)
	for i := range all {
		all[i] = Row{
			At:   time.Duration(i) * time.Second,
			Call: i,
			Kind: "covered",
			Text: fmt.Sprintf("event %d", i),
			Op:   "GET /a",
		}
		if i%3 == 0 {
			all[i].Kind, all[i].Status = "fault", "500"
		}
	}
	return all
}

// page returns a page of the given height with the rows.
func page(all []Row, unkept, height int) Model {
	m := New()
	m.Fit(80, height)
	m.Take(all, unkept)
	return m
}

func filterBy(m *Model, text string) {
	m.Focus()
	for _, r := range text {
		m.TypeKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	m.TypeKey(tea.KeyMsg{Type: tea.KeyEnter})
}

func TestNewestIsShown(t *testing.T) {
	m := page(rows(50), 0, 15)
	if view := ansi.Strip(m.View()); !strings.Contains(view, "event 49") || !strings.Contains(view, "the newest") {
		t.Errorf("the newest event is not shown:\n%s", view)
	}
	m.Take(rows(60), 0)
	if view := ansi.Strip(m.View()); !strings.Contains(view, "event 59") {
		t.Errorf("a newer event is not shown:\n%s", view)
	}
}

// A cursor that the user moved stays on its event, even if older events are dropped.
func TestCursorStaysOnItsEvent(t *testing.T) {
	m := page(rows(50), 0, 15)
	for range 5 {
		m.Move(tea.KeyMsg{Type: tea.KeyUp})
	}
	at, _ := m.chosen()
	if at != 44 {
		t.Fatalf("the cursor is on event %d, want 44", at)
	}
	m.Take(rows(60)[10:], 10)
	at, _ = m.chosen()
	if got := m.rows[at].Text; got != "event 44" {
		t.Errorf("the cursor is on %q, want event 44", got)
	}
	if got := m.Total(); got != 60 {
		t.Errorf("there are %d events, want 60", got)
	}
	m.Clear()
	if _, ok := m.chosen(); ok || m.Total() != 0 || m.Operation() != "" {
		t.Error("there are events after Clear")
	}
}

func TestFilter(t *testing.T) {
	tests := []struct {
		filter string
		want   int
	}{
		{"", 9},
		{"kind:fault", 3},
		{"!kind:fault", 6},
		{"status:500", 3},
		{"event 4", 1},
		{"nothing of that", 0},
	}
	for _, tt := range tests {
		t.Run(tt.filter, func(t *testing.T) {
			m := page(rows(9), 0, 30)
			filterBy(&m, tt.filter)
			if len(m.shown) != tt.want {
				t.Errorf("%d events match, want %d", len(m.shown), tt.want)
			}
			if filtered := m.Filtered(); filtered != (tt.filter != "") {
				t.Errorf("filtered is %t", filtered)
			}
			if m.ClearFilter(); m.Filtered() || len(m.shown) != 9 {
				t.Errorf("esc shows %d events, want all", len(m.shown))
			}
		})
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                       "0:00.0",
		90 * time.Millisecond:   "0:00.0",
		1500 * time.Millisecond: "0:01.5",
		61 * time.Minute:        "61:00.0",
	} {
		if got := clock(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}

// The page has its exact size, and a click on a row selects the row.
func TestSizeAndTargets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(30, 150).Draw(t, "width"), rapid.IntRange(6, 50).Draw(t, "height")
		m := New()
		m.Take(rows(rapid.IntRange(0, 60).Draw(t, "rows")), 0)
		m.Fit(width, height)
		lines := strings.Split(m.View(), "\n")
		if len(lines) != height {
			t.Fatalf("%d lines, want %d", len(lines), height)
		}
		for _, l := range lines {
			if got := lipgloss.Width(l); got != width {
				t.Fatalf("a line has %d cells, want %d", got, width)
			}
		}
		from, _ := m.list.Visible()
		for i, target := range m.Targets() {
			m.Point(target)
			if m.list.At != from+i {
				t.Fatalf("target %d selects row %d, want %d", i, m.list.At, from+i)
			}
		}
	})
}
