package search

import (
	"context"
	"iter"

	"sonde/model"
)

// task is a sequence of tests, such as the attempts to make one test smaller. Each test depends on the outcomes of
// the tests before it. A player works on as many tasks at the same time as there are workers. The tasks take turns:
// only one runs at a time, until it needs the outcome of a test. While its worker plays the test, the other tasks
// have their turns, always in the same order. So the outcomes of a run do not depend on the speed of the workers.
type task struct {
	worker *worker
	run    func() (asked model.Test, ok bool) // gives the task a turn; ok is false if it has ended
	stop   func()                             // ends the task at the test that it waits for
	ask    func(model.Test) bool              // ends the turn with a test to play; set in the first turn. It returns false after stop
	limit  int                                // limit of the player in the turns of the task
	test   *model.Test                        // a test that waits for the budget
	job    *job                               // the test that is being played
	done   played
	sent   int // requests that were sent for done
}

// doAll does all tasks. The tasks use the player to play tests. With one worker, or without a reset, doAll does the
// tasks one after the other: without a reset, the copies of the service have different states.
func (p *player) doAll(ctx context.Context, tasks iter.Seq[func()]) {
	pool := p.scheduler.pool
	if len(pool.workers) == 1 || !pool.resets {
		for do := range tasks {
			do()
		}
		return
	}
	next, stop := iter.Pull(tasks)
	defer stop()
	all := make([]*task, len(pool.workers))
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for _, t := range all {
			p.abandon(t)
		}
	}()
	for running := true; running; {
		running = false
		for i, w := range pool.workers {
			if all[i] == nil {
				do, ok := next()
				if !ok {
					continue
				}
				all[i] = p.newTask(w, do)
			}
			running = true
			if !p.turn(ctx, all[i], all) {
				all[i] = nil
			}
		}
	}
}

// newTask returns a task that plays its tests on a worker.
func (p *player) newTask(w *worker, do func()) *task {
	t := &task{worker: w, limit: p.limit}
	t.run, t.stop = iter.Pull(func(yield func(model.Test) bool) {
		t.ask = yield
		do()
	})
	return t
}

// turn waits for the test of a task, lets the task run until it asks for the next test, and dispatches this test if
// the budget allows it. If a test of the task still waits for the budget, turn only tries to dispatch this test. turn
// returns false if the task has ended.
func (p *player) turn(ctx context.Context, t *task, all []*task) bool {
	if t.job != nil {
		p.receive(ctx, t)
	}
	if t.test == nil {
		test, ok := p.runTask(t)
		if !ok {
			return false
		}
		t.test = &test
	}
	p.dispatch(ctx, t, all)
	return true
}

// runTask lets a task run until it asks for a test. ok is false if the task has ended.
func (p *player) runTask(t *task) (asked model.Test, ok bool) {
	limit := p.limit
	p.limit, p.current = t.limit, t
	defer func() {
		t.limit, p.limit, p.current = p.limit, limit, nil
	}()
	return t.run()
}

// dispatch lets the worker of a task play the test that the task waits for. The test waits for the next turn of the
// task if the budget might not be enough for this test and for those that are being played.
func (p *player) dispatch(ctx context.Context, t *task, all []*task) {
	s := p.scheduler
	isPlaying := false
	for _, other := range all {
		isPlaying = isPlaying || other != nil && other.job != nil
	}
	if isPlaying && !s.pool.allowsBeside(*t.test) {
		return
	}
	limit := s.pool.requestLimit(len(t.test.Calls))
	j := &job{worker: t.worker, test: *t.test, done: make(chan struct{})}
	t.test = nil
	t.worker.unchangedTests = 0
	s.pool.budget.grant(&t.worker.quota, min(limit, s.requestsLeft()))
	j.ctx, j.cancel = s.pool.budget.deadline(ctx)
	t.job = j
	go func() {
		defer close(j.done)
		j.play(ctx)
	}()
}

// receive waits for the test of a task and handles its outcome.
func (p *player) receive(ctx context.Context, t *task) {
	j := t.job
	t.job = nil
	j.wait()
	s, quota := p.scheduler, &t.worker.quota
	t.done, t.sent = j.played, quota.calls
	t.done.short = quota.exhausted
	if quota.exhausted && quota.given < s.pool.requestLimit(len(j.test.Calls)) {
		s.outOfBudget = true // tests that other workers are playing do not reset this
	}
	s.pool.budget.settle(quota)
	s.pool.countRestarts(t.done)
	s.handleUnasked(ctx, t.worker, &t.done)
}

// abandon ends a task that has not ended by itself, so that it plays no further tests. It first waits for the test
// that is being played, whose context must have ended. t may be nil.
func (p *player) abandon(t *task) {
	if t == nil {
		return
	}
	if t.job != nil {
		<-t.job.done
		p.scheduler.pool.budget.settle(&t.worker.quota)
	}
	p.current = t
	t.stop()
	p.current = nil
}
