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

	resets    bool // there is a reset before each test
	resetCost int  // requests of one reset
	restarts  int  // of services that died or hung
}

func newWorkerPool(p model.Plan, hosts []string, workers int, m *probedata.Manifest) (*workerPool, error) {
	c := &workerPool{plan: p, budget: &budget{limits: p.Limits, start: time.Now()}, pace: client.NewPacer(p.Rate)}
	for i := range workers {
		next, err := newWorker(p, hosts, i, c.pace, m)
		if err != nil {
			c.stop()
			return nil, err
		}
		c.workers = append(c.workers, next)
	}
	c.resets, c.resetCost = c.first().service.CanReset(), c.first().service.ResetCost()
	return c, nil
}

// starts reports whether the run starts the service.
func (c *workerPool) starts() bool { return c.plan.Service != nil || c.plan.Driver != nil }

// start starts the copies of the service if the plan says how, and checks that they answer.
func (c *workerPool) start(ctx context.Context) error {
	for _, w := range c.workers {
		c.budget.grant(&w.quota, math.MaxInt)
		err := w.start(ctx)
		c.budget.settle(&w.quota)
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *workerPool) stop() {
	for _, w := range c.workers {
		w.service.Stop()
		w.close()
	}
}

// first returns the worker that plays tests one after the other.
func (c *workerPool) first() *worker { return c.workers[0] }

// requestsSent returns the number of requests of all settled quotas.
func (c *workerPool) requestsSent() int { return c.budget.calls }

// countRestarts counts how often the service was restarted for a test.
func (c *workerPool) countRestarts(p played) { c.restarts += p.restarts }

// canStart reports whether the budget lets another test begin.
func (c *workerPool) canStart() bool {
	return !c.budget.exhausted() && c.budget.remaining() > c.resetCost
}

// play plays a test with at most this many requests and waits for its end.
func (c *workerPool) play(ctx context.Context, t model.Test, most int) played {
	c.first().unchangedTests = 0
	return c.playBy(ctx, t, most, c.first().play)
}

// playOn is play without a reset.
func (c *workerPool) playOn(ctx context.Context, t model.Test) played {
	return c.playBy(ctx, t, math.MaxInt, c.first().playOn)
}

// playBy plays a test by a method of the first worker, within the budget.
func (c *workerPool) playBy(
	ctx context.Context,
	t model.Test,
	most int,
	play func(ctx, timed context.Context, t model.Test) played,
) played {
	timed, cancel := c.budget.deadline(ctx)
	defer cancel()
	w := c.first()
	c.budget.grant(&w.quota, most)
	p := play(ctx, timed, t)
	p.short = w.quota.exhausted
	c.budget.settle(&w.quota)
	c.countRestarts(p)
	return p
}

// watchUsers lets the workers find out when a call ends a user, and restore the user.
func (c *workerPool) watchUsers() {
	for _, w := range c.workers {
		w.users = newUserMonitor(c.plan, c.resets)
	}
}
