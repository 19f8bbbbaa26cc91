package export

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// preview is the content of the test file.
type preview struct {
	generation int  // number of the latest request; results of older requests are dropped
	stale      bool // a new request would return another content
	busy       bool // a request is in progress

	widget.SourceView
	err   error
	tests map[int]function // key: index of the item with the test
}

// function is a test function of the file with its comment. It has the lines [from, to).
type function struct {
	name     string
	from, to int
}

// previewed is the result of a request for the content.
type previewed struct {
	generation int
	file       widget.SourceFile
	tests      map[int]function
	err        error
}

// request requests the content for tests. items has the index of each test's item.
func (p *preview) request(
	e screen.Engine,
	format usecase.TestFormat,
	faults string,
	tests []model.Test,
	items []int,
) tea.Cmd {
	p.generation++
	p.stale = false
	if len(tests) == 0 {
		*p = preview{generation: p.generation}
		return nil
	}
	p.busy = true
	generation := p.generation
	return func() tea.Msg {
		source, err := e.TestFiles.Preview(format.Name, faults, tests)
		if err != nil {
			return previewed{generation: generation, err: err}
		}
		file := widget.NewSource(format.File, source)
		return previewed{generation: generation, file: file, tests: functions(file, tests, items)}
	}
}

var (
	goTest = regexp.MustCompile(`^func (Test[\p{L}\p{Nd}_]*)\(t \*testing\.T\)`)
	// testMark is the first or the last line of a test in a format other than Go. The name
	// of a test ends with its last status.
	testMark = regexp.MustCompile(`^\s*(?:#|//) sonde:(begin|end) (\w+_\d[\w]*)$`)
)

// functions returns the test functions of a file. The key of the result is the index of the function's item. For a
// format other than Go, functions looks for the marks of tests. If there are as many functions as tests, they are in
// the same order. There may be fewer functions, for example because a test that shows a fault was left out. The
// comments of the functions then identify their tests.
func functions(f widget.SourceFile, tests []model.Test, items []int) map[int]function {
	var found []function
	for i, line := range f.Lines {
		if m := goTest.FindStringSubmatch(line); m != nil {
			found = append(found, extent(f.Lines, m[1], i))
		}
	}
	if len(found) == 0 {
		found = markedTests(f.Lines)
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

// isOf reports whether the comment of a function contains the ID of a test.
func (f function) isOf(lines []string, id string) bool {
	return id != "" && slices.ContainsFunc(lines[f.from:f.to], func(line string) bool {
		return strings.HasPrefix(strings.TrimLeft(line, " /#"), "Test "+id+":")
	})
}

// markedTests returns the tests between marks.
func markedTests(lines []string) []function {
	var found []function
	for i, line := range lines {
		switch m := testMark.FindStringSubmatch(line); {
		case m == nil:
		case m[1] == "begin":
			found = append(found, function{name: m[2], from: i, to: i + 1})
		case len(found) > 0:
			found[len(found)-1].to = i + 1
		}
	}
	return found
}

// extent returns the function that is declared in a line, from its comment to the end of its body.
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

// accept shows the result of a request. It ignores results of older requests.
func (p *preview) accept(msg previewed) {
	if msg.generation != p.generation {
		return
	}
	p.busy, p.err, p.tests = false, msg.err, msg.tests
	p.Show(msg.file)
}

// highlight highlights the visible blocks that are not highlighted yet, unless a request is in progress or
// failed.
func (p *preview) highlight(height int) tea.Cmd {
	if p.busy || p.err != nil {
		return nil
	}
	return p.Highlight(height)
}

// scrollTo scrolls to the test of an item, if there is one.
func (p *preview) scrollTo(item int) {
	if f, ok := p.tests[item]; ok {
		p.Scroll.Go(f.from)
	}
}
