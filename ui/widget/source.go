package widget

import (
	"slices"
	"strings"

	"sonde/ui/draw"
)

// blockLines is the minimum length of a block.
const blockLines = 120

// SourceFile is source as lines, cut into blocks of whole declarations.
type SourceFile struct {
	Lines  []string // safe to print, without styles
	blocks []int    // the first line of each, ascending
	name   string   // of the file; its extension selects the language
}

// NewGoSource returns Go source that is formatted by gofmt: a line that starts in the first
// column after an empty line begins a declaration.
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

// Block returns the number of the block that line is in.
func (f SourceFile) Block(line int) int {
	after, _ := slices.BinarySearch(f.blocks, line+1)
	return max(0, after-1)
}

// Span returns the first line of a block, and the line after its last.
func (f SourceFile) Span(block int) (from, to int) {
	if block+1 < len(f.blocks) {
		return f.blocks[block], f.blocks[block+1]
	}
	return f.blocks[block], len(f.Lines)
}

// Highlight returns the lines of a block with styles.
func (f SourceFile) Highlight(block int) []string {
	from, to := f.Span(block)
	l, ok := languageOf(f.name)
	if !ok {
		return f.Lines[from:to]
	}
	return l.highlighted(strings.Join(f.Lines[from:to], "\n"))
}
