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

// write types a text into a line, rune by rune.
func write(f *Finder, text string) {
	for _, r := range text {
		f.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// What is typed is in force at once, stays when the line is left, and goes with esc.
func TestTyping(t *testing.T) {
	f := New("anything", "kind")
	if f.Typing() || !f.Empty() || f.Text() != "" {
		t.Fatalf("a new line has %q", f.Text())
	}
	f.Focus()
	write(&f, "cart kind:big")
	row := filter.Row{Words: []string{"my cart"}, Fact: func(string) []string { return []string{"big one"} }}
	if f.Fit(row) != filter.Named || f.Fit(filter.Row{Words: []string{"my cart"}}) != filter.No || f.Text() != "cart kind:big" {
		t.Errorf("%q does not do what it says", f.Text())
	}
	f.Key(tea.KeyMsg{Type: tea.KeyEnter})
	if f.Typing() || f.Empty() {
		t.Error("enter does not leave the line, or takes the filter away")
	}
	f.Focus()
	f.Key(tea.KeyMsg{Type: tea.KeyEsc})
	if f.Typing() || !f.Empty() || f.Text() != "" {
		t.Error("esc does not take the filter away")
	}
}

// A filter that stands there when one begins to type is replaced, unless a key goes into it.
func TestTypingOverAFilter(t *testing.T) {
	for keys, want := range map[string]string{"": "new", "right": "carts!new", "backspace": "cartsnew", " ": "carts! new"} {
		f := New("")
		f.Set("carts!")
		f.Focus()
		switch keys {
		case "right":
			f.Key(tea.KeyMsg{Type: tea.KeyRight})
		case "backspace":
			f.Key(tea.KeyMsg{Type: tea.KeyBackspace})
		case " ":
			f.Key(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")})
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
		f.Key(tea.KeyMsg{Type: k})
		if f.Typing() {
			t.Errorf("%s does not lead to the list", k)
		}
	}
	f := New("")
	if keys := f.Keys(); len(keys) != 2 || keys[0].Help() != Done.Help() || keys[1].Help() != Clear.Help() {
		t.Errorf("keys %v", keys)
	}
}

// What is not understood is said below, in a few lines that fit, and does not hold.
func TestComplaint(t *testing.T) {
	f := New("", "kind")
	f.Set("fine")
	if f.Complaint(60) != nil {
		t.Errorf("complains of nothing: %q", f.Complaint(60))
	}
	f.Set("nonsense:\x1b[2J1")
	for _, width := range []int{1, 10, 40, 120} {
		lines := f.Complaint(width)
		if len(lines) == 0 || len(lines) > most {
			t.Errorf("%d columns: %d lines", width, len(lines))
		}
		for _, l := range lines {
			if n := ansi.StringWidth(l); n != width || strings.Contains(ansi.Strip(l), "\x1b") {
				t.Errorf("%d columns: %q has %d cells", width, l, n)
			}
		}
	}
	if all := strings.Join(f.Complaint(200), " "); !strings.Contains(all, "nonsense") || !strings.Contains(all, "kind:") {
		t.Errorf("the complaint is %q", all)
	}
	if !f.Empty() {
		t.Error("what is not understood holds")
	}
}

// A spec that was opened later is looked at by what stands in the line already.
func TestLookKeepsTheFilter(t *testing.T) {
	f := New("", "kind")
	f.Set("!cart")
	f.Look(nil)
	if f.Text() != "!cart" || f.Fit(filter.Row{Words: []string{"cart"}}) != filter.No {
		t.Errorf("%q is not in force any more", f.Text())
	}
}

func TestMark(t *testing.T) {
	f := New("")
	line := draw.TextLine("my cart", theme.Plain)
	if got := f.Mark(line); len(got) != 1 {
		t.Errorf("marks %v without a filter", got)
	}
	f.Set("cart")
	got := f.Mark(line)
	if len(got) != 2 || got[1].Text != "cart" || !got[1].Style.Underlined() || got[0].Style.Underlined() {
		t.Errorf("marks %+v", got)
	}
}

// The line is as wide as it is to be, whatever is typed.
func TestWidth(t *testing.T) {
	for _, width := range []int{1, 8, 40} {
		for _, text := range []string{"", "cart", strings.Repeat("長い", 40)} {
			f := New("a hint that is longer than the line")
			f.Set(text)
			if n := ansi.StringWidth(f.View(width)); n != width {
				t.Errorf("%q in %d columns has %d", text, width, n)
			}
		}
	}
}
