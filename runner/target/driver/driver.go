// Package driver is a client of drivers. A driver is a small HTTP service, in any language, that starts,
// resets and stops the service under test. It also reports the score of each target in the service's
// source: how near a test came to the target. The EvoMaster paper calls a driver a SUT controller
// (sections 4.3 and 4.6). The protocol is in docs/driver.md. The package does not interpret the targets.
package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
)

// Protocol is the version of the protocol that this package implements.
const Protocol = 1

// Limits of the time and the size of answers.
const (
	quickTimeout = 10 * time.Second // for each request that does not have slowTimeout
	slowTimeout  = 2 * time.Minute  // to start, reset or stop the service, or to list all targets
	maxBody      = 32 << 20         // bytes of a body
)

// ErrNoAnswer is wrapped by the error of a request to which the driver gave no answer. Any other error of a request
// is the context's error, says that the driver took too long, or says what is wrong with the driver's answer.
var ErrNoAnswer = errors.New("it does not answer")

// Options of a Driver. The zero value is useful.
type Options struct {
	// AllowHosts are the hosts that may be called besides loopback.
	AllowHosts []string
	// Insecure accepts any certificate of the driver.
	Insecure bool
	// TLS are the paths of the files with certificates and keys.
	TLS model.TLSFiles
	// QuickTimeout is how long the driver may take for an answer, 10 s by default. Requests that
	// start, reset or stop the service, or list all targets, always have 2 minutes.
	QuickTimeout time.Duration
}

// Driver is a client of one driver, which manages one copy of the service. It is safe for concurrent
// use except for Connect and Close.
type Driver struct {
	options Options
	base    string
	quick   *client.Client // client whose timeout is Options.QuickTimeout
	slow    *client.Client // client whose timeout is slowTimeout

	mu      sync.Mutex
	ignored ignoredItems
}

// New returns a driver without an address. Connect sets the address.
func New(o Options) *Driver {
	if o.QuickTimeout == 0 {
		o.QuickTimeout = quickTimeout
	}
	return &Driver{options: o}
}

// Connect sets the base URL of the driver. The error is one line.
func (d *Driver) Connect(base string) (err error) {
	d.Close()
	d.quick, err = d.client(base, d.options.QuickTimeout)
	if err != nil {
		return err
	}
	d.slow, err = d.client(base, slowTimeout)
	d.base = base
	return err
}

func (d *Driver) client(base string, timeout time.Duration) (*client.Client, error) {
	return client.New(
		base,
		client.Options{
			AllowHosts: d.options.AllowHosts,
			Insecure:   d.options.Insecure,
			TLS:        d.options.TLS,
			Timeout:    timeout,
			MaxBody:    maxBody,
		},
	)
}

// Close closes idle connections.
func (d *Driver) Close() {
	if d.slow != nil {
		d.quick.Close()
		d.slow.Close()
	}
}

// Info is what a driver reports about itself.
type Info struct {
	Protocol int    `json:"protocol"`
	Name     string `json:"name"`
	// Running reports whether the service runs.
	Running bool `json:"running"`
	// Spec is where the specification of the service is: a path of the service or a URL. It is "" if the driver
	// does not know it, or only while the service runs.
	Spec string `json:"spec,omitempty"`
	// Auth and AuthTemplate define users of the service, in the format of these keys in sonde.yaml. They may
	// have secrets, and are not checked.
	Auth         json.RawMessage `json:"auth,omitempty"`
	AuthTemplate json.RawMessage `json:"authTemplate,omitempty"`
}

// Info asks the driver for its name and state, and for what it knows about the service. It returns an error if the
// driver has another version of the protocol. The error has no part of the answer, which may have secrets.
func (d *Driver) Info(ctx context.Context) (Info, error) {
	var i Info
	err := d.ask(ctx, d.quick, "GET", "", nil, &i)
	if err == nil && i.Protocol != Protocol {
		err = d.errorf("GET", "", "speaks protocol %d, this Sonde speaks %d", i.Protocol, Protocol)
	}
	i.Name, i.Spec = clean(i.Name, maxName), clean(i.Spec, maxName)
	return i, err
}

// Start asks the driver to start or restart the service, and returns the base URL of the service. The
// driver drops all earlier scores.
func (d *Driver) Start(ctx context.Context) (base string, err error) {
	var at struct {
		URL string `json:"url"`
	}
	err = d.ask(ctx, d.slow, "POST", "/start", struct{}{}, &at)
	if err == nil && at.URL == "" {
		err = d.errorf("POST", "/start", `has no url: an answer is such as {"url": "http://127.0.0.1:8080"}`)
	}
	return clean(at.URL, maxName), err
}

// Stop asks the driver to stop the service.
func (d *Driver) Stop(ctx context.Context) error {
	return d.ask(ctx, d.slow, "POST", "/stop", struct{}{}, nil)
}

// Reset asks the driver to bring the service back to its first state.
func (d *Driver) Reset(ctx context.Context) error {
	return d.ask(ctx, d.slow, "POST", "/reset", struct{}{}, nil)
}

// ask sends a request to the driver, with body as JSON, and parses the JSON of the answer into the
// variable that result points to. If body is nil, the request has no body. If result is nil, the answer
// is not parsed.
func (d *Driver) ask(ctx context.Context, c *client.Client, method, path string, body, result any) error {
	r := model.Request{Method: method, URL: pathPrefix + path, Header: map[string][]string{"Accept": {"application/json"}}}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		r.Body, r.Header["Content-Type"] = text, []string{"application/json"}
	}
	x := c.SendOnce(ctx, r)
	switch reply := x.Reply; {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(x.Err, context.DeadlineExceeded):
		return d.errorf(method, path, "took too long")
	case x.Err != nil:
		return fmt.Errorf(
			"driver %q gave no answer to %s %s%s: %w (%s)", d.base, method, pathPrefix, path, ErrNoAnswer,
			clean(x.Err.Error(), maxText),
		)
	case reply.Status/100 != 2:
		return d.errorf(method, path, "answered %d%s", reply.Status, refusalMessage(reply.Body))
	case reply.Truncated && int64(len(reply.Body)) >= maxBody:
		return d.errorf(method, path, "answered with more than %d MB", maxBody>>20)
	case reply.Truncated:
		return d.errorf(method, path, "broke off its answer")
	case result == nil:
		return nil
	default:
		return d.read(method, path, reply.Body, result)
	}
}

// pathPrefix is the beginning of the path of every request.
const pathPrefix = "/controller"

// read parses the JSON of an answer into the variable that result points to.
func (d *Driver) read(method, path string, body []byte, result any) error {
	err := json.Unmarshal(body, result)
	if err == nil {
		return nil
	}
	excerpt := ": " + model.Excerpt(body)
	if path == "" { // it may have the secrets of users
		excerpt = ""
	}
	return d.errorf(method, path, "gave an answer that is not the JSON of docs/driver.md (%s)%s", clean(err.Error(), maxText), excerpt)
}

// errorf returns an error about the answer to a request.
func (d *Driver) errorf(method, path, format string, args ...any) error {
	return fmt.Errorf("driver %q, asked %s %s%s, %s", d.base, method, pathPrefix, path, fmt.Sprintf(format, args...))
}

// refusalMessage returns ": " and the quoted message in the body of a refusal: the value of "error", or
// the whole body if it is not the JSON of an error. It returns "" if the message is empty.
func refusalMessage(body []byte) string {
	var answer struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		answer.Error = string(body)
	}
	if words := clean(answer.Error, maxText); words != "" {
		return fmt.Sprintf(": %q", words)
	}
	return ""
}

// The maximum lengths in bytes of a driver's texts.
const (
	maxID   = 200
	maxName = 500
	maxText = 300
)

// clean returns a driver's text as one line that is safe to print, cut to the given number of bytes.
func clean(text string, most int) string {
	return strings.TrimSpace(model.Printable(text, most))
}
