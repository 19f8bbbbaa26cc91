package theme

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestDraw(t *testing.T) {
	const picture = "╭─ POST /carts ─╮ ✓ 201 … ⡏⠉⣀\n│ 東京 é\x1b[31m△\x1b[0m"
	if got := Draw(picture); got != picture {
		t.Errorf("changed what may have all glyphs: %q", got)
	}
	withASCII(t)
	const want = "+- POST /carts -+ + 201 ~ :'.\n| 東京 é\x1b[31m!\x1b[0m"
	if got := Draw(picture); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Draw("broken \xff\xc3"); got != "broken \xff\xc3" {
		t.Errorf("got %q of what is no UTF-8", got)
	}
}

func TestSpell(t *testing.T) {
	if got := Spell("⇧← ⏎ ≥ 1 2…3"); got != "⇧← ⏎ ≥ 1 2…3" {
		t.Errorf("got %q where all glyphs may be used", got)
	}
	withASCII(t)
	if got, want := Spell("⇧← ⏎ ≥ 1 2…3"), "S-left enter >= 1 2..3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func withASCII(t *testing.T) {
	UseASCII(true)
	t.Cleanup(func() { UseASCII(false) })
}

// Every glyph takes one cell, and so does its replacement.
func TestGlyphsAreOneCellWide(t *testing.T) {
	for r, c := range plain {
		if ansi.StringWidth(string(r)) != 1 || c <= ' ' || c > '~' {
			t.Errorf("%q replaces %q", c, r)
		}
	}
}

// Every glyph that Sonde draws has an ASCII replacement. The pages of ui/report are exempt, because they
// are not drawn on a screen.
func TestEveryGlyphHasItsASCII(t *testing.T) {
	seen := 0
	literals(t, "..", func(path, text string) {
		for _, r := range text {
			if r < utf8.RuneSelf || !unicode.IsPrint(r) || strings.HasPrefix(path, "../report/") {
				continue
			}
			seen++
			if _, ok := inASCII(r); !ok {
				t.Errorf("%s: no replacement for %q of %q", path, r, text)
			}
		}
	})
	if seen < 100 {
		t.Errorf("saw %d glyphs only", seen)
	}
}

// Only this package defines colours.
func TestColoursAreHereAlone(t *testing.T) {
	sources(t, "..", func(path string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || strings.HasPrefix(path, "../theme/") {
				return true
			}
			if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "lipgloss" && strings.Contains(s.Sel.Name, "Color") {
				t.Errorf("%s uses lipgloss.%s", path, s.Sel.Name)
			}
			return true
		})
	})
}

// sources parses the Go files below a folder, except for tests, and calls a function for every file.
func sources(t *testing.T, dir string, each func(path string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err == nil {
			each(filepath.ToSlash(path), f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func literals(t *testing.T, dir string, each func(path, text string)) {
	t.Helper()
	sources(t, dir, func(path string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && (l.Kind == token.STRING || l.Kind == token.CHAR) {
				text, err := strconv.Unquote(l.Value)
				if err != nil {
					t.Fatalf("%s: %s: %v", path, l.Value, err)
				}
				each(path, text)
			}
			return true
		})
	})
}
