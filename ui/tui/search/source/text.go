package source

import (
	"errors"
	"strings"
	"unicode/utf8"

	"sonde/model"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// text is an open file.
type text struct {
	gen   int // increases with each file that is opened; results for earlier files are dropped
	file  int // the index of the file, or none
	busy  bool
	err   error
	code  widget.SourceFile
	lines []line
	list  widget.List
	left  int // cells scrolled to the right

	lit   map[int][]string // key: index of a block; value: its highlighted lines
	asked map[int]bool     // blocks that are highlighted or being highlighted
}

// loaded is the message with a file's text.
type loaded struct {
	gen   int
	code  widget.SourceFile
	lines []line
	err   error
}

// lit is the message with a highlighted block.
type lit struct {
	gen, block int
	lines      []string
}

var errElsewhere = errors.New("the source is not available: another program started this run")

// shown reports whether the text of a file is shown.
func (t *text) shown() bool { return t.file != none && !t.busy && t.err == nil }

// load reads a file in the background, and finds the targets of each line.
func (t *text) load(read Read, f model.SourceFile) tea.Cmd {
	gen := t.gen
	return func() tea.Msg {
		source, err := read(f)
		if err != nil {
			return loaded{gen: gen, err: err}
		}
		lines := strings.Split(source, "\n")
		msg := loaded{gen: gen, lines: newLines(lines, f.Targets)}
		for i := range lines {
			lines[i] = short(lines[i])
		}
		msg.code = widget.NewGoSource(strings.Join(lines, "\n"))
		return msg
	}
}

// maxLine is the maximum number of bytes of a line that are shown. Longer lines are rarely read, and slow
// to draw.
const maxLine = 1000

func short(line string) string {
	if len(line) <= maxLine {
		return line
	}
	cut := maxLine
	for cut > 0 && !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + "…"
}

func (t *text) take(msg loaded) {
	if msg.gen != t.gen {
		return
	}
	t.busy, t.err, t.code, t.lines = false, msg.err, msg.code, msg.lines
	t.lit, t.asked = map[int][]string{}, map[int]bool{}
}

// fit sizes the list of lines.
func (t *text) fit(height int) {
	if t.shown() {
		t.list.Fit(len(t.code.Lines), height)
	}
}

// maxHighlighted is the maximum number of lines of a block that is highlighted.
const maxHighlighted = 2000

// highlight highlights the visible blocks in the background. It skips blocks that are highlighted already, and blocks
// of more than maxHighlighted lines.
func (t *text) highlight() tea.Cmd {
	if !t.shown() {
		return nil
	}
	var cmds []tea.Cmd
	from, to := t.list.Visible()
	for b := t.code.Block(from); b <= t.code.Block(to-1); b++ {
		if first, end := t.code.Span(b); t.asked[b] || end-first > maxHighlighted {
			continue
		}
		t.asked[b] = true
		file, gen := t.code, t.gen
		cmds = append(cmds, func() tea.Msg { return lit{gen: gen, block: b, lines: file.Highlight(b)} })
	}
	return tea.Batch(cmds...)
}

func (t *text) light(msg lit) {
	if msg.gen == t.gen {
		t.lit[msg.block] = msg.lines
	}
}

// styled returns a line, with colours if its block is highlighted already.
func (t *text) styled(i int) string {
	b := t.code.Block(i)
	if lines := t.lit[b]; lines != nil {
		from, _ := t.code.Span(b)
		return lines[i-from]
	}
	return t.code.Lines[i]
}
