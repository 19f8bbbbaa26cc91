package record

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// watch is the current recording, which is in progress or was opened.
type watch struct {
	api      usecase.Recordings
	interval time.Duration    // time between two reads of a recording in progress
	gen      int              // number of the latest start or opening; results of older ones are dropped
	busy     string           // "starting", "stopping" or "reading FOLDER", "" for nothing
	recorder usecase.Recorder // nil unless the recording is in progress
	traffic  usecase.RecordedTraffic
	readable bool // there is a recording to show
	folder   string
	command  string
	err      error // why the last start or opening failed
}

// live reports whether the recording is in progress.
func (w *watch) live() bool { return w.recorder != nil }

// started is sent when a recording was started or starting it failed.
type started struct {
	gen      int
	watch    usecase.RecordSettings
	recorder usecase.Recorder
	err      error
}

// tick is sent when a recording should be read again. trafficRead is sent with its latest state.
type (
	tick        struct{ gen int }
	trafficRead struct {
		gen     int
		traffic usecase.RecordedTraffic
	}
)

// stopped is sent when a recording was stopped.
type stopped struct {
	gen     int
	traffic usecase.RecordedTraffic
	err     error
}

// read is sent when a recording was read from its folder.
type read struct {
	gen       int
	dir       string
	recording model.Recording
	err       error
}

// start begins a recording.
func (w *watch) start(settings usecase.RecordSettings) tea.Cmd {
	if w.busy != "" {
		return nil
	}
	w.gen++
	w.busy, w.err = "starting", nil
	gen, begin := w.gen, w.api.Start
	return func() tea.Msg {
		r, err := begin(context.Background(), settings)
		return started{gen: gen, watch: settings, recorder: r, err: err}
	}
}

// open reads the recording in a folder.
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

// stop ends a recording in progress.
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

// watchEvent describes the effect of a message to a watch on the rest of the screen.
type watchEvent struct {
	cmd      tea.Cmd
	begun    bool                     // another recording is shown
	traffic  *usecase.RecordedTraffic // newer state, nil for none
	failed   bool                     // a start or an opening failed; err has the reason
	conflict *usecase.RecordSettings  // the folder already has a recording, which these settings replace
}

// update handles a message about the recording. It drops results of older starts and openings.
func (w *watch) update(msg tea.Msg) watchEvent {
	switch msg := msg.(type) {
	case started:
		if msg.gen == w.gen {
			return w.started(msg)
		}
	case tick:
		if msg.gen == w.gen && w.live() {
			return watchEvent{cmd: w.readTraffic()}
		}
	case trafficRead:
		if msg.gen == w.gen && w.live() {
			return w.showTraffic(msg)
		}
	case stopped:
		if msg.gen == w.gen {
			return w.stopped(msg)
		}
	case read:
		if msg.gen == w.gen {
			return w.read(msg)
		}
	}
	return watchEvent{}
}

func (w *watch) started(msg started) watchEvent {
	w.busy = ""
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		again := msg.watch
		again.Force = true
		return watchEvent{conflict: &again}
	case msg.err != nil:
		w.err = msg.err
		return watchEvent{failed: true}
	}
	w.begin(msg.recorder.Folder())
	w.recorder, w.command = msg.recorder, msg.recorder.Command()
	return watchEvent{begun: true, cmd: w.readTraffic()}
}

// begin sets the folder of another recording, and drops the data of the previous one.
func (w *watch) begin(folder string) {
	w.folder, w.recorder, w.command, w.err = folder, nil, "", nil
}

// readTraffic returns a command that reads the latest state of the recording.
func (w *watch) readTraffic() tea.Cmd {
	gen, r := w.gen, w.recorder
	return func() tea.Msg { return trafficRead{gen, r.Snapshot()} }
}

func (w *watch) showTraffic(msg trafficRead) watchEvent {
	event := watchEvent{traffic: &msg.traffic}
	if msg.traffic.Done {
		w.recorder, w.err = nil, msg.traffic.Err
		return event
	}
	event.cmd = tea.Tick(w.interval, func(time.Time) tea.Msg { return tick{msg.gen} })
	return event
}

func (w *watch) stopped(msg stopped) watchEvent {
	w.busy, w.recorder = "", nil
	event := watchEvent{traffic: &msg.traffic}
	if msg.err != nil {
		event.cmd = screen.ShowError(msg.err)
		return event
	}
	event.cmd = tea.Batch(
		screen.ShowStatus(words.Plural(len(msg.traffic.Served), "exchange")+" recorded in "+w.folder), screen.TrafficIsKept(w.folder),
	)
	return event
}

func (w *watch) read(msg read) watchEvent {
	w.busy = ""
	if msg.err != nil {
		w.err = msg.err
		return watchEvent{failed: true}
	}
	w.begin(msg.dir)
	traffic := usecase.RecordedTraffic{Recording: msg.recording, Seen: len(msg.recording.Served), Done: true}
	return watchEvent{begun: true, traffic: &traffic, cmd: screen.TrafficIsKept(msg.dir)}
}
