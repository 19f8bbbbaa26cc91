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
	worker      *worker
	test        model.Test
	codeTargets []int // targets to report although they are covered, see trial
	isSweep     bool
	ctx         context.Context
	cancel      context.CancelFunc

	played   played
	panicked string        // the panic with its stack, "" if there was none
	done     chan struct{} // closed after the test was played; nil if receive plays it
}

// workQueue holds the tests that are being played, in the order in which they were dispatched. The workers
// play tests in turn: the order decides which worker plays a test, not the speed of the workers.
type workQueue struct {
	ctx       context.Context
	cancel    context.CancelFunc
	workers   []*worker
	jobs      []chan *job // channel of each worker; nil if there is only one worker
	nextIndex int         // index of the worker that plays the next test
	waiting   []*job      // dispatched and not received
}

// open starts a goroutine for each worker. The goroutines end with close. A single worker has no goroutine:
// receive plays the test, because passing a short test to a goroutine takes longer than playing it.
func (q *workQueue) open(ctx context.Context, callers []*worker) {
	*q = workQueue{workers: callers}
	q.ctx, q.cancel = context.WithCancel(ctx)
	if len(callers) == 1 {
		return
	}
	q.jobs = make([]chan *job, len(callers))
	for i := range callers {
		q.jobs[i] = make(chan *job, 1)
		go runWorker(q.ctx, q.jobs[i])
	}
}

// close cancels the tests in the queue and waits for their end.
func (q *workQueue) close() {
	q.cancel()
	for _, jobs := range q.jobs {
		close(jobs)
	}
	for _, j := range q.waiting {
		if j.done != nil {
			<-j.done
		}
	}
}

// runWorker plays jobs until the channel is closed.
func runWorker(ctx context.Context, jobs <-chan *job) {
	for j := range jobs {
		j.play(ctx)
		close(j.done)
	}
}

// play plays the test of a job. It keeps the text of a panic for receive.
func (j *job) play(ctx context.Context) {
	defer j.cancel()
	defer func() {
		if p := recover(); p != nil {
			j.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack()) // the stack is lost after recover
		}
	}()
	if tracker := j.worker.tracker; tracker != nil {
		tracker.isSweep, tracker.lastCall = j.isSweep, len(j.test.Calls)-1
		tracker.setWanted(j.codeTargets, true)
		defer tracker.setWanted(j.codeTargets, false)
	}
	j.played = j.worker.play(ctx, j.ctx, j.test)
}

// full reports whether each worker has a test.
func (q *workQueue) full() bool { return len(q.waiting) == len(q.workers) }

func (q *workQueue) empty() bool { return len(q.waiting) == 0 }

// nextFree returns the worker that plays the next test. The queue must not be full.
func (q *workQueue) nextFree() *worker { return q.workers[q.nextIndex] }

// dispatch lets the next worker play a test.
func (q *workQueue) dispatch(j *job) {
	j.worker = q.nextFree()
	q.waiting = append(q.waiting, j)
	if q.jobs != nil {
		j.done = make(chan struct{})
		q.jobs[q.nextIndex] <- j
	}
	q.nextIndex = (q.nextIndex + 1) % len(q.workers)
}

// receive removes the first test of the queue and waits until it was played. If there is only one worker,
// receive plays the test itself. If playing the test panicked, receive panics.
func (q *workQueue) receive() *job {
	j := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1) // unlike [1:], this keeps the capacity
	if q.jobs == nil {
		j.play(q.ctx)
		j.rethrow()
	} else {
		j.wait()
	}
	return j
}

// wait waits until the test was played. If playing it panicked, wait panics.
func (j *job) wait() {
	<-j.done
	j.rethrow()
}

func (j *job) rethrow() {
	if j.panicked != "" {
		panic(j.panicked)
	}
}
