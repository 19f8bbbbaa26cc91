package tui

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// specLoader reads the spec and watches its files. Reading runs in the background. Each attempt has a
// number, so that the result of an older attempt is dropped.
type specLoader struct {
	ctx    context.Context // the context of the app, because bubbletea's Update has none
	specs  usecase.SpecFiles
	values usecase.ValueCorrections
	source string

	no       int                  // the number of the newest attempt
	opened   *screen.AnalyzedSpec // nil until the spec was analyzed for the first time
	preview  *screen.AnalyzedSpec // what is shown until then, nil before the spec was read
	err      error                // the error of the newest attempt
	files    []string             // the files of the spec, which are watched
	stamp    string               // the state of files when they were read
	interval time.Duration        // the time between two checks of the files
	// trafficShows is what traffic has shown, until the spec was read with it; "" for nothing.
	trafficShows string
}

// specRead is the result of an attempt to read and analyze the spec. If spec is a preview, the analysis is still to be
// done, by analyze.
type specRead struct {
	no    int
	spec  *screen.AnalyzedSpec
	err   error
	files []string
	stamp string

	analyze tea.Cmd
}

// trafficObserved has what traffic shows about values, and the open spec does not have yet.
type trafficObserved struct {
	folder string
	shown  []model.ValueCorrection
	err    error
}

// filesChecked has the stamp of the spec's files, some time after the attempt with the number no.
type filesChecked struct {
	no    int
	stamp string
}

// read begins a new attempt to read the spec.
func (l *specLoader) read() tea.Cmd {
	l.no++
	l.err = nil
	attempt := *l
	return func() tea.Msg { return attempt.result() }
}

// result reads the spec. It analyzes the spec or, if none is open, makes a preview first. It is slow.
func (l specLoader) result() specRead {
	files := l.files
	if len(files) == 0 {
		files = []string{l.source}
	}
	msg := specRead{no: l.no, files: files, stamp: l.stampOf(files)}
	spec, err := l.specs.Load(l.ctx, l.source)
	if err != nil {
		msg.err = err
		return msg
	}
	if len(spec.Files) > 0 && !slices.Equal(spec.Files, files) {
		msg.files, msg.stamp = spec.Files, l.stampOf(spec.Files)
	}
	if l.opened != nil {
		return l.analyze(msg, spec)
	}
	analyzed := msg
	msg.spec, msg.err = screen.Preview(l.ctx, spec)
	msg.analyze = func() tea.Msg { return l.analyze(analyzed, spec) }
	return msg
}

// gcPercent is the growth of the heap, in percent, after which the garbage collector runs during an analysis. With the
// usual 100, the app would need nearly twice the memory for a large spec.
const gcPercent = 40

// analyze completes the result of an attempt. It is slow.
func (l specLoader) analyze(msg specRead, spec *model.Spec) specRead {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	msg.spec, msg.err = screen.AnalyzeSpec(l.ctx, spec, match.DefaultMode)
	return msg
}

// observe finds what the traffic in a folder shows about the values of the open spec.
func (l *specLoader) observe(folder string) tea.Cmd {
	ctx, find := l.ctx, l.values.Observe
	if find == nil || l.opened == nil {
		return nil
	}
	return func() tea.Msg {
		shown, err := find(ctx, folder)
		return trafficObserved{folder, shown, err}
	}
}

// observed reads the spec again if traffic shows something new about its values. Traffic that cannot be read shows nothing:
// the screen that has it says why.
func (l *specLoader) observed(msg trafficObserved) tea.Cmd {
	if msg.err != nil || len(msg.shown) == 0 {
		return nil
	}
	const most = 2
	var facts []string
	for _, c := range msg.shown[:min(len(msg.shown), most)] {
		facts = append(facts, c.Value+" is "+cmp.Or(c.Is, "an attribute"))
	}
	if n := len(msg.shown) - most; n > 0 {
		facts = append(facts, words.Count(n)+" more")
	}
	l.trafficShows = draw.Clean("The traffic in " + filepath.Base(msg.folder) + " shows: " + strings.Join(facts, ", "))
	return l.read()
}

// readAgain says that the spec was read again, and what traffic has shown.
func (l *specLoader) readAgain() string {
	text := cmp.Or(l.trafficShows, "the spec was read again")
	l.trafficShows = ""
	return text
}

// accept stores the result of an attempt, and reports whether that attempt is the newest one. After an
// error, the open spec stays open.
func (l *specLoader) accept(msg specRead) bool {
	if msg.no != l.no {
		return false
	}
	l.err, l.files, l.stamp = msg.err, msg.files, msg.stamp
	switch {
	case msg.err != nil:
		l.preview = nil
	case msg.spec.IsPreview:
		l.preview = msg.spec
	default:
		l.opened, l.preview = msg.spec, nil
	}
	return true
}

// shown returns the open spec or its preview, nil if there is none.
func (l *specLoader) shown() *screen.AnalyzedSpec { return cmp.Or(l.opened, l.preview) }

// watch checks the files of the spec after the interval. It returns nil if files can't be
// watched.
func (l *specLoader) watch() tea.Cmd {
	if l.specs.FileStamp == nil {
		return nil
	}
	no, files, stamp := l.no, l.files, l.specs.FileStamp
	return tea.Tick(l.interval, func(time.Time) tea.Msg { return filesChecked{no: no, stamp: stamp(files)} })
}

// checked reads the spec again if a file has changed, and keeps watching otherwise. A file
// that is missing is probably being written.
func (l *specLoader) checked(msg filesChecked) tea.Cmd {
	switch {
	case msg.no != l.no: // a newer attempt has its own watch
		return nil
	case msg.stamp == "" || msg.stamp == l.stamp:
		return l.watch()
	}
	return l.read()
}

func (l *specLoader) stampOf(files []string) string {
	if l.specs.FileStamp == nil {
		return ""
	}
	return l.specs.FileStamp(files)
}

// problems returns the problems of the spec.
func (l *specLoader) problems() []screen.FileProblem {
	var all []screen.FileProblem
	if l.err != nil {
		all = append(all, screen.FileProblem{File: l.source, Problem: model.Problem{Text: l.err.Error()}})
	}
	if l.opened != nil {
		for _, p := range l.opened.Spec.Problems {
			all = append(all, screen.FileProblem{File: fileOf(l.source, p.Pointer), Problem: p})
		}
	}
	return all
}

// fileOf returns the file that a pointer points into: the file or URL before "#", or source if the pointer
// has none. A pointer names a file relative to source.
func fileOf(source, pointer string) string {
	file, _, ok := strings.Cut(pointer, "#")
	switch {
	case !ok || file == "" || file[0] == '/':
		return source
	case strings.Contains(file, "://"):
		return file
	}
	return filepath.Join(filepath.Dir(source), filepath.FromSlash(file))
}
