package search

import (
	"context"
	"math"
	"time"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/target/client"
)

// workerPool holds the workers of a plan, each with a copy of the service, and the budget that they
// share. The scheduler's goroutine owns it.
type workerPool struct {
	plan    model.Plan
	budget  *budget
	workers []*worker // at least one
	pace    *client.Pacer

	resets    bool // the service is reset before each test
	resetCost int  // least number of requests of a reset
	restarts  int  // number of restarts of services that died or hung
}

func newWorkerPool(p model.Plan, hosts []string, workers int, m *probedata.Manifest) (*workerPool, error) {
	pool := &workerPool{plan: p, budget: &budget{limits: p.Limits, start: time.Now()}, pace: client.NewPacer(p.Rate)}
	for i := range workers {
		next, err := newWorker(p, hosts, i, pool.pace, m)
		if err != nil {
			pool.stop()
			return nil, err
		}
		pool.workers = append(pool.workers, next)
	}
	pool.resets, pool.resetCost = pool.first().service.CanReset(), pool.first().service.ResetCost()
	return pool, nil
}

// requestsPerCall is how many requests a test may send for each of its calls while other tests are being
// played. A call needs one request, and up to three with a new log-in and a repetition. requestsPerCall is
// twice that number.
const requestsPerCall = 6

// requestLimit returns how many requests a test with a number of calls may send while other tests are being played.
func (p *workerPool) requestLimit(calls int) int {
	return p.resetCost + requestsPerCall*(calls+len(p.plan.Users))
}

// allowsBeside reports whether the budget allows a test while other tests are being played.
func (p *workerPool) allowsBeside(t model.Test) bool {
	return p.budget.remaining() > p.requestLimit(len(t.Calls))
}

// starts reports whether the plan says how to start the service.
func (p *workerPool) starts() bool { return p.plan.Service != nil || p.plan.Driver != nil }

// start starts the copies of the service if the plan says how, and checks that they answer.
func (p *workerPool) start(ctx context.Context) error { return p.startWorkers(ctx, p.workers) }

// startWorkers starts the copies of the service of some workers.
func (p *workerPool) startWorkers(ctx context.Context, some []*worker) error {
	for _, w := range some {
		p.budget.grant(&w.quota, math.MaxInt)
		err := w.start(ctx)
		p.budget.settle(&w.quota)
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *workerPool) stop() {
	for _, w := range p.workers {
		w.service.Stop()
		w.close()
	}
}

// cleanDatabases cleans the databases after the last test, if the reset cleans databases.
func (p *workerPool) cleanDatabases() {
	for _, w := range p.workers {
		w.cleaner.CleanLast(context.Background()) // also after the end of the run's context
	}
}

// first returns the first worker, which plays the tests that are not played at the same time as others.
func (p *workerPool) first() *worker { return p.workers[0] }

// requestsSent returns the number of requests that were sent, without quotas that are not settled yet.
func (p *workerPool) requestsSent() int { return p.budget.calls }

// countRestarts adds the restarts of the service for a test.
func (p *workerPool) countRestarts(done played) { p.restarts += done.restarts }

// canStart reports whether the budget allows a reset and at least one call.
func (p *workerPool) canStart() bool {
	return !p.budget.exhausted() && p.budget.remaining() > p.resetCost
}

// play resets the service, plays a test on the first worker, and waits for its end. The test may send at most
// the given number of requests.
func (p *workerPool) play(ctx context.Context, t model.Test, most int) played {
	p.first().unchangedTests = 0
	return p.playBy(ctx, t, most, p.first().play)
}

// playOn plays a test on the first worker without a reset before it. Only the budget limits its requests.
func (p *workerPool) playOn(ctx context.Context, t model.Test) played {
	return p.playBy(ctx, t, math.MaxInt, p.first().playOn)
}

// playBy plays a test with play, a method of the first worker. It grants the worker's quota before the test, and
// settles the quota after it.
func (p *workerPool) playBy(
	ctx context.Context,
	t model.Test,
	most int,
	play func(ctx, timed context.Context, t model.Test) played,
) played {
	timed, cancel := p.budget.deadline(ctx)
	defer cancel()
	w := p.first()
	p.budget.grant(&w.quota, most)
	done := play(ctx, timed, t)
	done.short = w.quota.exhausted
	p.budget.settle(&w.quota)
	p.countRestarts(done)
	return done
}

// watchUsers gives each worker a user monitor.
func (p *workerPool) watchUsers() {
	for _, w := range p.workers {
		w.users = newUserMonitor(p.plan, p.resets)
	}
}

// unguardAccounts lets the workers delete users that the run has not created. It must not be called while they play
// tests.
func (p *workerPool) unguardAccounts() {
	for _, w := range p.workers {
		if w.users != nil {
			w.users.guard = nil
		}
	}
}
