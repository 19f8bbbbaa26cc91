package record

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// functions has the functions under test of the recording. They are read when the user asks for them.
type functions struct {
	api  usecase.Recordings
	gen  int // number of the latest reading; results of older ones are dropped
	busy bool
	seen int // number of invocations in the recording when it was read last
	all  []usecase.RecordedFunction
	err  error
}

// functionsRead is sent when the functions under test of a recording were read.
type functionsRead struct {
	gen int
	all []usecase.RecordedFunction
	err error
}

// forget drops the functions, because another recording is shown.
func (f *functions) forget() { *f = functions{api: f.api, gen: f.gen + 1} }

// read returns a command that reads the functions of the recording in a folder.
func (f *functions) read(folder string) tea.Cmd {
	f.gen++
	f.busy = true
	gen, read := f.gen, f.api.Functions
	return func() tea.Msg {
		all, err := read(context.Background(), folder)
		return functionsRead{gen: gen, all: all, err: err}
	}
}

// follow returns a command that reads the functions again if the recording has more invocations, and nil otherwise.
func (f *functions) follow(folder string, invocations int) tea.Cmd {
	if f.busy || f.seen == invocations {
		return nil
	}
	f.seen = invocations
	return f.read(folder)
}

func (f *functions) update(msg functionsRead) {
	if msg.gen == f.gen {
		f.busy, f.all, f.err = false, msg.all, msg.err
	}
}

// toggleFunctions shows the functions under test, as they are on disk now, or the exchange again.
func (s *Screen) toggleFunctions() tea.Cmd {
	s.showSide(sideFunctions)
	if s.side != sideFunctions {
		return nil
	}
	return s.functions.read(s.watch.folder)
}

// lines describes the functions: first how many there are, and how tests are made of them. Then each has its invocations
// and its mockable calls.
func (f *functions) lines(folder string, width int) []draw.Line {
	l := &lines{width: width}
	switch {
	case f.busy && f.all == nil:
		l.prose("Reading the invocations …", theme.Dim)
		return l.all
	case f.err != nil:
		l.prose(theme.Failed+" "+f.err.Error(), theme.Bad)
		return l.all
	}
	invoked, invocations := 0, 0
	for _, u := range f.all {
		invocations += u.Invocations
		if u.Invocations > 0 {
			invoked++
		}
	}
	l.prose(fmt.Sprintf("%s, %d invoked; %s", words.Plural(len(f.all), "function"), invoked,
		words.Plural(invocations, "invocation")), theme.Strong)
	l.prose("Unit tests of them: sonde generate --units "+folder, theme.Dim)
	for _, u := range f.all {
		l.add(nil)
		l.function(u)
	}
	return l.all
}

// function adds a function with its invocations and its mockable calls.
func (l *lines) function(u usecase.RecordedFunction) {
	style := theme.Strong
	if u.Invocations == 0 {
		style = theme.Dim
	}
	place := fmt.Sprintf("  %s:%d", filepath.Base(u.File), u.Line)
	l.add(append(draw.TextLine(" "+draw.Clean(u.Name), style), draw.Span{Text: draw.Clean(place), Style: theme.Dim}))
	l.fact("package", plain(draw.CutMiddle(draw.Clean(u.Package), max(1, l.width-labelWidth-1))))
	l.fact("invoked", plain(invokedText(u)))
	if u.Why != "" {
		l.fact("", draw.Span{Text: draw.Clean(theme.Refused + " " + u.Why), Style: theme.Warn})
	}
	if len(u.Obstacles) > 0 {
		l.fact("no test", draw.Span{Text: draw.Clean(strings.Join(u.Obstacles, "; ")), Style: theme.Warn})
	}
	for i, s := range u.Sites {
		label := ""
		if i == 0 {
			label = "calls"
		}
		name := s.Target
		if s.Method != "" {
			name += "." + s.Method
		}
		count := draw.Span{Text: fmt.Sprintf(" ×%s  line %d", words.Count(s.Calls), s.Line), Style: theme.Dim}
		l.fact(label, plain(draw.Clean(name)), count)
	}
}

// invokedText describes how often a function was invoked.
func invokedText(u usecase.RecordedFunction) string {
	switch {
	case u.Invocations == 0:
		return "never"
	case u.Unusable > 0:
		return fmt.Sprintf("%s recorded, %s of no use", words.Count(u.Invocations), words.Count(u.Unusable))
	}
	return words.Count(u.Invocations) + " recorded"
}
