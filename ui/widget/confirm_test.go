package widget_test

import (
	"strings"
	"testing"

	"sonde/ui/draw"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

var (
	yes = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "send them"))
	no  = key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "send nothing"))
)

func rune1(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }

func TestBoxIgnoresKeysAtFirst(t *testing.T) {
	b, cmd := widget.NewConfirm("Call?", "2,000 calls", yes, no, 0)
	other, _ := widget.NewConfirm("Other?", "", yes, no, 0)
	if _, got := b.Update(rune1('y')); got != widget.NoAnswer {
		t.Errorf("a new box takes a key for %v", got)
	}
	ready := cmd()
	b, _ = b.Update(ready)
	if _, got := b.Update(rune1('y')); got != widget.Yes {
		t.Errorf("y: got %v, want %v", got, widget.Yes)
	}
	if _, got := b.Update(tea.KeyMsg{Type: tea.KeyEsc}); got != widget.No {
		t.Errorf("esc: got %v, want %v", got, widget.No)
	}
	if _, got := b.Update(rune1('z')); got != widget.NoAnswer {
		t.Errorf("z: got %v, want %v", got, widget.NoAnswer)
	}
	other, _ = other.Update(ready)
	if _, got := other.Update(rune1('y')); got != widget.NoAnswer {
		t.Error("a box listens because another was ready")
	}
}

func TestOver(t *testing.T) {
	b, _ := widget.NewConfirm("Call?", "Sonde sends up to 2,000 calls to the host api.example, which is not on this machine.", yes, no, 0)
	for _, size := range [][2]int{{40, 8}, {80, 24}, {20, 3}} {
		got := b.Over(draw.FitLines("", size[0], size[1]), size[0], size[1])
		rows := strings.Split(got, "\n")
		if len(rows) != size[1] {
			t.Fatalf("%v: %d rows", size, len(rows))
		}
		for _, r := range rows {
			if ansi.StringWidth(r) != size[0] {
				t.Fatalf("%v: row %q", size, r)
			}
		}
	}
	got := ansi.Strip(b.Over(draw.FitLines("", 80, 12), 80, 12))
	for _, want := range []string{"Call?", "api.example", "y send them", "n send nothing"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// A question runs its action once after a yes, and not after a no. Each of these answers closes the question.
func TestQuestion(t *testing.T) {
	var q widget.Question
	if got, cmd := q.Update(rune1('y')); got != widget.NoAnswer || cmd != nil || q.Open() || q.Keys() != nil ||
		q.Over("as it is", 8, 1) != "as it is" {
		t.Error("a question that is not open does something")
	}
	for key, want := range map[rune]widget.Answer{'y': widget.Yes, 'n': widget.No} {
		done := 0
		ready := q.Ask("Call?", "2,000 calls", yes, no, func() tea.Cmd { done++; return nil })
		q.Update(rune1(key))
		q.Update(ready())
		if !q.Open() || done != 0 || len(q.Keys()) != 2 {
			t.Fatalf("%c is taken before it listens, or it is not there", key)
		}
		if got, _ := q.Update(rune1(key)); got != want || q.Open() || done > 0 != (want == widget.Yes) {
			t.Errorf("%c: got %v, done %d times, open %t", key, got, done, q.Open())
		}
		if got, _ := q.Update(rune1(key)); got != widget.NoAnswer || done > 1 {
			t.Errorf("%c answers a question that is closed", key)
		}
	}
}
