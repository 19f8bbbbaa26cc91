// Package client sends calls to the service under test and reads what it
// answers. Every request to the service leaves through it, so that budget,
// limits and the ban on strange hosts hold for all of them.
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"sonde/model"
)

// ErrBudget is the error of an exchange that the budget did not allow.
var ErrBudget = errors.New("the budget of calls is used up")

// Options of a client. The zero value is useful.
type Options struct {
	// AllowHosts are the hosts that may be called besides loopback.
	AllowHosts []string
	Users      []model.User
	// Take is asked before each request; where it says no, nothing is sent.
	Take func() bool
	// TakeLogin is asked before each request of a log-in; nil stands for Take.
	TakeLogin func() bool
	// Timeout of a call, 10 s by default; waiting for its turn is not of it.
	Timeout time.Duration
	// Pace says when requests leave, nil at once.
	Pace *Pace
	// Insecure lets the service say by any certificate who it is.
	Insecure bool
	// MaxBody is how much of an answer is read, 1 MiB by default.
	MaxBody int64
}

// Client talks to one service. It may be used by several goroutines if Take
// may. Close it when it is no longer needed.
type Client struct {
	base      *url.URL
	transport *http.Transport
	take      func() bool
	timeout   time.Duration
	limit     int64
	sessions  map[string]*session // by the users' names
	takeLogin func() bool
	mask      mask
	pace      *Pace
	vain      vain
	insecure  bool
}

// New returns a client for the service at base. The error is of one line:
// see Check; or a user's credential is missing.
func New(base string, o Options) (*Client, error) {
	u, err := Check(base, o.AllowHosts)
	if err != nil {
		return nil, err
	}
	c := &Client{
		base: u, take: o.Take, takeLogin: o.TakeLogin, timeout: cmp.Or(o.Timeout, 10*time.Second), limit: cmp.Or(o.MaxBody, 1<<20),
		transport: transport(o.Insecure), insecure: o.Insecure, pace: o.Pace,
	}
	if c.pace == nil {
		c.pace = NewPace(0)
	}
	if c.take == nil {
		c.take = func() bool { return true }
	}
	if c.takeLogin == nil {
		c.takeLogin = c.take
	}
	if err := c.enroll(o.Users, o.AllowHosts); err != nil {
		return nil, err
	}
	return c, nil
}

func transport(insecure bool) *http.Transport {
	return &http.Transport{
		MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, DisableCompression: true, MaxResponseHeaderBytes: mostHeader,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: insecure}, ForceAttemptHTTP2: true,
	}
}

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Send sends a request and reads the answer, for which it may wait: see Probe
// for one that does not. What goes wrong is in the exchange's Err; an answer that
// breaks off has its status and is Truncated.
func (c *Client) Send(ctx context.Context, r model.Request) model.Exchange {
	return c.send(ctx, r, nil)
}

// Probe is Send without patience: where the service asks to come again later,
// that is the answer.
func (c *Client) Probe(ctx context.Context, r model.Request) model.Exchange {
	return c.masked(c.exchange(ctx, leaving{r, c.target(r.URL), nil, c.take}))
}

// send sends a request with credentials, which the exchange does not show.
func (c *Client) send(ctx context.Context, r model.Request, carries []model.Credential) model.Exchange {
	return c.masked(c.patient(ctx, leaving{r, c.target(r.URL), carries, c.take}))
}

// masked is what anybody may see of an exchange.
func (c *Client) masked(x model.Exchange) model.Exchange {
	x.Base, x.Request = c.target(""), c.mask.request(x.Request)
	x.Reply.Header, x.Reply.Body, x.Err = c.mask.header(x.Reply.Header), c.mask.body(x.Reply.Body), c.mask.err(x.Err)
	return x
}

// leaving is a request on its way out.
type leaving struct {
	model.Request
	target  string // the whole URL
	carries []model.Credential
	take    func() bool
}

// target is the whole URL of a path and query.
func (c *Client) target(path string) string { return strings.TrimSuffix(c.base.String(), "/") + path }

// exchange sends a request when its turn comes, where the budget lets it, and
// reads the answer as it comes, secrets included.
func (c *Client) exchange(ctx context.Context, l leaving) model.Exchange {
	x := model.Exchange{Request: l.Request}
	if x.Err = c.pace.wait(ctx); x.Err != nil {
		return x
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := c.request(ctx, l, cancel)
	switch {
	case err != nil:
		x.Err = err
	case !l.take():
		x.Err = ErrBudget
	default:
		x.At = time.Now()
		x.Reply, x.Err = c.roundTrip(req)
		x.Took = time.Since(x.At)
	}
	return x
}

// request makes the request as net/http has it. The transport sends some
// requests again when a connection that it reused turns out to be dead; those
// count as well, and do not leave where the budget is used up.
func (c *Client) request(ctx context.Context, l leaving, cancel func()) (*http.Request, error) {
	tries := 0
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GetConn: func(string) {
		if tries++; tries > 1 && (c.pace.wait(ctx) != nil || !l.take()) {
			cancel()
		}
	}})
	req, err := http.NewRequestWithContext(ctx, l.Method, l.target, bytes.NewReader(l.Body))
	if err != nil {
		return nil, err
	}
	for name, values := range l.Header {
		req.Header[name] = values
	}
	carry(req, l.carries)
	return req, nil
}
