package record

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// defaultTests is where tests go unless the person says otherwise.
const defaultTests = "sonde-tests"

// tests are those that mimic what is picked.
type tests struct {
	api      screen.Recordings
	gen      int      // grows with each request; answers to older ones are dropped
	busy     bool     // they are being made
	stale    bool     // they are to be made for other exchanges, or in another way
	of       []string // the exchanges that they were last made of
	made     []model.Test
	without  map[string]string
	command  string
	err      error
	view     widget.SourceView
	off      map[model.MockOracle]bool
	together bool

	dir     string           // where they are written
	folder  *textinput.Model // while dir is being typed
	path    string           // of the file, once it is written
	wrote   screen.GenerateRequest
	written []model.Test
	writing bool
	report  string
	failed  error              // why there is none
	playing context.Context    // nil while nothing is played
	stop    context.CancelFunc // ends that
}

func newTests(api screen.Recordings) tests {
	return tests{api: api, dir: defaultTests, off: map[model.MockOracle]bool{}}
}

// forget drops the tests of another recording.
func (t *tests) forget() {
	if t.stop != nil {
		t.stop()
	}
	*t = tests{api: t.api, gen: t.gen + 1, dir: t.dir, folder: t.folder, off: t.off, together: t.together, stale: true}
}

// oracles are those that are on.
func (t *tests) oracles() []model.MockOracle {
	return slices.DeleteFunc(slices.Clone(model.MockOracles), func(o model.MockOracle) bool { return t.off[o] })
}

// purpose is what tests are made for.
type purpose int

const (
	toSee purpose = iota
	toKeep
	toWrite
)

// made brings tests.
type made struct {
	gen    int
	why    purpose
	of     screen.GenerateRequest
	mimics screen.GeneratedTests
	file   widget.SourceFile // to be seen
	err    error
}

// written is the answer to a write.
type written struct {
	of   screen.GenerateRequest
	path string
	err  error
}

// played brings the mimic report.
type played struct {
	ctx    context.Context
	report string
	err    error
}

// recorded are exchanges, and how their tests are to be.
func (t *tests) recorded(w *watch, ids []string) screen.GenerateRequest {
	return screen.GenerateRequest{
		Recording:   &w.traffic.Recording,
		Folder:      w.folder,
		IDs:         ids,
		Oracles:     t.oracles(),
		Dir:         t.dir,
		OneFunction: t.together,
	}
}

// refresh makes the preview anew where it is on show and of other exchanges, and
// highlights what of it is in sight.
func (s *Screen) refresh() tea.Cmd {
	t := &s.tests
	if s.side != sidePreview || s.onForm() || s.exchanges.line() == nil {
		return nil
	}
	if !t.busy && (t.stale || !slices.Equal(t.of, s.exchanges.targets())) {
		return s.make(toSee)
	}
	return t.view.Highlight(s.layout().side.H - 3)
}

// make makes tests of what is picked, or of what is under the cursor.
func (s *Screen) make(why purpose) tea.Cmd {
	return s.tests.make(s.tests.recorded(&s.watch, s.exchanges.targets()), why)
}

// make makes tests of exchanges.
func (t *tests) make(of screen.GenerateRequest, why purpose) tea.Cmd {
	rec := *of.Recording // as it is now: it may go on
	of.Recording = &rec
	if why == toSee {
		t.gen++
		t.busy, t.stale, t.of = true, false, of.IDs
	}
	gen, e := t.gen, t.api
	return func() tea.Msg {
		m := made{gen: gen, why: why, of: of}
		m.mimics, m.err = e.Tests(context.Background(), of)
		if m.err == nil && why == toSee && len(m.mimics.Tests) > 0 {
			var source string
			source, m.err = e.Preview(of, m.mimics.Tests)
			m.file = widget.NewGoSource(source)
		}
		return m
	}
}

// tested takes what came of making tests, writing them and playing them.
func (s *Screen) tested(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case made:
		return s.made(msg)
	case written:
		return s.written(msg)
	case played:
		return s.played(msg)
	}
	return nil
}

func (s *Screen) made(msg made) tea.Cmd {
	t := &s.tests
	switch {
	case msg.why == toSee:
		if msg.gen == t.gen {
			t.busy, t.err = false, msg.err
			t.made, t.without, t.command = msg.mimics.Tests, msg.mimics.Skipped, msg.mimics.Command
			t.view.Show(msg.file)
			t.view.Fit(s.layout().side.H - 3)
			t.view.Scroll.Go(firstTest(msg.file.Lines))
		}
		return nil
	case msg.err != nil:
		t.writing = false
		return screen.ShowError(msg.err)
	case len(msg.mimics.Tests) == 0:
		t.writing = false
		return screen.ShowError(errors.New(none(msg.mimics.Skipped)))
	case msg.why == toKeep:
		return s.keep(msg.mimics)
	}
	return s.tests.write(msg.of, msg.mimics.Tests, false)
}

// firstTest is the line at which the first test function begins, with its comment.
func firstTest(lines []string) int {
	at := max(0, slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "func Test") }))
	for at > 0 && strings.HasPrefix(lines[at-1], "//") {
		at--
	}
	return at
}

// none says why there is no test.
func none(without map[string]string) string {
	for _, why := range without {
		return "no test came of it: " + draw.Clean(why)
	}
	return "no test came of it"
}

// keep hands tests to the list of all.
func (s *Screen) keep(m screen.GeneratedTests) tea.Cmd {
	text := words.Plural(len(m.Tests), "test") + " kept, and picked: 4 lists them, 6 writes them"
	if n := len(m.Skipped); n > 0 {
		text += "; none came of " + words.Count(n)
	}
	return tea.Batch(s.post.Send(screen.TestsKept{Tests: m.Tests}), screen.ShowStatus(text))
}

// turnOracle turns an oracle on or off; one stays on.
func (t *tests) turnOracle(o model.MockOracle) tea.Cmd {
	if !t.off[o] && len(t.oracles()) == 1 {
		return screen.ShowStatus("A test without an oracle finds nothing: one stays on")
	}
	t.off[o] = !t.off[o]
	t.stale = true
	return nil
}
