package search

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"sonde/model"
	"sonde/runner/search/mio"
)

// job is a test that one caller plays.
type job struct {
	number      int // of tests that were asked for, from 1
	candidate   mio.Candidate[*trial]
	caller      *worker
	test        model.Test
	codeTargets []int // see trial
	isSweep     bool
	timed       context.Context
	cancel      context.CancelFunc

	played   played
	panicked string        // with the stack
	done     chan struct{} // closed when it was played; nil where next plays it
}

// workQueue is the tests that are being played, the first that was asked for ahead.
// Callers take turns: a test's caller follows from its place in the line, not
// from who is free first.
type workQueue struct {
	ctx        context.Context
	cancel     context.CancelFunc
	callers    []*worker
	jobs       []chan *job // of the callers; nil where one alone plays
	nextWorker int
	waiting    []*job
}

// open lets each caller play on a goroutine of its own, until close. One alone
// plays when its test is waited for: to hand it over takes longer than to bind a
// call.
func (l *workQueue) open(ctx context.Context, callers []*worker) {
	*l = workQueue{callers: callers}
	l.ctx, l.cancel = context.WithCancel(ctx)
	if len(callers) == 1 {
		return
	}
	l.jobs = make([]chan *job, len(callers))
	for i := range callers {
		l.jobs[i] = make(chan *job, 1)
		go runWorker(l.ctx, l.jobs[i])
	}
}

// close ends what is still being played, which nobody will ask for any more, and
// waits for that.
func (l *workQueue) close() {
	l.cancel()
	for _, jobs := range l.jobs {
		close(jobs)
	}
	for _, j := range l.waiting {
		if j.done != nil {
			<-j.done
		}
	}
}

func runWorker(ctx context.Context, jobs <-chan *job) {
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
	if w := j.caller.tracker; w != nil {
		w.marking, w.lastCall = j.isSweep, len(j.test.Calls)-1
		w.request(j.codeTargets, true)
		defer w.request(j.codeTargets, false)
	}
	j.played = j.caller.play(ctx, j.timed, j.test)
}

func (l *workQueue) full() bool { return len(l.waiting) == len(l.callers) }

func (l *workQueue) empty() bool { return len(l.waiting) == 0 }

// next is the caller whose turn it is; the line is not full.
func (l *workQueue) next() *worker { return l.callers[l.nextWorker] }

// dispatch lets the caller whose turn it is play a test.
func (l *workQueue) dispatch(j *job) {
	j.caller = l.next()
	l.waiting = append(l.waiting, j)
	if l.jobs != nil {
		j.done = make(chan struct{})
		l.jobs[l.nextWorker] <- j
	}
	l.nextWorker = (l.nextWorker + 1) % len(l.callers)
}

// take waits for the first in the line, and takes it out. A panic of its
// goroutine goes on here.
func (l *workQueue) take() *job {
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
