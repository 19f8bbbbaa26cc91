package record

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// defaultTests is the default folder of the tests.
const defaultTests = "sonde-tests"

// tests has the tests that are generated from exchanges: the preview, and the written file.
type tests struct {
	api      usecase.Recordings
	gen      int      // number of the latest preview; results of older ones are dropped
	busy     bool     // a preview is being made
	stale    bool     // the preview must be made again
	of       []string // IDs of the exchanges of the preview
	made     []model.Test
	without  map[string]string // key: ID of an exchange; value: why it has no test
	err      error
	view     widget.SourceView
	off      map[model.MockOracle]bool // the oracles that are switched off
	together bool                      // one test function has all oracles

	dir     string                  // the folder to which tests are written
	folder  *textinput.Model        // text field for dir; nil while no folder is being typed
	path    string                  // the path of the written file, "" if there is none
	wrote   usecase.GenerateRequest // the request for written
	written []model.Test            // the tests that were written last
	writing bool
	report  string
	failed  error              // reason why there is no report
	playing context.Context    // ends when playing is stopped; nil while no tests are being played
	stop    context.CancelFunc // cancels playing
}

func newTests(api usecase.Recordings) tests {
	return tests{api: api, dir: defaultTests, off: map[model.MockOracle]bool{}}
}

// forget drops the tests, because another recording is shown.
func (t *tests) forget() {
	if t.stop != nil {
		t.stop()
	}
	*t = tests{api: t.api, gen: t.gen + 1, dir: t.dir, folder: t.folder, off: t.off, together: t.together, stale: true}
}

// oracles returns the oracles that are switched on.
func (t *tests) oracles() []model.MockOracle {
	return slices.DeleteFunc(slices.Clone(model.MockOracles), func(o model.MockOracle) bool { return t.off[o] })
}

// purpose is the use for which tests are generated.
type purpose int

const (
	toSee purpose = iota
	toKeep
	toWrite
)

// made is sent when tests were generated.
type made struct {
	gen    int
	why    purpose
	of     usecase.GenerateRequest
	mimics usecase.GeneratedTests
	file   widget.SourceFile // the file for the preview
	err    error
}

// written is sent after the tests were written, or after writing them has failed.
type written struct {
	of   usecase.GenerateRequest
	path string
	err  error
}

// played is sent when the tests were played. It has the report.
type played struct {
	ctx    context.Context
	report string
	err    error
}

// request returns the request for tests of exchanges.
func (t *tests) request(w *watch, ids []string) usecase.GenerateRequest {
	return usecase.GenerateRequest{
		Recording:   &w.traffic.Recording,
		Folder:      w.folder,
		IDs:         ids,
		Oracles:     t.oracles(),
		Dir:         t.dir,
		OneFunction: t.together,
	}
}

// refresh makes a new preview if the preview is stale or was made for other exchanges. Otherwise it highlights the
// visible lines of the preview. It does nothing while the preview is not visible.
func (s *Screen) refresh() tea.Cmd {
	t := &s.tests
	if s.side != sidePreview || s.onForm() || s.exchanges.line() == nil {
		return nil
	}
	if !t.busy && (t.stale || !slices.Equal(t.of, s.exchanges.targets())) {
		return s.generate(toSee)
	}
	return t.view.Highlight(s.layout().side.H - 3)
}

// generate makes tests from the picked exchanges or, if none is picked, from the exchange under the cursor.
func (s *Screen) generate(why purpose) tea.Cmd {
	return s.tests.generate(s.tests.request(&s.watch, s.exchanges.targets()), why)
}

// generate makes tests from exchanges.
func (t *tests) generate(of usecase.GenerateRequest, why purpose) tea.Cmd {
	rec := *of.Recording // a copy, because the recording may be in progress
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

func (s *Screen) made(msg made) tea.Cmd {
	t := &s.tests
	switch {
	case msg.why == toSee:
		if msg.gen == t.gen {
			t.busy, t.err = false, msg.err
			t.made, t.without = msg.mimics.Tests, msg.mimics.Skipped
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
		return screen.ShowError(errors.New(noTestText(msg.mimics.Skipped)))
	case msg.why == toKeep:
		return s.keep(msg.mimics)
	}
	return s.tests.write(msg.of, msg.mimics.Tests, false)
}

// firstTest returns the index of the first line of the first test function, including its comment. It
// returns 0 if there is none.
func firstTest(lines []string) int {
	at := max(0, slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "func Test") }))
	for at > 0 && strings.HasPrefix(lines[at-1], "//") {
		at--
	}
	return at
}

// noTestText returns a text that says that no test was generated. The map without has the reasons, if they are known.
// The text then has one of them.
func noTestText(without map[string]string) string {
	for _, why := range without {
		return "no test was generated: " + draw.Clean(why)
	}
	return "no test was generated"
}

// keep adds tests to the Seqs screen.
func (s *Screen) keep(m usecase.GeneratedTests) tea.Cmd {
	text := words.Plural(len(m.Tests), "test") + " kept, and picked: 4 lists them, 6 writes them"
	if n := len(m.Skipped); n > 0 {
		text += "; none from " + words.Count(n)
	}
	return tea.Batch(s.post.Send(screen.TestsKept{Tests: m.Tests}), screen.ShowStatus(text))
}

// toggleOracle switches an oracle on or off. The last oracle cannot be switched off.
func (t *tests) toggleOracle(o model.MockOracle) tea.Cmd {
	if !t.off[o] && len(t.oracles()) == 1 {
		return screen.ShowStatus("A test without an oracle finds nothing: one oracle stays on")
	}
	t.off[o] = !t.off[o]
	t.stale = true
	return nil
}

// toggleTogether switches between one test function with all oracles and one function for each
// oracle.
func (t *tests) toggleTogether() {
	t.together = !t.together
	t.stale = true
}
