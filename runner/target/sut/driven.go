package sut

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/target/driver"
)

// driven is a service that its driver starts, resets and stops.
type driven struct {
	plan   model.Plan
	driver *driver.Driver
	host   Service        // the driver's own process or URL
	client *client.Client // the client of the service
	reset  *resetter      // nil if the driver or a restart resets the service
	asked  bool           // the driver was asked to start the service, and has not been asked to stop it yet
}

// DriverReset is the reset by a driver, as it is shown in reports and errors.
var DriverReset = model.Reset{Method: "POST", Path: "/controller/reset"}

// newDriven returns the service of a plan that has a driver. Until the driver has started the service, the base URL
// of the service's client is only a placeholder.
func newDriven(p model.Plan, o Options) (_ *driven, err error) {
	d := &driven{plan: p, driver: o.Driver}
	d.client, err = client.New("http://127.0.0.1", o.Client)
	if err != nil {
		return nil, err
	}
	if p.Reset != nil && !p.Reset.Restart {
		d.reset, err = newResetter(p, commandEnv{dir: d.dir()}, nil)
		if err != nil {
			return nil, err
		}
	}
	of := model.Plan{BaseURL: p.Driver.URL, Service: p.Driver.StartCommand(), Users: p.Users, Resume: p.Resume}
	d.host, err = Open(
		of,
		Options{
			Copy:   o.Copy,
			Env:    o.Env,
			Client: client.Options{AllowHosts: o.Client.AllowHosts, Insecure: o.Client.Insecure, TLS: o.Client.TLS},
			users:  d.client,
		},
	)
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	return d, nil
}

// dir returns the folder of the driver's start command, "" if Sonde does not start the driver.
func (d *driven) dir() string {
	if d.plan.Driver.Run == nil {
		return ""
	}
	return d.plan.Driver.Run.Dir
}

// Start starts the driver, if the plan has its start command, and asks the driver to start the
// service.
func (d *driven) Start(ctx context.Context) error {
	if err := d.startDriver(ctx); err != nil {
		return err
	}
	return d.begin(ctx)
}

// startDriver starts the driver, if the plan has its start command, and connects to it.
func (d *driven) startDriver(ctx context.Context) error {
	switch err := d.host.Start(ctx); {
	case err != nil && ctx.Err() == nil && d.plan.Driver.Run == nil:
		return fmt.Errorf("no driver answers at %q: start it, or set driver.run in sonde.yaml", d.plan.Driver.URL)
	case err != nil:
		return fmt.Errorf("driver: %w", err)
	}
	return d.driver.Connect(d.host.Client().BaseURL())
}

// begin asks a running driver to start the service, and checks that the service accepts connections.
func (d *driven) begin(ctx context.Context) error {
	if err := d.driver.Connect(d.host.Client().BaseURL()); err != nil {
		return err
	}
	if _, err := d.driver.Info(ctx); err != nil {
		return err
	}
	d.asked = true
	base, err := d.driver.Start(ctx)
	if err != nil {
		return err
	}
	if err := d.client.SetBaseURL(withPath(base, d.plan.Driver.Path)); err != nil {
		return fmt.Errorf("the URL of the service that the driver returned: %w", err)
	}
	if d.client.CheckReachable(ctx) != nil && ctx.Err() == nil {
		return fmt.Errorf("the driver says that the service is at %q, which accepts no connection", base)
	}
	if d.reset != nil {
		d.reset.at.port, d.reset.at.listenPort = portOf(base), portOf(base)
	}
	return ctx.Err()
}

// withPath appends path to a base URL that has no path. It does not append path to a base URL that ends in "/",
// because the slash is a path. withPath removes a slash at the end of the result.
func withPath(base, path string) string {
	if u, err := url.Parse(base); err == nil && u.Path == "" {
		base += path
	}
	return strings.TrimSuffix(base, "/")
}

func (d *driven) Client() *client.Client { return d.client }
func (d *driven) CanReset() bool         { return true }
func (d *driven) ResetCost() int         { return d.reset.cost() }

func (d *driven) Reset(ctx context.Context) error {
	switch {
	case d.reset != nil:
		return d.reset.run(ctx, d.client)
	case d.plan.Reset != nil: // the plan resets by a restart
		return resetError(*d.plan.Reset, d.begin(ctx))
	}
	return resetError(DriverReset, d.driver.Reset(ctx))
}

// resetError returns the error of a reset by a driver. It returns err itself if err is nil, if the driver does not
// answer, or if the context has ended. Otherwise it returns a ResetError.
func resetError(by model.Reset, err error) error {
	if err == nil || errors.Is(err, driver.ErrNoAnswer) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &ResetError{by, "failed: " + err.Error()}
}

func (d *driven) ExitFailure() *Failure { return ofDriver(d.host.ExitFailure()) }

// ofDriver adds to the text of a failure that it is a failure of the driver, and returns the failure. t may be nil.
func ofDriver(t *Failure) *Failure {
	if t != nil {
		t.Text = "the driver of the service: " + t.Text
	}
	return t
}

func (d *driven) Diagnose(ctx context.Context) *Failure {
	if t := d.ExitFailure(); t != nil {
		return t
	}
	info, err := d.driver.Info(ctx)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil && d.plan.Driver.Run != nil:
		if t := d.host.Diagnose(ctx); t != nil {
			return ofDriver(t)
		}
		return &Failure{model.ServiceHangs, "the driver of the service hangs: " + err.Error()}
	case err != nil:
		return &Failure{Text: err.Error()}
	case !info.Running:
		return &Failure{model.ServiceDied, "service died: its driver reports that it does not run"}
	}
	if err := checkAnswers(ctx, d.client, "/"); err != nil && ctx.Err() == nil && !errors.Is(err, client.ErrBudget) {
		return &Failure{model.ServiceHangs, "service hangs: " + plain(err.Error())}
	}
	return nil
}

// Restart asks the driver to restart the service. If the plan has the driver's start command, and the
// driver gives no valid answer, Restart first restarts the driver.
func (d *driven) Restart(ctx context.Context) error {
	if d.plan.Driver.Run != nil {
		if _, err := d.driver.Info(ctx); err != nil {
			if err := d.host.Restart(ctx); err != nil {
				return fmt.Errorf("driver: %w", err)
			}
		}
	}
	err := d.begin(ctx)
	if errors.Is(err, driver.ErrNoAnswer) {
		return fmt.Errorf("%w: see the driver's log, then start it again", err)
	}
	return err
}

// Stop asks the driver to stop the service, and waits at most 5 seconds for the answer. It then stops the
// driver if Sonde started it.
func (d *driven) Stop() {
	if d.asked && d.host.ExitFailure() == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		_ = d.driver.Stop(ctx) // the driver may have ended
		cancel()
	}
	d.asked = false
	d.host.Stop()
	d.client.Close()
	d.driver.Close()
}
