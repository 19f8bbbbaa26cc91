package search

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"sonde/model"
	"sonde/runner/search/mio"
)

// job is a test that a worker plays.
type job struct {
	number      int // number of the test in the run, from 1
	candidate   mio.Candidate[*trial]
	caller      *worker
	test        model.Test
	codeTargets []int // those of the trial
	isSweep     bool
	timed       context.Context
	cancel      context.CancelFunc

	played   played
	panicked string        // the panic with its stack
	done     chan struct{} // closed after the test was played; nil if take plays it
}

// workQueue holds the tests that are being played, in the order in which they were asked for.
// Workers take turns: which worker plays a test depends on its position in this order, not on
// which worker is free first.
type workQueue struct {
	ctx        context.Context
	cancel     context.CancelFunc
	callers    []*worker
	jobs       []chan *job // of the workers; nil if there is only one
	nextWorker int
	waiting    []*job
}

// open starts a goroutine for each worker, which ends with close. A single worker plays its test
// in take instead: handing the test over would take longer than playing a short one.
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

// close cancels the tests that are still being played and waits for their end.
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
			j.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack()) // the stack is lost after recover
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

// next returns the worker whose turn it is. The queue must not be full.
func (l *workQueue) next() *worker { return l.callers[l.nextWorker] }

// dispatch lets the worker whose turn it is play a test.
func (l *workQueue) dispatch(j *job) {
	j.caller = l.next()
	l.waiting = append(l.waiting, j)
	if l.jobs != nil {
		j.done = make(chan struct{})
		l.jobs[l.nextWorker] <- j
	}
	l.nextWorker = (l.nextWorker + 1) % len(l.callers)
}

// take removes the first test of the queue and waits until it was played. If playing it panicked,
// take panics.
func (l *workQueue) take() *job {
	j := l.waiting[0]
	l.waiting = slices.Delete(l.waiting, 0, 1) // unlike [1:], this keeps the capacity
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
