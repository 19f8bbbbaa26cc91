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
	// Coverage counts the targets that the driver reports before any call.
	Coverage model.Coverage
	// Problem says which answers of the driver cannot be used. It is "" if all answers can be used.
	Problem string
}

// ErrNoDriver is the error of a plan without a driver.
var ErrNoDriver = errors.New(
	"sonde.yaml names no driver: add sut: {driver: http://127.0.0.1:7000}, as described in docs/driver.md",
)

// DescribeDriver lets a plan's driver start the service, asks the driver for its description, and stops the service
// again. The service itself gets no request; it only has to accept connections. hosts are as for New. The errors are
// ErrNoDriver, those of New, the context's error, and an *UnreachableError. An *UnreachableError means that the
// driver or the service does not start, or that the driver gives no description.
func DescribeDriver(ctx context.Context, p model.Plan, hosts ...string) (description DriverDescription, err error) {
	if p.Driver == nil {
		return description, ErrNoDriver
	}
	b, err := newTestbed(ctx, p, hosts)
	if err != nil {
		return description, err
	}
	defer b.pool.stop()
	if err := b.pool.start(ctx); err != nil {
		return description, err
	}
	d := b.pool.first().driver
	info, err := d.Info(ctx)
	if err != nil {
		return description, &UnreachableError{err}
	}
	all, err := d.AllTargets(ctx)
	if err != nil {
		description.Problem = err.Error()
	}
	b.code.coverage.addTargets(all, p.Driver)
	if odd := d.IgnoredSummary(); odd != "" {
		description.Problem = odd
	}
	description.Name = info.Name
	description.Service = b.pool.first().service.Client().BaseURL()
	description.Coverage = *b.code.coverage.snapshot()
	return description, nil
}
