package widget_test

import (
	"fmt"
	"strings"
	"testing"

	"sonde/ui/widget"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

const small = "package sonde_test\n\nimport \"testing\"\n\n// TestPay pays.\n" +
	"func TestPay(t *testing.T) {\n\tif 1 < 20 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n"

// long returns a file with n functions of six lines each.
func long(n int) string {
	var b strings.Builder
	b.WriteString("package sonde_test\n")
	for i := range n {
		fmt.Fprintf(&b, "\nfunc Test%d(t *testing.T) {\n\n\tx := `raw\n%d`\n\tt.Log(x)\n}\n", i, i)
	}
	return b.String()
}

func TestHighlightKeepsTheText(t *testing.T) {
	for name, source := range map[string]string{"small": small, "long": long(300), "empty": "", "no newline at the end": "package x"} {
		f := widget.NewGoSource(source)
		var got []string
		for line := 0; line < len(f.Lines); {
			b := f.Block(line)
			from, to := f.Span(b)
			if from != line {
				t.Fatalf("%s: block %d begins at %d, want %d", name, b, from, line)
			}
			got = append(got, f.Highlight(b)...)
			line = to
		}
		want := strings.ReplaceAll(strings.TrimSuffix(source, "\n"), "\t", "    ")
		if plain := ansi.Strip(strings.Join(got, "\n")); plain != want {
			t.Errorf("%s: %d characters are not the %d of the source", name, len(plain), len(want))
		}
	}
}

func TestBlocksAreShort(t *testing.T) {
	f := widget.NewGoSource(long(300))
	for b := f.Block(0); b <= f.Block(len(f.Lines)); b++ {
		if from, to := f.Span(b); to-from > 140 || to <= from {
			t.Errorf("block %d has the lines %d to %d", b, from, to)
		}
	}
}

func TestNewFileIsSafeToPrint(t *testing.T) {
	f := widget.NewGoSource("package x\n// \x1b[2Jgone\x07\n")
	if got, want := f.Lines[1], "// gone"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHighlightColours(t *testing.T) {
	lipgloss.SetColorProfile(termenv.ANSI256)
	t.Cleanup(func() { lipgloss.SetColorProfile(termenv.Ascii) })
	lines := widget.NewGoSource(small).Highlight(0)
	if got := lines[0]; !strings.Contains(got, "\x1b[") {
		t.Errorf("no colour in %q", got)
	}
	lipgloss.SetColorProfile(termenv.Ascii)
	if got := widget.NewGoSource(small).Highlight(0)[0]; got != "package sonde_test" {
		t.Errorf("without colours: got %q", got)
	}
}

func BenchmarkHighlight(b *testing.B) {
	f := widget.NewGoSource(long(300))
	f.Highlight(0)
	for b.Loop() {
		f.Highlight(1)
	}
}
