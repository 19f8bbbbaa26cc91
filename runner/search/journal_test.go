package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search"
)

// The commands that were applied to a run are in its snapshot, in order, and in its events.
func TestSnapshotHasAppliedCommands(t *testing.T) {
	_, url := serve(t)
	p := plan(url, 0)
	p.Limits = model.Limits{Time: time.Hour}
	var written []string
	run := start(t, p, search.Sink{Emit: func(l model.LogEntry) error {
		written = append(written, fmt.Sprintf("%T", l.Event))
		return nil
	}})
	until(t, func() bool { return run.Snapshot().Summary.Calls > 20 })
	run.Pause()
	until(t, func() bool { return run.Snapshot().Phase == model.PhasePaused })
	run.Tune(model.TuningChange{Knob: model.KnobSmart, Value: 0.9})
	until(t, func() bool { return len(run.Snapshot().Marks) == 1 })
	run.Step()
	run.Resume()
	until(t, func() bool { return logged(run.Snapshot(), "model.PauseEnded") })
	run.Stop()
	s := run.Wait()
	want := []string{"model.RunStarted", "model.PauseBegan", "model.AppliedCommand", "model.PauseEnded", "model.RunStopped"}
	var got []string
	last := model.LogEntry{}
	for _, l := range s.Log {
		if l.At < last.At || l.Call < last.Call {
			t.Errorf("%+v comes after %+v", l, last)
		}
		last = l
		if kind := fmt.Sprintf("%T", l.Event); slices.Contains(want, kind) {
			got = append(got, kind)
		}
	}
	if !slices.Equal(got, want) || s.Unlogged != 0 {
		t.Errorf("got %v and %d before them, want %v", got, s.Unlogged, want)
	}
	if !logged(s, "model.TargetCovered") || logged(s, "model.Progress") {
		t.Error("targets are not in the log, or progress is")
	}
	if all := strings.Join(written, " "); !strings.Contains(all, "model.PauseBegan") || !strings.Contains(all, "model.PauseEnded") {
		t.Errorf("the pause is not written: %s", all)
	}
}

func logged(s model.Snapshot, kind string) bool {
	return slices.ContainsFunc(s.Log, func(l model.LogEntry) bool { return fmt.Sprintf("%T", l.Event) == kind })
}
