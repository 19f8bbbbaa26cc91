package widget_test

import (
	"strings"
	"testing"

	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"
)

// Comments, keywords, strings, numbers and functions have styles in each language.
func TestHighlightOfLanguages(t *testing.T) {
	lipgloss.SetColorProfile(termenv.ANSI256)
	t.Cleanup(func() { lipgloss.SetColorProfile(termenv.Ascii) })
	comment, keyword, text := theme.Dim.Render, theme.Accent.Render, theme.Good.Render
	number, function := theme.Value.Render, theme.Strong.Render
	for _, c := range []struct {
		file, source string
		want         []string
	}{
		{"a.go", "func (s *T) Pay(n int) { // now", []string{
			keyword("func") + " (s *T) " + function("Pay") + "(n " + keyword("int") + ") { " + comment("// now"),
		}},
		{"a.go", "x := len(`a\n// b`) + int('\\'') /* c\nd */ + f(1e-9, 0x1e-2)", []string{
			"x := len(" + text("`a"),
			text("// b`") + ") + int(" + text(`'\''`) + ") " + comment("/* c"),
			comment("d */") + " + " + function("f") + "(" + number("1e-9") + ", " + number("0x1e") + "-" + number("2") + ")",
		}},
		{"a.go", "s := \"no end\nreturn", []string{"s := " + text(`"no end`), keyword("return")}},
		{"test_a.py", "def pay(x):\n    return f(\"\"\"a\n'b\"\"\") # done", []string{
			keyword("def") + " " + function("pay") + "(x):",
			"    " + keyword("return") + " f(" + text(`"""a`),
			text(`'b"""`) + ") " + comment("# done"),
		}},
		{"a.mjs", "function pay() { return `a\n${b}` }", []string{
			keyword("function") + " " + function("pay") + "() { " + keyword("return") + " " + text("`a"), text("${b}`") + " }",
		}},
		{"A.java", `String pay(int n) { return send("a\"b", 'c'); }`, []string{
			"String " + function("pay") + "(" + keyword("int") + " n) { " +
				keyword("return") + " send(" + text(`"a\"b"`) + ", " + text("'c'") + "); }",
		}},
		{"a.sh", "if curl 'a\nb' \"$URL/#x\" -o x#1; then # go", []string{
			keyword("if") + " curl " + text("'a"),
			text("b'") + " " + text(`"$URL/#x"`) + " -o x#" + number("1") + "; " + keyword("then") + " " + comment("# go"),
		}},
		{"a.har", `{"a": "b", "c": [1.5, null]}`, []string{
			`{"a": ` + text(`"b"`) + `, "c": [` + number("1.5") + ", " + keyword("null") + "]}",
		}},
		{"a.hurl", "GET http://a # b", []string{"GET http://a # b"}},
	} {
		if diff := cmp.Diff(c.want, widget.NewSource(c.file, c.source).Highlight(0)); diff != "" {
			t.Errorf("%s: %s:\n%s", c.file, c.source, diff)
		}
	}
}

// A text keeps its characters in each language.
func FuzzHighlight(f *testing.F) {
	lipgloss.SetColorProfile(termenv.Ascii)
	for _, name := range []string{"a.go", "a.py", "a.js", "a.java", "a.sh", "a.json"} {
		f.Add(name, "x(1e+ \"\\\\ /* # ''' é\n`")
	}
	f.Fuzz(func(t *testing.T, name, source string) {
		file := widget.NewSource(name, source)
		for line := 0; line < len(file.Lines); {
			from, to := file.Span(file.Block(line))
			if diff := cmp.Diff(file.Lines[from:to], file.Highlight(file.Block(line))); diff != "" {
				t.Errorf("%q: %s", strings.Join(file.Lines[from:to], "\n"), diff)
			}
			line = to
		}
	})
}
