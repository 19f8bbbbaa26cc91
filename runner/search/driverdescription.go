package search

import (
	"context"
	"errors"

	"sonde/model"
)

// DriverDescription is what a driver reports about itself and the service.
type DriverDescription struct {
	Name string
	// Service is the URL at which the driver started the service.
	Service string
	// Coverage lists what the driver knows of the service's source before any call.
	Coverage model.Coverage
	// Problem says which of its answers cannot be used, "" if all can.
	Problem string
}

// ErrNoDriver is the error of a plan without a driver.
var ErrNoDriver = errors.New(
	"sonde.yaml names no driver: add sut: {driver: http://127.0.0.1:7000}, as described in docs/driver.md",
)

// DescribeDriver lets a plan's driver start the service, asks the driver for its description, and
// stops the service again. The service itself gets no request; it only has to accept connections.
// Errors are those of New.
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
