package export

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// preview is the test file as it would be written.
type preview struct {
	gen   int  // grows with each request; answers to older ones are dropped
	stale bool // the picks are others now
	busy  bool

	widget.SourceView
	err   error
	tests map[int]function // by the index of the item
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
	file  widget.SourceFile
	tests map[int]function
	err   error
}

// make asks for the file of the tests; items are the indexes of their items.
func (p *preview) make(e screen.Engine, format screen.TestFormat, faults string, tests []model.Test, items []int) tea.Cmd {
	p.gen++
	p.stale = false
	if len(tests) == 0 {
		*p = preview{gen: p.gen}
		return nil
	}
	p.busy = true
	gen := p.gen
	return func() tea.Msg {
		source, err := e.Preview(format.Name, faults, tests)
		if err != nil {
			return previewed{gen: gen, err: err}
		}
		file := widget.NewSource(format.File, source)
		return previewed{gen: gen, file: file, tests: functions(file, tests, items)}
	}
}

var (
	declared = regexp.MustCompile(`^func (Test[\p{L}\p{Nd}_]*)\(t \*testing\.T\)`)
	// marked is the first or the last line of a test in a format other than Go, whose name
	// ends in its last status.
	marked = regexp.MustCompile(`^\s*(?:#|//) sonde:(begin|end) (\w+_\d[\w]*)$`)
)

// functions finds the test functions of a file, or what is marked as a test in one that
// has no functions of Go. They are in the order of the tests; where they are not as many, as
// when a test shows a fault, their comments say whose they are.
func functions(f widget.SourceFile, tests []model.Test, items []int) map[int]function {
	var found []function
	for i, line := range f.Lines {
		if m := declared.FindStringSubmatch(line); m != nil {
			found = append(found, extent(f.Lines, m[1], i))
		}
	}
	if len(found) == 0 {
		found = marks(f.Lines)
	}
	out := map[int]function{}
	for i, item := range items {
		if len(found) == len(items) {
			out[item] = found[i]
		} else if k := slices.IndexFunc(found, func(g function) bool { return g.isOf(f.Lines, tests[i].ID) }); k >= 0 {
			out[item] = found[k]
		}
	}
	return out
}

// isOf reports whether a comment in a function says that it is the test with an ID.
func (f function) isOf(lines []string, id string) bool {
	return id != "" && slices.ContainsFunc(lines[f.from:f.to], func(line string) bool {
		return strings.HasPrefix(strings.TrimLeft(line, " /#"), "Test "+id+":")
	})
}

// marks finds the tests that are marked.
func marks(lines []string) []function {
	var found []function
	for i, line := range lines {
		switch m := marked.FindStringSubmatch(line); {
		case m == nil:
		case m[1] == "begin":
			found = append(found, function{name: m[2], from: i, to: i + 1})
		case len(found) > 0:
			found[len(found)-1].to = i + 1
		}
	}
	return found
}

// extent finds where the function declared in a line begins and ends.
func extent(lines []string, name string, declared int) function {
	f := function{name: name, from: declared, to: declared + 1}
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
	p.busy, p.err, p.tests = false, msg.err, msg.tests
	p.Show(msg.file)
}

// highlight asks for the blocks in sight that are not lit yet.
func (p *preview) highlight(height int) tea.Cmd {
	if p.busy || p.err != nil {
		return nil
	}
	return p.Highlight(height)
}

// show scrolls to the test of an item.
func (p *preview) show(item int) {
	if f, ok := p.tests[item]; ok {
		p.Scroll.Go(f.from)
	}
}
