package runner

import (
	"context"
	"errors"

	"sonde/model"
)

// Acquaintance is what a driver says of itself and of the service.
type Acquaintance struct {
	Name string
	// Service is where the driver started it.
	Service string
	// Known is what it knows of the service's source before anybody called that.
	Known model.Coverage
	// Odd says what of its answers cannot be used, "" for nothing.
	Odd string
}

// ErrNoDriver is the error of a plan without a driver.
var ErrNoDriver = errors.New("sonde.yaml names no driver: say sut: {driver: http://127.0.0.1:7000}, as docs/driver.md has it")

// Acquaint has a plan's driver start the service, asks it what it knows, and has it
// stop the service again. Nothing but that the service accepts connections is asked
// of that. The error is as New's.
func Acquaint(ctx context.Context, p model.Plan, hosts ...string) (a Acquaintance, err error) {
	if p.Driver == nil {
		return a, ErrNoDriver
	}
	c, err := newCrew(ctx, p, hosts)
	if err != nil {
		return a, err
	}
	defer c.stop()
	if err := c.start(ctx); err != nil {
		return a, err
	}
	d := c.first().driver
	info, err := d.Info(ctx)
	if err != nil {
		return a, &Unreachable{err}
	}
	all, err := d.All(ctx)
	if err != nil {
		a.Odd = err.Error()
	}
	c.source.grow(all, p.Driver)
	if odd := d.Odd(); odd != "" {
		a.Odd = odd
	}
	a.Name, a.Service, a.Known = info.Name, c.first().service.Client().Base(), *c.source.now()
	return a, nil
}
