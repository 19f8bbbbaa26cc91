package tui

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// requestLoader reads the .http files of the project, and watches them. Reading runs in the background. Each attempt has
// a number, so that the result of an older attempt is dropped.
type requestLoader struct {
	files    usecase.RequestFiles
	interval time.Duration // between two checks of the files

	no       int // the number of the latest attempt
	stamp    string
	seen     string // the stamp of the last check; files are read when they have not changed since
	problems []screen.FileProblem
	names    []string // those of the files
	last     string   // the file in which a test was saved last, "" for none
}

// proposed returns the names of the files, that of the last one first.
func (l *requestLoader) proposed() []string {
	if l.last == "" {
		return l.names
	}
	return slices.Insert(slices.DeleteFunc(slices.Clone(l.names), func(name string) bool { return name == l.last }), 0, l.last)
}

// requestsRead is sent after an attempt to read the files. stamp is their state before.
type requestsRead struct {
	no     int
	folder usecase.RequestFolder
	err    error
	stamp  string
}

// requestsChecked has the stamp of the files at the end of an interval.
type requestsChecked struct {
	no    int
	stamp string
}

// read begins a new attempt to read the files.
func (l *requestLoader) read() tea.Cmd {
	if l.files.Load == nil {
		return nil
	}
	l.no++
	no, load, stamp := l.no, l.files.Load, l.files.Stamp
	return func() tea.Msg {
		msg := requestsRead{no: no}
		if stamp != nil {
			msg.stamp = stamp()
		}
		msg.folder, msg.err = load()
		return msg
	}
}

// accept stores the problems of the files. isNew reports whether the attempt is the latest one, and problem is the first
// problem that the files did not have before, nil for none.
func (l *requestLoader) accept(msg requestsRead) (isNew bool, problem *screen.FileProblem) {
	if msg.no != l.no {
		return false, nil
	}
	known := map[screen.FileProblem]bool{}
	for _, p := range l.problems {
		known[p] = true
	}
	l.stamp, l.seen, l.problems = msg.stamp, msg.stamp, nil
	if msg.err != nil {
		l.problems = []screen.FileProblem{{File: msg.folder.Path, Problem: model.Problem{Text: msg.err.Error()}}}
	}
	l.names = nil
	for _, f := range msg.folder.Files {
		l.names = append(l.names, filepath.Base(f.Path))
		for _, p := range f.Problems {
			l.problems = append(l.problems, screen.FileProblem{File: f.Path, Problem: p})
		}
	}
	for i, p := range l.problems {
		if !known[p] {
			return true, &l.problems[i]
		}
	}
	return true, nil
}

// watch checks the files after the interval. It returns nil if files can't be watched.
func (l *requestLoader) watch() tea.Cmd {
	if l.files.Stamp == nil {
		return nil
	}
	no, stamp := l.no, l.files.Stamp
	return tea.Tick(l.interval, func(time.Time) tea.Msg { return requestsChecked{no: no, stamp: stamp()} })
}

// checked reads the files again if they have changed, and no longer change.
func (l *requestLoader) checked(msg requestsChecked) tea.Cmd {
	if msg.no != l.no { // another command watches
		return nil
	}
	settled := msg.stamp == l.seen
	l.seen = msg.stamp
	if msg.stamp != l.stamp && settled {
		return l.read()
	}
	return l.watch()
}

// follow reads the files again after a test was saved, and when other users or variables may solve their problems.
func (l *requestLoader) follow(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.TestSaved:
		l.last = filepath.Base(msg.Path)
		return l.read()
	case screen.ServiceChanged:
		return l.read()
	case screen.UsersChanged:
		if len(l.problems) > 0 {
			return l.read()
		}
	}
	return nil
}

// requestsRead passes the files that were read to the screens, and shows the first new problem.
func (a *app) requestsRead(msg requestsRead) tea.Cmd {
	isNew, problem := a.requests.accept(msg)
	if !isNew {
		return nil
	}
	a.refreshProblems()
	cmds := []tea.Cmd{a.requests.watch()}
	if msg.err == nil {
		cmds = append(cmds, a.screens.broadcast(screen.RequestFilesRead{Folder: msg.folder}))
	}
	if msg.folder.Users != nil {
		cmds = append(cmds, a.screens.broadcast(screen.UsersChanged{Names: msg.folder.Users}))
	}
	if problem != nil {
		err := fmt.Errorf("%s: %s (%s lists all)", placeOf(*problem), problem.Text, widget.KeyName(keyProblems))
		cmds = append(cmds, a.status.show(screen.StatusMessage{Err: err}))
	}
	return tea.Batch(cmds...)
}
