package widget

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// blockLines is the minimum length of a block, except for the last one. Highlighting a block takes about
// 0.1 s.
const blockLines = 120

// SourceFile is source code as lines, divided into blocks of whole declarations.
type SourceFile struct {
	Lines  []string // safe to print, without styles
	blocks []int    // first line of each block, ascending
	name   string   // name of the file; its extension selects the language
}

// NewGoSource returns Go source. The source must be formatted by gofmt, because blocks are found by layout: a line
// without indentation that follows an empty line begins a declaration.
func NewGoSource(source string) SourceFile { return NewSource("x.go", source) }

// NewSource returns source in the language of a file with that name.
func NewSource(name, source string) SourceFile {
	f := SourceFile{name: name, Lines: strings.Split(strings.TrimSuffix(draw.CleanLines(source), "\n"), "\n"), blocks: []int{0}}
	for i := 1; i < len(f.Lines); i++ {
		last := f.blocks[len(f.blocks)-1]
		if i-last >= blockLines && f.Lines[i-1] == "" && f.Lines[i] != "" && f.Lines[i][0] != ' ' {
			f.blocks = append(f.blocks, i)
		}
	}
	return f
}

// Block returns the index of the block that contains line.
func (f SourceFile) Block(line int) int {
	after, _ := slices.BinarySearch(f.blocks, line+1)
	return max(0, after-1)
}

// Span returns the first line of a block, and the line after the last line of the block.
func (f SourceFile) Span(block int) (from, to int) {
	if block+1 < len(f.blocks) {
		return f.blocks[block], f.blocks[block+1]
	}
	return f.blocks[block], len(f.Lines)
}

// Highlight returns the lines of a block with styles, or without styles if they cannot be parsed. It is
// slow; see blockLines.
func (f SourceFile) Highlight(block int) []string {
	from, to := f.Span(block)
	tokens, err := lexer(f.name).Tokenise(nil, strings.Join(f.Lines[from:to], "\n"))
	if err != nil {
		return f.Lines[from:to]
	}
	out := make([]string, to-from) // the lexer drops empty lines at the end
	for i, line := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		if i < len(out) {
			out[i] = render(line)
		}
	}
	return out
}

// lexer returns the lexer for a file's language. If the language is not known, it returns a lexer for plain text. A
// HAR file is JSON.
func lexer(name string) chroma.Lexer {
	if strings.HasSuffix(name, ".har") {
		name = "x.json"
	}
	l := lexers.Match(name)
	if l == nil {
		l = lexers.Fallback
	}
	return chroma.Coalesce(l)
}

func render(line []chroma.Token) string {
	var b strings.Builder
	for _, t := range line {
		text := strings.TrimSuffix(t.Value, "\n")
		if style, ok := style(t.Type); ok && strings.TrimSpace(text) != "" {
			text = style.Render(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// style returns the theme's style for a kind of token. It returns false if the kind has no style. Most kinds have no
// style.
func style(t chroma.TokenType) (theme.Style, bool) {
	switch {
	case t.InCategory(chroma.Comment):
		return theme.Dim, true
	case t.InCategory(chroma.Keyword):
		return theme.Accent, true
	case t.InSubCategory(chroma.LiteralString):
		return theme.Good, true
	case t.InSubCategory(chroma.LiteralNumber):
		return theme.Value, true
	case t == chroma.NameFunction:
		return theme.Strong, true
	}
	return theme.Plain, false
}
