package finder

import (
	"strings"
	"testing"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/filter"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// write types a text into a line, letter by letter.
func write(f *FilterLine, text string) {
	for _, r := range text {
		f.HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// A filter applies while it is typed. It stays when the line loses the focus. Esc clears it.
func TestTyping(t *testing.T) {
	f := New("anything", "kind")
	if f.Typing() || !f.IsEmpty() || f.Text() != "" {
		t.Fatalf("a new line has %q", f.Text())
	}
	f.Focus()
	write(&f, "cart kind:big")
	row := filter.Row{Words: []string{"my cart"}, FactValues: func(string) []string { return []string{"big one"} }}
	other := filter.Row{Words: []string{"my cart"}}
	if f.Match(row) != filter.NameMatch || f.Match(other) != filter.NoMatch || f.Text() != "cart kind:big" {
		t.Errorf("%q does not match as it should", f.Text())
	}
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	if f.Typing() || f.IsEmpty() {
		t.Error("enter does not leave the line, or clears the filter")
	}
	f.Focus()
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEsc})
	if f.Typing() || !f.IsEmpty() || f.Text() != "" {
		t.Error("esc does not clear the filter")
	}
}

// Typing replaces the old filter, unless another key edits it first.
func TestTypingOverAFilter(t *testing.T) {
	for keys, want := range map[string]string{"": "new", "right": "carts!new", "backspace": "cartsnew", " ": "carts! new"} {
		f := New("")
		f.SetText("carts!")
		f.Focus()
		switch keys {
		case "right":
			f.HandleKey(tea.KeyMsg{Type: tea.KeyRight})
		case "backspace":
			f.HandleKey(tea.KeyMsg{Type: tea.KeyBackspace})
		case " ":
			f.HandleKey(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")})
		}
		write(&f, "new")
		if f.Text() != want {
			t.Errorf("%q and letters make %q, want %q", keys, f.Text(), want)
		}
	}
}

func TestKeysOfTheLine(t *testing.T) {
	for _, k := range []tea.KeyType{tea.KeyEnter, tea.KeyDown, tea.KeyTab} {
		f := New("")
		f.Focus()
		f.HandleKey(tea.KeyMsg{Type: k})
		if f.Typing() {
			t.Errorf("%s does not leave the line", k)
		}
	}
	if keys := Keys(); len(keys) != 2 || keys[0].Help() != KeyLeaveFilter.Help() || keys[1].Help() != KeyClearFilter.Help() {
		t.Errorf("keys %v", keys)
	}
}

// A problem of the filter is shown below the line, in a few lines. The term with the problem is left out.
func TestComplaint(t *testing.T) {
	f := New("", "kind")
	f.SetText("fine")
	if f.ProblemLines(60) != nil {
		t.Errorf("a problem without a filter: %q", f.ProblemLines(60))
	}
	f.SetText("nonsense:\x1b[2J1")
	for _, width := range []int{1, 10, 40, 120} {
		lines := f.ProblemLines(width)
		if len(lines) == 0 || len(lines) > maxProblemLines {
			t.Errorf("%d columns: %d lines", width, len(lines))
		}
		for _, l := range lines {
			if n := ansi.StringWidth(l); n != width || strings.Contains(ansi.Strip(l), "\x1b") {
				t.Errorf("%d columns: %q has %d cells", width, l, n)
			}
		}
	}
	if all := strings.Join(f.ProblemLines(200), " "); !strings.Contains(all, "nonsense") || !strings.Contains(all, "kind:") {
		t.Errorf("the problem is %q", all)
	}
	if !f.IsEmpty() {
		t.Error("the term with the problem was not left out")
	}
}

// The filter in the line also applies to a spec that is opened later.
func TestLookKeepsTheFilter(t *testing.T) {
	f := New("", "kind")
	f.SetText("!cart")
	f.SetIndex(nil)
	if f.Text() != "!cart" || f.Match(filter.Row{Words: []string{"cart"}}) != filter.NoMatch {
		t.Errorf("%q does not apply any more", f.Text())
	}
}

func TestMark(t *testing.T) {
	f := New("")
	line := draw.TextLine("my cart", theme.Plain)
	if got := f.Highlight(line); len(got) != 1 {
		t.Errorf("marks %v without a filter", got)
	}
	f.SetText("cart")
	got := f.Highlight(line)
	if len(got) != 2 || got[1].Text != "cart" || !got[1].Style.Underlined() || got[0].Style.Underlined() {
		t.Errorf("marks %+v", got)
	}
}

// "…" marks the beginning of a text that is longer than the line, unless the cursor is there.
func TestTextLongerThanTheLine(t *testing.T) {
	f := New("")
	f.Focus()
	f.View(20) // sets the width
	write(&f, "delete /api/v1/namespaces/{name}")
	view := func() string { return strings.TrimRight(ansi.Strip(f.View(20)), " ") }
	if got, want := view(), " / …espaces/{name}"; got != want {
		t.Errorf("typing: got %q, want %q", got, want)
	}
	f.HandleKey(tea.KeyMsg{Type: tea.KeyHome})
	if got, want := view(), " / delete /api/v1"; !strings.HasPrefix(got, want) {
		t.Errorf("at the beginning: got %q, want %q", got, want)
	}
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnd})
	for range 15 { // moves the cursor to the first visible letter
		f.HandleKey(tea.KeyMsg{Type: tea.KeyLeft})
	}
	if got := view(); strings.Contains(got, "…") {
		t.Errorf("the cursor is hidden in %q", got)
	}
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnd})
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	if got := view(); !strings.HasPrefix(got, " / …") {
		t.Errorf("without the focus: %q", got)
	}
	f.SetText("carts")
	if got := view(); got != " / carts" {
		t.Errorf("a short text: %q", got)
	}
}

// The line has its exact width for any text.
func TestWidth(t *testing.T) {
	for _, width := range []int{1, 8, 40} {
		for _, text := range []string{"", "cart", strings.Repeat("長い", 40)} {
			f := New("a hint that is longer than the line")
			f.SetText(text)
			if n := ansi.StringWidth(f.View(width)); n != width {
				t.Errorf("%q in %d columns has %d", text, width, n)
			}
		}
	}
}
