package export

import (
	"regexp"
	"strings"

	"sonde/model"
	"sonde/ui/code"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// preview is the test file as it would be written.
type preview struct {
	gen   int  // grows with each request; answers to older ones are dropped
	stale bool // the picks are others now
	busy  bool

	file   code.File
	err    error
	tests  map[int]function // by the index of the item
	scroll pane.List        // its cursor is the first line in sight
	left   int              // cells scrolled to the right

	lit   map[int][]string // highlighted blocks
	asked map[int]bool     // blocks that are lit or being lit
}

// function is a test function of the file, with its comment: the lines from
// the first to before the last.
type function struct {
	name     string
	from, to int
}

// previewed is the answer to a request.
type previewed struct {
	gen   int
	file  code.File
	tests map[int]function
	err   error
}

// lit brings a highlighted block.
type lit struct {
	gen, block int
	lines      []string
}

// make asks for the file of the tests; items are the indexes of their items.
func (p *preview) make(e screen.Engine, tests []model.Test, items []int) tea.Cmd {
	p.gen++
	p.stale = false
	if len(tests) == 0 {
		*p = preview{gen: p.gen}
		return nil
	}
	p.busy = true
	gen := p.gen
	return func() tea.Msg {
		source, err := e.Preview(tests)
		if err != nil {
			return previewed{gen: gen, err: err}
		}
		file := code.NewFile(source)
		return previewed{gen: gen, file: file, tests: functions(file, items)}
	}
}

var declared = regexp.MustCompile(`^func (Test[\p{L}\p{Nd}_]*)\(t \*testing\.T\)`)

// functions finds the test functions of a file. They stand in the order of the
// tests; where they are not as many, nobody can say which is which.
func functions(f code.File, items []int) map[int]function {
	var found []function
	for i, line := range f.Lines {
		if m := declared.FindStringSubmatch(line); m != nil {
			found = append(found, extent(f.Lines, m[1], i))
		}
	}
	if len(found) != len(items) {
		return nil
	}
	out := map[int]function{}
	for i, f := range found {
		out[items[i]] = f
	}
	return out
}

// extent finds where the function declared in a line begins and ends.
func extent(lines []string, name string, declared int) function {
	f := function{name, declared, declared + 1}
	for f.from > 0 && strings.HasPrefix(lines[f.from-1], "//") {
		f.from--
	}
	for f.to < len(lines) && lines[f.to-1] != "}" {
		f.to++
	}
	return f
}

func (p *preview) take(msg previewed) {
	if msg.gen != p.gen {
		return
	}
	p.busy, p.file, p.err, p.tests = false, msg.file, msg.err, msg.tests
	p.lit, p.asked = map[int][]string{}, map[int]bool{}
}

// highlight asks for the blocks in sight that are not lit yet.
func (p *preview) highlight(height int) tea.Cmd {
	if p.busy || p.err != nil || len(p.file.Lines) == 0 {
		return nil
	}
	var cmds []tea.Cmd
	last := p.file.Block(p.scroll.At + max(0, height-1))
	for b := p.file.Block(p.scroll.At); b <= last; b++ {
		if p.asked[b] {
			continue
		}
		p.asked[b] = true
		file, gen := p.file, p.gen
		cmds = append(cmds, func() tea.Msg { return lit{gen, b, file.Highlight(b)} })
	}
	return tea.Batch(cmds...)
}

func (p *preview) light(msg lit) {
	if msg.gen == p.gen {
		p.lit[msg.block] = msg.lines
	}
}

// fit keeps the first line in sight within the file, height lines of which fit.
func (p *preview) fit(height int) {
	p.scroll.Fit(max(0, len(p.file.Lines)-max(1, height))+1, 1)
}

// show scrolls to the test of an item.
func (p *preview) show(item int) {
	if f, ok := p.tests[item]; ok {
		p.scroll.Go(f.from)
	}
}

// line returns a line with styles, if it has any by now.
func (p *preview) line(i int) string {
	b := p.file.Block(i)
	if lines := p.lit[b]; lines != nil {
		from, _ := p.file.Span(b)
		return lines[i-from]
	}
	return p.file.Lines[i]
}
