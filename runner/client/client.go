// Package client sends calls to the service under test and reads what it
// answers. Every request to the service leaves through it, so that budget,
// limits and the ban on strange hosts hold for all of them.
package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
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
	// Timeout of a call, 10 s by default.
	Timeout time.Duration
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
		transport: &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, DisableCompression: true},
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

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Check reads the URL of a service and says in one line what is wrong with it:
// it is no URL, it carries what belongs elsewhere, or its host is neither this
// machine nor allowed.
func Check(base string, hosts []string) (*url.URL, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return nil, fmt.Errorf("%q is no URL of a service: give one such as http://127.0.0.1:8080", base)
	case u.User != nil:
		return nil, fmt.Errorf("%q has a log-in in it, which would be written down: leave it out", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q goes on behind the path: leave out the query and the fragment", base)
	case !Loopback(u) && !slices.Contains(hosts, u.Hostname()):
		return nil, fmt.Errorf("%q is not on this machine: say --allow-host %s if it may be called", base, u.Hostname())
	}
	return u, nil
}

// Loopback tells whether a URL's host is this machine's own.
func Loopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Send sends a request and reads the answer. What goes wrong is in the
// exchange's Err; an answer that breaks off has its status and is Truncated.
func (c *Client) Send(ctx context.Context, r model.Request) model.Exchange {
	return c.send(ctx, r, nil)
}

// send sends a request with credentials, which the exchange does not show.
func (c *Client) send(ctx context.Context, r model.Request, carries []model.Credential) model.Exchange {
	x := model.Exchange{Request: r}
	start := time.Now()
	x.Reply, x.Err = c.exchange(ctx, leaving{r, c.target(r.URL), carries, c.take})
	x.Reply.Header, x.Reply.Body, x.Err = c.mask.header(x.Reply.Header), c.mask.body(x.Reply.Body), c.mask.err(x.Err)
	x.Took = time.Since(start)
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

// exchange sends a request where the budget lets it, and reads the answer as it
// comes, secrets included.
func (c *Client) exchange(ctx context.Context, l leaving) (model.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := l.request(ctx, cancel)
	if err != nil {
		return model.Reply{}, err
	}
	if !l.take() {
		return model.Reply{}, ErrBudget
	}
	return c.roundTrip(req)
}

// request makes the request as net/http has it. The transport sends some
// requests again when a connection that it reused turns out to be dead; those
// count as well, and do not leave where the budget is used up.
func (l leaving) request(ctx context.Context, cancel func()) (*http.Request, error) {
	tries := 0
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GetConn: func(string) {
		if tries++; tries > 1 && !l.take() {
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

// roundTrip goes without http.Client, which would read a redirect's Location
// before anybody else may.
func (c *Client) roundTrip(req *http.Request) (model.Reply, error) {
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return model.Reply{}, err
	}
	defer res.Body.Close()
	reply := model.Reply{Status: res.StatusCode, Header: res.Header}
	if res.StatusCode == http.StatusSwitchingProtocols {
		return reply, nil // what follows is no body and may never end
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, c.limit+1))
	reply.Truncated = err != nil || int64(len(body)) > c.limit
	reply.Body = body[:min(int64(len(body)), c.limit)]
	return reply, nil
}

// Reachable tells whether the service accepts connections, without sending a
// request.
func (c *Client) Reachable(ctx context.Context) error {
	host := c.base.Host
	if c.base.Port() == "" {
		host = net.JoinHostPort(c.base.Hostname(), map[string]string{"http": "80", "https": "443"}[c.base.Scheme])
	}
	d := net.Dialer{Timeout: 5 * time.Second}
	conn, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return fmt.Errorf("%q does not answer: start the service, or give another --url", c.base.Redacted())
	}
	return conn.Close()
}
