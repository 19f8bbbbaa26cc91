package record

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
)

// idleRecorder is a recording without traffic.
type idleRecorder struct{ stopped bool }

func (r *idleRecorder) Snapshot() usecase.RecordedTraffic {
	return usecase.RecordedTraffic{Done: r.stopped, Seen: 7}
}

func (r *idleRecorder) Stop() error {
	r.stopped = true
	return nil
}

func (r *idleRecorder) Folder() string  { return "recording" }
func (r *idleRecorder) Command() string { return "sonde record" }

// watchOf returns a watch whose start returns r or err.
func watchOf(r usecase.Recorder, err error) watch {
	return watch{interval: time.Nanosecond, api: usecase.Recordings{
		Start: func(context.Context, usecase.RecordSettings) (usecase.Recorder, error) { return r, err },
		Open: func(context.Context, string) (model.Recording, error) {
			return model.Recording{Title: "Shop"}, err
		},
	}}
}

func TestWatchARecording(t *testing.T) {
	w := watchOf(&idleRecorder{}, nil)
	event := w.update(w.start(usecase.RecordSettings{})())
	if !event.begun || !w.live() || w.folder != "recording" || w.command != "sonde record" {
		t.Fatalf("after the start: %+v, %+v", event, w)
	}
	event = w.update(event.cmd())
	if event.traffic == nil || event.traffic.Seen != 7 || !w.live() {
		t.Fatalf("after a look: %+v", event)
	}
	tock := event.cmd()
	if event = w.update(tock); event.cmd == nil {
		t.Error("the next look was not requested")
	}
	event = w.update(w.stop()())
	if event.traffic == nil || !event.traffic.Done || w.live() || w.busy != "" {
		t.Errorf("after the stop: %+v, %+v", event, w)
	}
	if event = w.update(tock); event.cmd != nil {
		t.Error("a recording that has ended is looked at")
	}
}

func TestWatchFailures(t *testing.T) {
	broken := errors.New("the port is taken")
	w := watchOf(nil, broken)
	if event := w.update(w.start(usecase.RecordSettings{})()); !event.failed || !errors.Is(w.err, broken) {
		t.Errorf("start: %+v, error %v", event, w.err)
	}
	if event := w.update(w.open("old")()); !event.failed || !errors.Is(w.err, broken) {
		t.Errorf("open: %+v, error %v", event, w.err)
	}
	w = watchOf(nil, fs.ErrExist)
	event := w.update(w.start(usecase.RecordSettings{Folder: "old"})())
	if event.conflict == nil || !event.conflict.Force || event.conflict.Folder != "old" {
		t.Errorf("an existing folder: %+v", event)
	}
}

// The result of an older start or opening is dropped.
func TestWatchDropsLateResults(t *testing.T) {
	w := watchOf(&idleRecorder{}, nil)
	late := w.open("first")()
	w.busy = ""
	current := w.open("second")()
	if event := w.update(late); event.begun || w.folder != "" {
		t.Errorf("a late result was used: %+v", event)
	}
	if event := w.update(current); !event.begun || w.folder != "second" || event.traffic.Title != "Shop" {
		t.Errorf("the current result: %+v in %q", event, w.folder)
	}
	if w.live() || w.stop() != nil {
		t.Error("an old recording can be stopped")
	}
}

// While an action is in progress, no other action starts.
func TestWatchIsBusy(t *testing.T) {
	w := watchOf(&idleRecorder{}, nil)
	w.start(usecase.RecordSettings{})
	if w.start(usecase.RecordSettings{}) != nil || w.open("old") != nil || w.stop() != nil {
		t.Error("a second command was started")
	}
}
