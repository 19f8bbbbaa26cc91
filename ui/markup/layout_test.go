package markup_test

import (
	"strings"
	"testing"

	"sonde/ui/draw"
	"sonde/ui/markup"
	"sonde/ui/theme"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// textOf returns the texts of lines.
func textOf(lines []draw.Line) []string {
	var all []string
	for _, l := range lines {
		all = append(all, strings.TrimRight(l.Text(), " "))
	}
	return all
}

// Markdown and equivalent HTML give the same lines.
func TestHTMLIsLaidOutAsMarkdown(t *testing.T) {
	for name, c := range map[string]struct{ html, markdown string }{
		"heading":       {"<h2>Limits</h2><p>Ten a day.</p>", "## Limits\n\nTen a day."},
		"emphasis":      {"<p>a <strong>b</strong> <em>c</em></p>", "a **b** *c*"},
		"code":          {"<p>use <code>id</code> or <tt>name</tt></p>", "use `id` or `name`"},
		"line break":    {"<p>one<br>two</p>", "one  \ntwo"},
		"quote":         {"<blockquote>said</blockquote>", "> said"},
		"list":          {"<ul><li>one</li><li>two</li></ul>", "- one\n- two"},
		"preformatted":  {"<pre>a\n  b</pre>", "```\na\n  b\n```"},
		"link":          {`<a href="https://a.example">here</a>`, "[here](https://a.example)"},
		"relative link": {`<a href="/docs">here</a>`, "[here](/docs)"},
		"no target":     {"<p><a>here</a></p>", "here"},
		"entities":      {"<p>a &lt; b &amp; c</p>", "a \\< b \\& c"},
		"title":         {"<title>Shop</title><p>It sells.</p>", "**Shop**\n\nIt sells."},
	} {
		got, want := textOf(markup.Lines(c.html, 60, theme.Plain)), textOf(markup.Lines(c.markdown, 60, theme.Plain))
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: Markdown and HTML (-+):\n%s", name, d)
		}
	}
}

// Each kind of emphasis has its style, and emphasis inside emphasis has both.
func TestStylesOfKinds(t *testing.T) {
	for text, want := range map[string]theme.Style{
		"plain":                   theme.Dim,
		"**x**":                   theme.Dim.Bold(),
		"*x*":                     theme.Dim.Italic(),
		"`x`":                     theme.Value,
		"**`x`**":                 theme.Value.Bold(),
		"***x***":                 theme.Dim.Bold().Italic(),
		"# x":                     theme.Dim.Bold(),
		"[x](#part)":              theme.Dim.Underline(true),
		"<https://a.example>":     theme.Dim.Underline(true),
		"```\nx\n```":             theme.Value,
		"| x |\n|---|":            theme.Dim.Bold(),
		"<p><b>x</b></p>":         theme.Dim.Bold(),
		`<a href="#part">x</a>`:   theme.Dim.Underline(true),
		"<unknown-tag>":           theme.Dim,
		"[**x**](#part)":          theme.Dim.Bold().Underline(true),
		"a line\n\n> **quoted**":  theme.Dim.Bold(),
		"1. *one*\n2. **second**": theme.Dim.Bold(),
	} {
		lines := markup.Lines(text, 60, theme.Dim)
		last := lines[len(lines)-1]
		if got := last[len(last)-1].Style; got != want {
			t.Errorf("%q: style %+v, want %+v", text, got, want)
		}
	}
}

// The target of a link follows its text, unless both are the same or the target is in the document.
func TestLinkTargets(t *testing.T) {
	for text, want := range map[string]string{
		"[guide](https://a.example/x)":                "guide (https://a.example/x)",
		"[https://a.example](https://a.example)":      "https://a.example",
		"<https://a.example>":                         "https://a.example",
		"[guide](#limits)":                            "guide",
		`<a href="https://a.example/a b">guide</a>`:   "guide (https://a.example/a b)",
		"<a href=\"https://a.example/<x>\">guide</a>": "guide",
	} {
		if got := markup.Plain(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Items of a numbered list have numbers from the list's first number on. Nested items are indented.
func TestLists(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"numbered":        {"3. a\n4. b", []string{"3. a", "4. b"}},
		"nested":          {"- a\n  - b\n    - c", []string{"· a", "  · b", "    · c"}},
		"code in an item": {"- a\n\n  ```\n  x\n  ```", []string{"· a", "", "  x"}},
		"in a quote":      {"> - a\n> - b", []string{"│ · a", "│ · b"}},
		"after a text":    {"Kinds:\n- a\n\nThen.", []string{"Kinds:", "", "· a", "", "Then."}},
	} {
		if d := cmp.Diff(c.want, textOf(markup.Lines(c.text, 40, theme.Plain))); d != "" {
			t.Errorf("%s: want and got (-+):\n%s", name, d)
		}
	}
}

// Long words are broken. Code keeps its blanks, and its long lines are broken, too.
func TestNarrowLines(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		width int
		want  []string
	}{
		"a long word":      {"abcdefghijkl", 8, []string{"abcdefgh", "ijkl"}},
		"no room at all":   {"abcdefghijkl", -3, []string{"abcdefgh", "ijkl"}},
		"code":             {"```\nfor  x {\n    do(x)\n}\n```", 20, []string{"for  x {", "    do(x)", "}"}},
		"a long code line": {"```\nabcdefghijkl\n```", 10, []string{"abcdefghij", "kl"}},
		"a wide character": {"漢字漢字漢字", 8, []string{"漢字漢字", "漢字"}},
		"only blanks":      {" \n\t\n ", 10, nil},
		"a rule":           {"a\n\n---\n\nb", 10, []string{"a", "", "b"}},
	} {
		if d := cmp.Diff(c.want, textOf(markup.Lines(c.text, c.width, theme.Plain))); d != "" {
			t.Errorf("%s: want and got (-+):\n%s", name, d)
		}
	}
}

// Only the beginning of a very long text is read.
func TestLongTextsAreCut(t *testing.T) {
	text := strings.Repeat("漢 word\n\n", 40_000)
	got := markup.Plain(text)
	if n := len(got); n == 0 || n > 64<<10 || !strings.HasPrefix(text, got[:3]) || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%d bytes of %d are left: %.20q", n, len(text), got)
	}
}

// A text without markup stays the same, and is one line if it is short.
func TestTextsWithoutMarkup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Za-z][a-z,]{0,9}( [a-z]{1,9}){0,6}\.`).Draw(t, "text")
		if got := markup.Plain(text); got != text {
			t.Fatalf("plain: got %q, want %q", got, text)
		}
		if got := textOf(markup.Lines(text, 100, theme.Plain)); len(got) != 1 || got[0] != text {
			t.Fatalf("lines: got %q, want %q", got, text)
		}
		wrapped := textOf(markup.Lines(text, 12, theme.Plain))
		if got := strings.Join(wrapped, " "); got != text {
			t.Fatalf("wrapped: got %q, want %q", got, text)
		}
	})
}
