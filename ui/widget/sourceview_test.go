package widget_test

import (
	"strings"
	"testing"

	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// lit runs a command of a view, and returns the number of blocks that it highlighted.
func lit(v *widget.SourceView, cmd tea.Cmd) int {
	if cmd == nil {
		return 0
	}
	switch msg := cmd().(type) {
	case widget.Highlighted:
		v.Light(msg)
		return 1
	case tea.BatchMsg:
		n := 0
		for _, c := range msg {
			n += lit(v, c)
		}
		return n
	}
	return 0
}

// A view highlights each block once, when it becomes visible. It ignores highlighted blocks of a file that
// it no longer shows.
func TestViewLightsWhatIsInSight(t *testing.T) {
	lipgloss.SetColorProfile(termenv.ANSI256)
	t.Cleanup(func() { lipgloss.SetColorProfile(termenv.Ascii) })
	const height = 20
	v := &widget.SourceView{}
	if v.Highlight(height) != nil || !v.Empty() {
		t.Error("nothing is to be highlighted")
	}
	v.Show(widget.NewGoSource(long(300)))
	v.Fit(height)
	late := v.Highlight(height)
	if n := lit(v, late); n != 1 || !strings.Contains(v.Line(0), "\x1b[") {
		t.Errorf("%d blocks were lit, the first line is %q", n, v.Line(0))
	}
	if n := lit(v, v.Highlight(height)); n != 0 {
		t.Errorf("%d blocks were lit again", n)
	}
	v.Key(tea.KeyMsg{Type: tea.KeyEnd}, height)
	if n := lit(v, v.Highlight(height)); n == 0 {
		t.Error("the end was not lit")
	}
	v.Show(widget.NewGoSource(long(300)))
	lit(v, late)
	if strings.Contains(v.Line(0), "\x1b[") {
		t.Error("another file's block was taken")
	}
}

func TestViewScrolls(t *testing.T) {
	v := &widget.SourceView{}
	v.Show(widget.NewGoSource(long(300)))
	v.Fit(20)
	whole := ansi.Strip(v.Line(0))
	for _, c := range []struct {
		key  tea.KeyType
		line int
		text string
	}{
		{tea.KeyDown, 1, whole},
		{tea.KeyPgDown, 19, whole},
		{tea.KeyPgUp, 1, whole},
		{tea.KeyUp, 0, whole},
		{tea.KeyRight, 0, whole[8:]},
		{tea.KeyLeft, 0, whole},
		{tea.KeyLeft, 0, whole},
		{tea.KeyEnd, len(v.File.Lines) - 20, whole},
	} {
		v.Key(tea.KeyMsg{Type: c.key}, 20)
		if got := ansi.Strip(v.Line(0)); v.Scroll.At != c.line || got != c.text {
			t.Errorf("%s: line %d, %q; want %d, %q", tea.KeyMsg{Type: c.key}, v.Scroll.At, got, c.line, c.text)
		}
	}
}
