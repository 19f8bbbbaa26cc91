package markup_test

import (
	"strings"
	"testing"

	"sonde/ui/markup"
	"sonde/ui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"One line.": "One line.",
		"A paragraph\nthat continues,\n\nand another one.": "A paragraph that\ncontinues,\n\nand another one.",
		"**Bold** and *lean* `code`":                       "Bold and lean code",
		"Kinds:\n\n- one\n- two, which is\n  longer than a line\n  1. deep\n": "Kinds:\n\n· one\n" +
			"· two, which is longer\n  than a line\n  1. deep",
		"# Head\nSee [the guide](https://a.example/x).": "Head\n\nSee the guide (https:/\n/a.example/x).",
		"```json\n{\"a\":\n  1}\n```":                   "{\"a\":\n  1}",
		"| a | b |\n|---|---|\n| 1 | 2 |":               "a │ b\n1 │ 2",
		"> said":                                        "│ said",
		"give <id>, a < b && c_d_e":                     "give <id>, a < b &&\nc_d_e",
		"<p>Creates a <b> new </b>\n  queue.</p><p>Or &lt;none&gt;.</p>": "Creates a new queue.\n\nOr <none>.",
		"<p>Kinds:</p><ul><li><p>One</p></li><li>two</li></ul>":          "Kinds:\n\n· One\n· two",
		`See <a href="https://a.example/b">it</a>.<br/>Then stop.`:       "See it (https://\na.example/b).\nThen stop.",
		"a\x1b[31mb\u202ec": "abc",
	} {
		var got []string
		for _, l := range markup.Lines(text, 22, theme.Plain) {
			got = append(got, strings.TrimRight(l.Text(), " "))
		}
		if got := strings.Join(got, "\n"); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

func TestStyles(t *testing.T) {
	line := markup.Lines("a **b c** `d`", 80, theme.Plain)[0]
	for _, s := range line {
		if bold := strings.TrimSpace(s.Text) == "b c"; (s.Style == theme.Strong) != bold {
			t.Errorf("%q: bold %v", s.Text, !bold)
		}
	}
	if got := line.Text(); got != "a b c d" {
		t.Errorf("got %q", got)
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		" plain ": "plain",
		"<p>Creates a <b>queue</b>.</p><p>More.</p>": "Creates a queue. More.",
		"a\nb":       "a b",
		"- x\n- y":   "· x · y",
		"snake_case": "snake_case",
	} {
		if got := markup.Plain(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// For any document, no line is wider than requested, and no line has a control character.
func TestLinesKeepTheirWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.OneOf(
			rapid.SampledFrom([]string{
				"<p>", "</p>", "<li>", "**", "*", "`", "```\n", "\n", "\n\n", "- ", "1. ", "> ", "# ", "|", "a b",
				"<pre>", "    ", "[x](http://y)", "漢字", "\x1b[2J", "&#27;", "&#x202e;", "&#10;", "<b> ", "</b>", "x",
			}),
			rapid.String(),
		)).Draw(t, "pieces")
		width := rapid.IntRange(20, 80).Draw(t, "width")
		for _, l := range markup.Lines(strings.Join(pieces, ""), width, theme.Plain) {
			text := l.Text()
			indent := strings.Count(text, "│ ") + len(text) - len(strings.TrimLeft(text, " "))
			if w := ansi.StringWidth(text); w > width && indent < width/2 {
				t.Fatalf("%q is %d cells wide, not %d", text, w, width)
			}
			if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x202e }) {
				t.Fatalf("%q has a control character", text)
			}
		}
	})
}

func BenchmarkLines(b *testing.B) {
	text := strings.Repeat(
		"<p>Creates a <code>queue</code> for <b>each</b> caller; see <a href=\"https://a.example\">the guide</a>.</p>\n",
		5,
	)
	for b.Loop() {
		markup.Lines(text, 80, theme.Plain)
	}
}
