package search

import (
	"context"
	"errors"

	"sonde/model"
)

// DriverDescription is what a driver says of itself and of the service.
type DriverDescription struct {
	Name string
	// Service is where the driver started it.
	Service string
	// Coverage is what it knows of the service's source before anybody called that.
	Coverage model.Coverage
	// Problem says what of its answers cannot be used, "" for nothing.
	Problem string
}

// ErrNoDriver is the error of a plan without a driver.
var ErrNoDriver = errors.New("sonde.yaml names no driver: say sut: {driver: http://127.0.0.1:7000}, as docs/driver.md has it")

// DescribeDriver has a plan's driver start the service, asks it what it knows, and has it
// stop the service again. Nothing but that the service accepts connections is asked
// of that. The error is as New's.
func DescribeDriver(ctx context.Context, p model.Plan, hosts ...string) (a DriverDescription, err error) {
	if p.Driver == nil {
		return a, ErrNoDriver
	}
	c, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return a, err
	}
	defer c.pool.stop()
	if err := c.pool.start(ctx); err != nil {
		return a, err
	}
	d := c.pool.first().driver
	info, err := d.Info(ctx)
	if err != nil {
		return a, &UnreachableError{err}
	}
	all, err := d.AllTargets(ctx)
	if err != nil {
		a.Problem = err.Error()
	}
	c.code.coverage.addTargets(all, p.Driver)
	if odd := d.IgnoredSummary(); odd != "" {
		a.Problem = odd
	}
	a.Name, a.Service, a.Coverage = info.Name, c.pool.first().service.Client().BaseURL(), *c.code.coverage.snapshot()
	return a, nil
}
