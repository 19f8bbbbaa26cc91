package sut

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/target/driver"
)

// DriverAnswer is what a driver knows about the service. All of it is hostile input.
type DriverAnswer struct {
	Name string
	// Spec is the text of the specification that was fetched from SpecURL. It is nil if it was not asked for, or if the
	// driver does not say where it is.
	Spec    []byte
	SpecURL string
	// Auth and AuthTemplate define users; see driver.Info. They may have secrets.
	Auth, AuthTemplate json.RawMessage
}

// AskDriver asks the driver of a plan what it knows about the service. It starts the driver, if the plan has its start
// command. If withSpec is set, it also has the driver start the service, and fetches the specification from the place
// that the driver names. At the end it stops what it has started. The errors are those of Open, Start and driver.Info,
// and why the specification cannot be fetched.
func AskDriver(ctx context.Context, p model.Plan, o Options, withSpec bool) (a DriverAnswer, err error) {
	o.Driver = driver.New(driver.Options{AllowHosts: o.Client.AllowHosts, Insecure: o.Client.Insecure, TLS: o.Client.TLS})
	d, err := newDriven(p, o)
	if err != nil {
		return a, err
	}
	defer d.Stop()
	err = d.startDriver(ctx)
	if err == nil && withSpec {
		err = d.begin(ctx)
	}
	if err != nil {
		return a, err
	}
	info, err := d.driver.Info(ctx)
	if err != nil {
		return a, err
	}
	a = DriverAnswer{Name: info.Name, Auth: info.Auth, AuthTemplate: info.AuthTemplate}
	if withSpec && info.Spec != "" {
		a.SpecURL, a.Spec, err = d.fetchSpec(ctx, info.Spec, o.Client)
	}
	return a, err
}

// maxSpec is the maximum number of bytes of a specification that a service serves.
const maxSpec = 64 << 20

// fetchSpec returns the URL and the text of the specification at a place, which is a path of the running service or a
// URL. Its host must be one that may be called.
func (d *driven) fetchSpec(ctx context.Context, place string, o client.Options) (string, []byte, error) {
	base, err := url.Parse(d.client.BaseURL())
	if err != nil {
		return "", nil, err
	}
	at, err := base.Parse(place)
	if err != nil {
		return "", nil, fmt.Errorf("the driver says that the specification is at %q, which is neither a path nor a URL", place)
	}
	o.MaxBody, o.Timeout = maxSpec, time.Minute
	c, err := client.New(at.Scheme+"://"+at.Host, o)
	if err != nil {
		return "", nil, fmt.Errorf("the specification of the driver: %w", err)
	}
	defer c.Close()
	at.User = nil
	x := c.SendOnce(ctx, model.Request{
		Method: "GET", URL: at.RequestURI(), Header: map[string][]string{"Accept": {"application/json, application/yaml, */*"}},
	})
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case x.Err != nil:
		return "", nil, fmt.Errorf("the specification at %q cannot be fetched: %s", at, plain(x.Err.Error()))
	case x.Reply.Status != 200:
		return "", nil, fmt.Errorf("the specification at %q cannot be fetched: the answer is %d", at, x.Reply.Status)
	case x.Reply.Truncated:
		return "", nil, fmt.Errorf("the specification at %q breaks off, or has more than %d MB", at, maxSpec>>20)
	}
	return at.String(), withoutPort(x.Reply.Body, base.Port()), nil
}

// withoutPort removes the port of a service on this machine from the text of its specification. The port may differ
// after each start, and the specification must not.
func withoutPort(spec []byte, port string) []byte {
	if port == "" {
		return spec
	}
	return regexp.MustCompile(`(localhost|127\.0\.0\.1|\[::1\]):`+port+`\b`).ReplaceAll(spec, []byte("$1"))
}
