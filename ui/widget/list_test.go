package widget_test

import (
	"testing"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestList(t *testing.T) {
	l := widget.List{}
	l.Fit(20, 5)
	for _, step := range []struct {
		key     tea.KeyType
		at, top int
	}{
		{tea.KeyUp, 0, 0},
		{tea.KeyDown, 1, 0},
		{tea.KeyPgDown, 5, 1},
		{tea.KeyEnd, 19, 15},
		{tea.KeyDown, 19, 15},
		{tea.KeyPgUp, 15, 15},
		{tea.KeyHome, 0, 0},
	} {
		if !l.Key(tea.KeyMsg{Type: step.key}) {
			t.Errorf("%v does nothing", step.key)
		}
		if l.At != step.at || l.Top != step.top {
			t.Errorf("after %v: row %d from %d, want %d from %d", step.key, l.At, l.Top, step.at, step.top)
		}
	}
	if l.Key(tea.KeyMsg{Type: tea.KeyTab}) {
		t.Error("tab moved the cursor")
	}
	if !l.Click(3) || l.At != 3 || l.Click(5) || l.Click(-1) {
		t.Errorf("clicks: cursor on %d, want 3", l.At)
	}
}

// A list that was not drawn yet starts at its first row.
func TestListBeforeItIsDrawn(t *testing.T) {
	l := widget.List{}
	l.Fit(20, 0)
	l.Go(3)
	l.Fit(20, 5)
	if l.At != 3 || l.Top != 0 {
		t.Errorf("row %d from %d, want 3 from 0", l.At, l.Top)
	}
}

// A list with a height of 0 has no visible rows, even after the number of its rows has become smaller.
func TestListWithoutLines(t *testing.T) {
	l := widget.List{}
	l.Fit(20, 5)
	l.Go(12)
	l.Fit(20, 0)
	l.Fit(1, 0)
	if from, to := l.Visible(); from != to {
		t.Errorf("rows %d to %d are visible, want none", from, to)
	}
}

// If a list has a visible row, its cursor is on a visible row.
func TestListKeepsTheCursorInSight(t *testing.T) {
	keys := []tea.KeyType{tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd}
	rapid.Check(t, func(t *rapid.T) {
		var l widget.List
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			l.Fit(rapid.IntRange(0, 30).Draw(t, "rows"), rapid.IntRange(1, 12).Draw(t, "height"))
			l.Key(tea.KeyMsg{Type: rapid.SampledFrom(keys).Draw(t, "key")})
			from, to := l.Visible()
			if l.Rows > 0 && (l.At < from || l.At >= to) {
				t.Fatalf("cursor on %d, in sight are %d to %d", l.At, from, to)
			}
			if l.Rows > l.Height && to-from != l.Height {
				t.Fatalf("%d rows in sight where %d fit", to-from, l.Height)
			}
		}
	})
}

func TestLine(t *testing.T) {
	l := draw.TextLine("POST", theme.Good).At(7, draw.Span{Text: "/carts", Style: theme.Plain})
	for width, want := range map[int]string{20: "POST   /carts       ", 9: "POST   /…", 3: "PO…"} {
		if got := ansi.Strip(l.Render(width, width == 9)); got != want {
			t.Errorf("width %d: got %q, want %q", width, got, want)
		}
	}
	if got, want := ansi.Strip(l.Drop(5).String()), "  /carts"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := ansi.Strip(l.At(5, draw.Span{Text: "x"}).Render(8, false)), "POST x  "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
