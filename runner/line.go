package runner

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"sonde/model"
	"sonde/runner/mio"
)

// job is a test that one caller plays.
type job struct {
	number int // of tests that were asked for, from 1
	asked  mio.Asked[*trial]
	caller *caller
	test   model.Test
	seeks  []int // see trial
	sweeps bool
	timed  context.Context
	cancel context.CancelFunc

	played   played
	panicked string        // with the stack
	done     chan struct{} // closed when it was played; nil where next plays it
}

// line is the tests that are being played, the first that was asked for ahead.
// Callers take turns: a test's caller follows from its place in the line, not
// from who is free first.
type line struct {
	ctx     context.Context
	halt    context.CancelFunc
	callers []*caller
	jobs    []chan *job // of the callers; nil where one alone plays
	turn    int
	waiting []*job
}

// open lets each caller play on a goroutine of its own, until close. One alone
// plays when its test is waited for: to hand it over takes longer than to bind a
// call.
func (l *line) open(ctx context.Context, callers []*caller) {
	*l = line{callers: callers}
	l.ctx, l.halt = context.WithCancel(ctx)
	if len(callers) == 1 {
		return
	}
	l.jobs = make([]chan *job, len(callers))
	for i := range callers {
		l.jobs[i] = make(chan *job, 1)
		go work(l.ctx, l.jobs[i])
	}
}

// close ends what is still being played, which nobody will ask for any more, and
// waits for that.
func (l *line) close() {
	l.halt()
	for _, jobs := range l.jobs {
		close(jobs)
	}
	for _, j := range l.waiting {
		if j.done != nil {
			<-j.done
		}
	}
}

func work(ctx context.Context, jobs <-chan *job) {
	for j := range jobs {
		j.play(ctx)
		close(j.done)
	}
}

func (j *job) play(ctx context.Context) {
	defer j.cancel()
	defer func() {
		if p := recover(); p != nil {
			j.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack()) // here it still tells where
		}
	}()
	if w := j.caller.watch; w != nil {
		w.marking, w.last = j.sweeps, len(j.test.Calls)-1
		w.also(j.seeks, true)
		defer w.also(j.seeks, false)
	}
	j.played = j.caller.play(ctx, j.timed, j.test)
}

func (l *line) full() bool  { return len(l.waiting) == len(l.callers) }
func (l *line) empty() bool { return len(l.waiting) == 0 }

// free is the caller whose turn it is; the line is not full.
func (l *line) free() *caller { return l.callers[l.turn] }

// add lets the caller whose turn it is play a test.
func (l *line) add(j *job) {
	j.caller = l.free()
	l.waiting = append(l.waiting, j)
	if l.jobs != nil {
		j.done = make(chan struct{})
		l.jobs[l.turn] <- j
	}
	l.turn = (l.turn + 1) % len(l.callers)
}

// next waits for the first in the line, and takes it out. A panic of its
// goroutine goes on here.
func (l *line) next() *job {
	j := l.waiting[0]
	l.waiting = slices.Delete(l.waiting, 0, 1) // rather than [1:], after which each append takes memory
	if l.jobs == nil {
		j.play(l.ctx)
	} else {
		<-j.done
	}
	if j.panicked != "" {
		panic(j.panicked)
	}
	return j
}

// generous is how many requests a test may take for each of its calls where it
// is not alone: the call, logging in anew and calling again; and as much once
// more.
const generous = 6

// share is how many requests a test may take while others are played, too.
func (e *engine) share(t model.Test) int { return e.cost + generous*(len(t.Calls)+len(e.plan.Users)) }

// afford reports whether there is enough left of the budget for a test beside
// those that are being played. One alone takes what there is.
func (e *engine) afford() bool {
	return e.line.empty() || e.budget.left() > e.cost+generous*(longest+len(e.plan.Users))
}

// longest is more calls than a test usually has.
const longest = 64

// send lets the caller whose turn it is play what was asked for.
func (e *engine) send(asked mio.Asked[*trial]) {
	j := &job{number: e.asked, asked: asked, test: asked.Individual.script(), seeks: asked.Individual.seeks, sweeps: asked.Individual.sweeps()}
	j.test.Stubs = e.hosts.before(j.test.Stubs)
	free := e.line.free()
	free.watch.tell(e.source.told(), e.source.known())
	purse, most := &free.purse, e.share(j.test)
	if len(e.callers) == 1 {
		most = e.budget.left()
	}
	e.budget.fill(purse, most)
	j.timed, j.cancel = e.budget.deadline(e.line.ctx)
	e.line.add(j)
}
