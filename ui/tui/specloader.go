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
	"sonde/ui/tui/filter"
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

	no       int                  // the number of the latest attempt
	opened   *screen.AnalyzedSpec // nil until the spec was analyzed for the first time
	preview  *screen.AnalyzedSpec // the preview to show until opened is set; nil before the spec was read
	err      error                // the error of the latest attempt
	files    []string             // the files of the spec, which are watched
	stamp    string               // the state of files when they were read
	interval time.Duration        // the time between two checks of the files
	// trafficShows is a message about facts that were found in traffic. The spec is read again with these facts.
	// readAgain then returns the message once. It is "" if there is none.
	trafficShows string
}

// specRead is sent after an attempt to read and analyze the spec. If spec is a preview, analyze is the
// command that does the analysis.
type specRead struct {
	no    int
	spec  *screen.AnalyzedSpec
	err   error
	files []string
	stamp string

	analyze tea.Cmd
}

// trafficObserved holds the facts about values that were found in traffic, without those that the open spec has
// already.
type trafficObserved struct {
	folder string
	shown  []model.ValueCorrection
	err    error
}

// filesChecked holds the stamp of the spec's files at the end of an interval. no is the number of the attempt
// whose files are watched.
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

// result reads the spec, which is slow. If a spec is open, result also analyzes the spec that it has read. Otherwise
// it only makes a preview, and specRead.analyze does the analysis.
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

// gcPercent is the growth of the heap, in percent, after which the garbage collector runs during an
// analysis. With the default of 100, the app would need nearly twice the memory for a large spec.
const gcPercent = 40

// analyze analyzes a spec and returns msg with the result or the error. It is slow.
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

// observed reads the spec again if traffic shows new facts about values of the spec. It ignores traffic that cannot
// be read, because the screen with the traffic shows that error.
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

// readAgain returns a message for a spec that was read again. If trafficShows is set, it returns that text once.
func (l *specLoader) readAgain() string {
	text := cmp.Or(l.trafficShows, "the spec was read again")
	l.trafficShows = ""
	return text
}

// accept stores the result of an attempt, and reports whether the attempt is the latest one. After an
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

// index returns the index of the operations, nil until the spec was analyzed.
func (l *specLoader) index() *filter.Index {
	if l.opened == nil {
		return nil
	}
	return l.opened.Index
}

// watch checks the files of the spec after the interval. It returns nil if files can't be
// watched.
func (l *specLoader) watch() tea.Cmd {
	if l.specs.FileStamp == nil {
		return nil
	}
	no, files, stamp := l.no, l.files, l.specs.FileStamp
	return tea.Tick(l.interval, func(time.Time) tea.Msg { return filesChecked{no: no, stamp: stamp(files)} })
}

// checked reads the spec again if a file has changed. Otherwise it continues to watch. A missing file
// counts as unchanged, because it is probably being written.
func (l *specLoader) checked(msg filesChecked) tea.Cmd {
	switch {
	case msg.no != l.no: // the files of a later attempt are watched by another command
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

// fileOf returns the file of a problem's pointer: the file or URL before "#". If the pointer has no "#", or begins
// with "#" or "/", the file is source. A file name is relative to the folder of source.
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
