package widget

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// SourceView is the visible part of a file. Blocks are highlighted when they become visible. The zero value
// shows nothing.
type SourceView struct {
	File   SourceFile
	Scroll List // its cursor is the first visible line
	left   int  // cells scrolled to the right

	of    *opened          // its address identifies the file
	lit   map[int][]string // key: index of a block; value: its highlighted lines
	asked map[int]bool     // key: index of a block that is highlighted or was requested
}

type opened struct{ _ byte }

// Highlighted is the message with a highlighted block.
type Highlighted struct {
	of    *opened
	block int
	lines []string
}

// Keys that scroll sideways. The keys of List scroll up and down.
var (
	ScrollRight = key.NewBinding(key.WithKeys("right", "l"), key.WithHelp("→", "scroll right"))
	ScrollLeft  = key.NewBinding(key.WithKeys("left", "h"), key.WithHelp("←", "scroll left"))
)

// Show shows a file. It keeps the scroll offset of the previous file.
func (v *SourceView) Show(f SourceFile) {
	v.File, v.of = f, new(opened)
	v.lit, v.asked = map[int][]string{}, map[int]bool{}
}

// Empty reports whether there is no line to show.
func (v *SourceView) Empty() bool { return len(v.File.Lines) == 0 }

// Highlight returns a Cmd that highlights the visible blocks that are not highlighted yet,
// for a view of height lines.
func (v *SourceView) Highlight(height int) tea.Cmd {
	if v.Empty() {
		return nil
	}
	var cmds []tea.Cmd
	last := v.File.Block(v.Scroll.At + max(0, height-1))
	for b := v.File.Block(v.Scroll.At); b <= last; b++ {
		if v.asked[b] {
			continue
		}
		v.asked[b] = true
		file, of := v.File, v.of
		cmds = append(cmds, func() tea.Msg { return Highlighted{of: of, block: b, lines: file.Highlight(b)} })
	}
	return tea.Batch(cmds...)
}

// Light stores a highlighted block. It ignores blocks of a previous file.
func (v *SourceView) Light(msg Highlighted) {
	if msg.of == v.of && v.of != nil {
		v.lit[msg.block] = msg.lines
	}
}

// Fit keeps the first visible line within the file, for a view of height lines.
func (v *SourceView) Fit(height int) {
	v.Scroll.Fit(max(0, len(v.File.Lines)-max(1, height))+1, 1)
}

// Key scrolls a view of height lines.
func (v *SourceView) Key(k tea.KeyMsg, height int) {
	const step = 8
	page := max(1, height-2)
	switch {
	case key.Matches(k, ScrollRight):
		v.left += step
	case key.Matches(k, ScrollLeft):
		v.left = max(0, v.left-step)
	case key.Matches(k, PageDown):
		v.Scroll.Go(v.Scroll.At + page)
	case key.Matches(k, PageUp):
		v.Scroll.Go(v.Scroll.At - page)
	default:
		v.Scroll.Key(k)
	}
}

// Line returns a line to draw, with styles if its block is highlighted.
func (v *SourceView) Line(i int) string {
	line := v.File.Lines[i]
	b := v.File.Block(i)
	if lines := v.lit[b]; lines != nil {
		from, _ := v.File.Span(b)
		line = lines[i-from]
	}
	return ansi.TruncateLeft(line, v.left, "")
}
