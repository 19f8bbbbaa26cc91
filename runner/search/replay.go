package search

import (
	"context"
	"math"

	"sonde/model"
)

// Replay plays tests again on a copy of the service of its own, each after a reset
// where the plan has one. What comes is not judged: it is for those who measure from
// outside what the tests reach. A service that the plan starts has ended when Replay
// returns.
func Replay(ctx context.Context, p model.Plan, tests []model.Test, hosts ...string) error {
	p.Workers, p.Limits, p.Probes = 1, model.Limits{}, nil
	c, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return err
	}
	defer c.pool.stop()
	if p.Service != nil {
		if err := c.pool.start(ctx); err != nil {
			return err
		}
	}
	for _, t := range tests {
		if err := c.pool.play(ctx, t, math.MaxInt).err; err != nil {
			return err
		}
	}
	return nil
}
