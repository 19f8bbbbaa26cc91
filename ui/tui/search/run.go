package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/source"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// trackedRun is the run that the screen shows: its newest snapshot, and the user's commands.
type trackedRun struct {
	generation int // increases with each run that is started or opened; ticks of earlier runs are dropped
	starting   bool
	builds     bool               // the service is built before the run starts
	cancel     context.CancelFunc // cancels the start
	handle     usecase.SearchRun  // nil until the run has started, or if another program started it
	settings   usecase.SearchSettings

	tuning       model.Tuning    // the tuning once all commands have taken effect
	commands     []model.Command // all commands of the user, in their order
	paused       bool            // the user has paused the run, or the run has paused itself
	stopping     bool
	usersChanged bool // users were added or removed since the run began

	snap        model.Snapshot
	folder      string
	hasSnapshot bool // a snapshot arrived
	facts       facts

	earlierCommands int                 // number of commands that took effect before the run began or was resumed
	past            *usecase.PastSearch // nil if the run was not read from disk

	before   *trackedRun  // while a run is starting: the run to show again if the start fails
	previous *previousRun // the run that was shown before, nil if there was none
}

// started is sent when a run has started, or its start has failed.
type started struct {
	run usecase.SearchRun
	err error
}

// tick asks for the newest snapshot of a run.
type tick struct{ generation int }

// begin starts a search in the background.
func (r *trackedRun) begin(e screen.Engine, s usecase.SearchSettings, builds bool) tea.Cmd {
	before := *r
	ctx, cancel := context.WithCancel(context.Background())
	*r = trackedRun{
		generation:      r.generation + 1,
		starting:        true,
		builds:          builds,
		cancel:          cancel,
		settings:        s,
		tuning:          s.Tuning,
		earlierCommands: len(s.Stubs),
		before:          &before,
		previous:        previousOf(before, s),
	}
	if s.ResumeFolder != "" {
		r.tuning, r.earlierCommands, r.previous = before.snap.Tuning, len(before.snap.Marks), before.previous
	}
	start := func() tea.Msg {
		run, err := e.Searches.Start(ctx, s)
		return started{run, err}
	}
	return tea.Batch(e.Queue.Send(screen.RunStarting(true)), start)
}

// reopen shows a run that was read from disk.
func (r *trackedRun) reopen(p usecase.PastSearch, snap model.Snapshot) {
	before := *r
	*r = trackedRun{
		generation: r.generation + 1,
		settings:   p.Settings,
		tuning:     snap.Tuning,
		past:       &p,
		previous:   previousOf(before, p.Settings),
	}
	if before.folder == p.Folder {
		r.previous = before.previous
	}
}

// giveUp returns to the run that was shown before the failed start.
func (r *trackedRun) giveUp() {
	generation := r.generation
	*r = *r.before
	r.generation = generation
}

// adopt stores the run that was started, and starts to read its snapshots.
func (r *trackedRun) adopt(run usecase.SearchRun, every time.Duration) tea.Cmd {
	r.starting, r.handle, r.before = false, run, nil
	if r.stopping {
		run.Stop()
	}
	return tea.Batch(progress(run), wait(every, r.generation))
}

// tick requests another snapshot, unless the run has ended.
func (r *trackedRun) tick(msg tick, every time.Duration) tea.Cmd {
	if msg.generation != r.generation || r.handle == nil || r.ended() {
		return nil
	}
	return tea.Batch(progress(r.handle), wait(every, r.generation))
}

func wait(every time.Duration, generation int) tea.Cmd {
	return tea.Tick(every, func(time.Time) tea.Msg { return tick{generation} })
}

func progress(run usecase.SearchRun) tea.Cmd {
	return func() tea.Msg { return screen.RunProgress{Snapshot: run.Snapshot(), Folder: run.Folder()} }
}

// take stores a newer snapshot of the run. It drops snapshots of other runs, snapshots without a phase, and
// all snapshots while the run is starting.
func (r *trackedRun) take(p screen.RunProgress, analyzed *screen.AnalyzedSpec, names draw.SeqNames) tea.Cmd {
	if r.starting || p.Snapshot.Phase == "" || r.handle != nil && p.Folder != r.handle.Folder() {
		return nil
	}
	was, refused := r.ended(), len(r.snap.Refused)
	if r.handle == nil {
		r.tuning = p.Snapshot.Tuning
	}
	if p.Snapshot.Denied != nil && r.snap.Denied == nil {
		r.paused = true // the run has paused itself
	}
	r.snap, r.folder, r.hasSnapshot = p.Snapshot, p.Folder, true
	r.facts = newFacts(p.Snapshot, analyzed, names, r.firstTuning())
	switch more := r.snap.Refused[min(refused, len(r.snap.Refused)):]; {
	case r.handle == nil, r.past != nil:
	case r.ended() && !was:
		return r.outcome()
	case len(more) > 0:
		return screen.ShowError(errors.New(more[len(more)-1].Text))
	}
	return nil
}

// firstTuning returns the tuning with which the run began, nil if that is unknown.
func (r *trackedRun) firstTuning() *model.Tuning {
	if r.handle == nil {
		return nil
	}
	return &r.settings.Tuning
}

// reads returns the function that reads source files of the run's service, nil if there is no run or
// another program started it.
func (r *trackedRun) reads() source.Read {
	if r.handle == nil {
		return nil
	}
	return r.handle.Source
}

// active reports whether the run was started here and has not ended.
func (r *trackedRun) active() bool { return r.starting || r.handle != nil && !r.ended() }

func (r *trackedRun) ended() bool { return r.hasSnapshot && r.snap.Phase == model.PhaseDone }

// steerable reports whether the run takes commands, and a snapshot of it has arrived.
func (r *trackedRun) steerable() bool { return r.handle != nil && r.hasSnapshot && !r.ended() }

// halted reports whether the run has stopped playing tests because of a pause.
func (r *trackedRun) halted() bool { return r.snap.Phase == model.PhasePaused }

// share returns the used part of the budget, 0 to 1.
func (r *trackedRun) share() float64 {
	if math.IsNaN(r.snap.Used) {
		return 0
	}
	return max(0, min(r.snap.Used, 1))
}

// togglePause pauses the run or resumes it.
func (r *trackedRun) togglePause() {
	r.paused = !r.paused
	if r.paused {
		r.handle.Pause()
	} else {
		r.handle.Resume()
	}
}

// unsteerable shows in the status line why the wanted change cannot be made now: no run is in progress, or a run is
// still starting.
func (r *trackedRun) unsteerable(wanted string) tea.Cmd {
	if r.starting {
		return screen.ShowStatus("The search is starting: try again in a moment")
	}
	return screen.ShowStatus("No search is running that could " + wanted + ": 5 starts one")
}

// stop ends the run and shows the folder of the run. If the run is still starting, it cancels the start.
func (r *trackedRun) stop() tea.Cmd {
	r.stopping = true
	if r.handle == nil {
		r.cancel()
		return screen.ShowStatus("stopping …")
	}
	r.handle.Stop()
	return screen.ShowStatus("Stopping; the run is kept in " + r.handle.Folder())
}

// step has the run play one more test, and pause after it.
func (r *trackedRun) step() {
	r.paused = true
	r.handle.Step()
}

// apply sends a command to the run, which must be steerable.
func (r *trackedRun) apply(c model.Command) {
	r.commands = append(slices.Clip(r.commands), c)
	r.handle.Apply(c)
}

// waiting returns the commands that have not taken effect yet. The run applies commands in their order.
func (r *trackedRun) waiting() []model.Command {
	if r.ended() {
		return nil
	}
	settled := max(0, len(r.snap.Marks)+len(r.snap.Refused)-r.earlierCommands)
	return r.commands[min(settled, len(r.commands)):]
}

// adjustKnob changes a knob of the run. It starts from the value in the latest command for the knob or, if
// that command has taken effect, from the current value in the run.
func (r *trackedRun) adjustKnob(k knob, a adjustment) {
	from := k.get(r.snap.Applied)
	if r.pending(k) {
		from = k.get(r.tuning)
	}
	r.setKnob(k, k.adjusted(from, a))
}

// setKnob changes a knob of the run to a value.
func (r *trackedRun) setKnob(k knob, value float64) {
	c := model.TuningChange{Knob: k.id, Value: value}
	r.tuning = r.tuning.WithChange(c)
	r.apply(model.Command{Change: &c})
}

// pending reports whether a command for the knob has not taken effect yet.
func (r *trackedRun) pending(k knob) bool {
	return r.hasSnapshot && !equal(k.get(r.tuning), k.get(r.snap.Tuning))
}

// failure returns the reason why the run counts as failed, nil if it does not count as failed. A run that has ended
// without a single 2xx counts as failed, unless the run was stopped.
func (r *trackedRun) failure() error {
	s := r.snap.Summary
	switch {
	case r.snap.Err != nil:
		return r.snap.Err
	case r.ended() && !s.Cancelled && s.With2xx == 0:
		return fmt.Errorf("not one of %s was answered with a 2xx", words.Plural(s.Calls, "call"))
	}
	return nil
}

// outcome shows in the status line how the run ended.
func (r *trackedRun) outcome() tea.Cmd {
	s := r.snap.Summary
	if err := r.failure(); err != nil {
		return screen.ShowError(fmt.Errorf("the search failed: %w", err))
	}
	text := fmt.Sprintf("The search is done: %s of %s targets, %s; kept in %s",
		words.Count(s.Covered), words.Count(s.Targets), words.Plural(s.Faults, "fault"), r.folder)
	if s.Cancelled {
		text = "The search was stopped; it is kept in " + r.folder
	}
	return tea.Batch(screen.ShowStatus(text), screen.TrafficIsKept(r.folder))
}
