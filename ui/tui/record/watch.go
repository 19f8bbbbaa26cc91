package record

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// watch is the recording on show: a running one, or one that was opened.
type watch struct {
	api      screen.Recordings
	gen      int             // grows with each start and each opening; results of earlier ones are dropped
	busy     string          // what is being done, "" for nothing
	recorder screen.Recorder // nil of one that is over
	traffic  screen.RecordedTraffic
	seen     bool // there is something to show
	folder   string
	command  string
	err      error // why the last start or opening failed
}

// live reports whether the recording is running.
func (w *watch) live() bool { return w.recorder != nil }

// started is the answer to a start.
type started struct {
	gen      int
	watch    screen.RecordSettings
	recorder screen.Recorder
	err      error
}

// tick asks for the newest state of a recording, looked brings it.
type (
	tick   struct{ gen int }
	looked struct {
		gen     int
		traffic screen.RecordedTraffic
	}
)

// stopped tells that a recording was ended.
type stopped struct {
	gen     int
	traffic screen.RecordedTraffic
	err     error
}

// read brings a recording that was opened.
type read struct {
	gen       int
	dir       string
	recording model.Recording
	err       error
}

// start begins to record.
func (w *watch) start(how screen.RecordSettings) tea.Cmd {
	if w.busy != "" {
		return nil
	}
	w.gen++
	w.busy, w.err = "starting", nil
	gen, begin := w.gen, w.api.Start
	return func() tea.Msg {
		r, err := begin(context.Background(), how)
		return started{gen: gen, watch: how, recorder: r, err: err}
	}
}

// open reads an old recording.
func (w *watch) open(dir string) tea.Cmd {
	if w.busy != "" {
		return nil
	}
	w.gen++
	w.busy, w.err = "reading "+dir, nil
	gen, open := w.gen, w.api.Open
	return func() tea.Msg {
		r, err := open(context.Background(), dir)
		return read{gen: gen, dir: dir, recording: r, err: err}
	}
}

// stop ends the recording.
func (w *watch) stop() tea.Cmd {
	if !w.live() || w.busy != "" {
		return nil
	}
	w.busy = "stopping"
	gen, r := w.gen, w.recorder
	return func() tea.Msg {
		err := r.Stop()
		return stopped{gen: gen, traffic: r.Snapshot(), err: err}
	}
}

// watched takes a message about the recording.
func (s *Screen) watched(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case started:
		return s.started(msg)
	case tick:
		if msg.gen == s.watch.gen && s.watch.live() {
			return s.watch.look()
		}
	case looked:
		return s.looked(msg)
	case stopped:
		return s.stopped(msg)
	case read:
		s.read(msg)
	}
	return nil
}

func (s *Screen) started(msg started) tea.Cmd {
	if msg.gen != s.watch.gen {
		return nil
	}
	s.watch.busy = ""
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		again := msg.watch
		again.Force = true
		return s.question.Ask("Replace the recording?", "There is a recording in "+draw.Clean(msg.watch.Folder)+
			" already.", keyReplace, keyKeep,
			func() tea.Cmd { return s.watch.start(again) })
	case msg.err != nil:
		s.watch.err, s.setup = msg.err, true
		return nil
	}
	s.fresh(msg.recorder.Folder())
	s.watch.recorder, s.watch.command = msg.recorder, msg.recorder.Command()
	return s.watch.look()
}

// fresh shows a recording from the beginning.
func (s *Screen) fresh(dir string) {
	s.watch.folder, s.watch.recorder, s.watch.command, s.watch.err = dir, nil, "", nil
	s.exchanges.store.forget()
	s.tests.forget()
	s.setup, s.focus, s.side, s.exchanges.list = false, onList, sideExchange, widget.List{}
	s.exchanges.shown = nil
}

// look asks for the newest state of the recording.
func (w *watch) look() tea.Cmd {
	gen, r := w.gen, w.recorder
	return func() tea.Msg { return looked{gen, r.Snapshot()} }
}

func (s *Screen) looked(msg looked) tea.Cmd {
	if msg.gen != s.watch.gen || !s.watch.live() {
		return nil
	}
	s.take(msg.traffic)
	if msg.traffic.Done {
		s.watch.recorder, s.watch.err = nil, msg.traffic.Err
		return nil
	}
	return tea.Tick(s.interval, func(time.Time) tea.Msg { return tick{msg.gen} })
}

func (s *Screen) stopped(msg stopped) tea.Cmd {
	if msg.gen != s.watch.gen {
		return nil
	}
	s.watch.busy, s.watch.recorder = "", nil
	s.take(msg.traffic)
	if msg.err != nil {
		return screen.ShowError(msg.err)
	}
	return screen.ShowStatus(words.Plural(len(msg.traffic.Served), "exchange") + " recorded in " + s.watch.folder)
}

func (s *Screen) read(msg read) {
	if msg.gen != s.watch.gen {
		return
	}
	s.watch.busy = ""
	if msg.err != nil {
		s.watch.err, s.setup = msg.err, true
		return
	}
	s.fresh(msg.dir)
	s.take(screen.RecordedTraffic{Recording: msg.recording, Seen: len(msg.recording.Served), Done: true})
}
