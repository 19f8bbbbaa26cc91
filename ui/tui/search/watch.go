package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"sonde/model"
	"sonde/ui/chain"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/search/source"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// watch is a run as far as the screen knows it, and what was asked of it.
type watch struct {
	gen      int // grows with each start; ticks of earlier ones are dropped
	starting bool
	builds   bool               // to start it is to build the service first
	cancel   context.CancelFunc // ends the start
	run      screen.Run         // nil until it started, or where it is not ours
	settings screen.Settings

	asked    model.Tuning  // if all that was asked for were in force
	steers   []model.Steer // all that was asked for, in its order
	paused   bool          // was asked for, as is
	stopping bool
	users    bool // others were configured since

	snap   model.Snapshot
	folder string
	seen   bool // a snapshot came
	facts  facts

	given int          // how much was done to it before it began, or went on
	past  *screen.Past // nil where it was not read from disk

	before *watch // while starting: what there was, in case that fails
	rival  *rival // nil where no run was before
}

// started is the answer to a start.
type started struct {
	run screen.Run
	err error
}

// tick asks for the newest snapshot of a run.
type tick struct{ gen int }

// begin starts a search in the background.
func (w *watch) begin(e screen.Engine, s screen.Settings, builds bool) tea.Cmd {
	before := *w
	ctx, cancel := context.WithCancel(context.Background())
	*w = watch{gen: w.gen + 1, starting: true, builds: builds, cancel: cancel, settings: s, asked: s.Tuning, given: len(s.Stubs), before: &before, rival: rivalOf(before, s)}
	if s.Onward != "" {
		w.asked, w.given, w.rival = before.snap.Tuning, len(before.snap.Marks), before.rival
	}
	start := func() tea.Msg {
		run, err := e.Start(ctx, s)
		return started{run, err}
	}
	return tea.Batch(e.Post.Send(screen.Starting(true)), start)
}

// reopen shows a run that was read from disk.
func (w *watch) reopen(p screen.Past, snap model.Snapshot) {
	before := *w
	*w = watch{gen: w.gen + 1, settings: p.Settings, asked: snap.Tuning, past: &p, rival: rivalOf(before, p.Settings)}
	if before.folder == p.Folder {
		w.rival = before.rival
	}
}

// giveUp goes back to what there was before a start that failed.
func (w *watch) giveUp() {
	gen := w.gen
	*w = *w.before
	w.gen = gen
}

// adopt takes the run that was started, and begins to look at it.
func (w *watch) adopt(run screen.Run, every time.Duration) tea.Cmd {
	w.starting, w.run, w.before = false, run, nil
	if w.stopping {
		run.Stop()
	}
	return tea.Batch(progress(run), wait(every, w.gen))
}

// tick looks at the run once more, while it goes on.
func (w *watch) tick(msg tick, every time.Duration) tea.Cmd {
	if msg.gen != w.gen || w.run == nil || w.ended() {
		return nil
	}
	return tea.Batch(progress(w.run), wait(every, w.gen))
}

func wait(every time.Duration, gen int) tea.Cmd {
	return tea.Tick(every, func(time.Time) tea.Msg { return tick{gen} })
}

func progress(run screen.Run) tea.Cmd {
	return func() tea.Msg { return screen.Progress{Snapshot: run.Snapshot(), Folder: run.Folder()} }
}

// take shows a newer state of the run. One of an earlier run is dropped.
func (w *watch) take(p screen.Progress, study *screen.Study, names chain.Names) tea.Cmd {
	if w.starting || p.Snapshot.Phase == "" || w.run != nil && p.Folder != w.run.Folder() {
		return nil
	}
	was, refused := w.ended(), len(w.snap.Refused)
	if w.run == nil {
		w.asked = p.Snapshot.Tuning
	}
	if p.Snapshot.Denied != nil && w.snap.Denied == nil {
		w.paused = true // by the run itself
	}
	w.snap, w.folder, w.seen = p.Snapshot, p.Folder, true
	w.facts = newFacts(p.Snapshot, study, names, w.first())
	switch more := w.snap.Refused[min(refused, len(w.snap.Refused)):]; {
	case w.run == nil, w.past != nil:
	case w.ended() && !was:
		return w.outcome()
	case len(more) > 0:
		return screen.Fail(errors.New(more[len(more)-1].Text))
	}
	return nil
}

// first is the tuning that the run began with, nil where nobody knows.
func (w *watch) first() *model.Tuning {
	if w.run == nil {
		return nil
	}
	return &w.settings.Tuning
}

// reads is how to read the source of the run's service, nil where the run is not
// ours.
func (w *watch) reads() source.Read {
	if w.run == nil {
		return nil
	}
	return w.run.Source
}

func (w *watch) active() bool { return w.starting || w.run != nil && !w.ended() }

func (w *watch) ended() bool { return w.seen && w.snap.Phase == model.Done }

// failure says why the run counts as failed, or is nil. A run without a single
// 2xx never looks like success.
func (w *watch) failure() error {
	s := w.snap.Summary
	switch {
	case w.snap.Err != nil:
		return w.snap.Err
	case w.ended() && !s.Cancelled && s.With2xx == 0:
		return fmt.Errorf("not one of %s was answered with a 2xx", words.Plural(s.Calls, "call"))
	}
	return nil
}

// outcome says in one line how the run ended.
func (w *watch) outcome() tea.Cmd {
	s := w.snap.Summary
	if err := w.failure(); err != nil {
		return func() tea.Msg { return screen.Say{Err: fmt.Errorf("the search failed: %w", err)} }
	}
	if s.Cancelled {
		return screen.Tell("The search was stopped; it is kept in " + w.folder)
	}
	return screen.Tell(fmt.Sprintf("The search is done: %s of %s targets, %s; kept in %s",
		words.Count(s.Covered), words.Count(s.Targets), words.Plural(s.Faults, "fault"), w.folder))
}

// pause pauses the run or lets it go on.
func (w *watch) pause() {
	if w.run == nil || w.ended() {
		return
	}
	w.paused = !w.paused
	if w.paused {
		w.run.Pause()
	} else {
		w.run.Resume()
	}
}

// stop ends the run, as soon as it is there, and says where it is kept.
func (w *watch) stop() tea.Cmd {
	if !w.active() {
		return nil
	}
	w.stopping = true
	if w.run == nil {
		w.cancel()
		return screen.Tell("stopping …")
	}
	w.run.Stop()
	return screen.Tell("Stopping; the run is kept in " + w.run.Folder())
}

// step lets the run play one more test, and holds it then.
func (w *watch) step() {
	if w.steerable() {
		w.paused = true
		w.run.Step()
	}
}

// steerable tells that the run listens, and that it is known how it is now.
func (w *watch) steerable() bool { return w.run != nil && w.seen && !w.ended() }

// steer asks the run for something.
func (w *watch) steer(s model.Steer) {
	w.steers = append(slices.Clip(w.steers), s)
	w.run.Steer(s)
}

// waiting is what was asked for and is not in force yet. The run takes up one
// after the other.
func (w *watch) waiting() []model.Steer {
	if w.ended() {
		return nil
	}
	settled := max(0, len(w.snap.Marks)+len(w.snap.Refused)-w.given)
	return w.steers[min(settled, len(w.steers)):]
}

// tune turns a knob of the run: from where it is asked to be, or from what it
// comes to now if that is so already.
func (w *watch) tune(k knob, small, up bool) {
	if !w.steerable() {
		return
	}
	from := k.get(w.snap.Applied)
	if w.pending(k) {
		from = k.get(w.asked)
	}
	t := model.Turn{Knob: k.id, Value: k.turn(from, small, up)}
	w.asked = w.asked.With(t)
	w.steer(model.Steer{Turn: &t})
}

// pending tells that what was asked for is not in force yet.
func (w *watch) pending(k knob) bool {
	return w.seen && !equal(k.get(w.asked), k.get(w.snap.Tuning))
}

// share is the used part of the budget, 0 to 1.
func (w *watch) share() float64 {
	if math.IsNaN(w.snap.Used) {
		return 0
	}
	return max(0, min(w.snap.Used, 1))
}

// halted tells that the run is paused by now.
func (w *watch) halted() bool { return w.snap.Phase == model.Paused }
