package search

import (
	"context"
	"math"

	"sonde/model"
)

// PlayTests plays tests on a separate copy of the service, each after a reset if the plan has one. It does not judge
// the answers. Callers use it to measure from outside what the tests reach. If the plan starts the service, PlayTests
// stops the service before it returns.
func PlayTests(ctx context.Context, p model.Plan, tests []model.Test, hosts ...string) error {
	p.Workers, p.Limits, p.Probes = 1, model.Limits{}, nil
	b, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return err
	}
	defer b.pool.stop()
	if p.Service != nil {
		if err := b.start(ctx, nil); err != nil {
			return err
		}
	}
	for _, t := range tests {
		if err := b.pool.play(ctx, t, math.MaxInt).err; err != nil {
			return err
		}
	}
	return nil
}
