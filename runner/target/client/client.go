// Package client sends calls to the service under test and reads what it
// answers. Every request to the service leaves through it, so that budget,
// limits and the ban on strange hosts hold for all of them.
package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"sonde/model"
)

// ErrBudget is the error of an exchange that the budget did not allow.
var ErrBudget = errors.New("the budget of calls is used up")

// ErrBlocked is the error of a call that Options.Barred kept from being sent. It counts
// as sent, so that a search that has only such calls ends.
var ErrBlocked = errors.New("the call is not made any more, because it ended a user")

// Options of a client. The zero value is useful.
type Options struct {
	// AllowHosts are the hosts that may be called besides loopback.
	AllowHosts []string
	Users      []model.User
	// TakeBudget is asked before each request; where it says no, nothing is sent.
	TakeBudget func() bool
	// TakeLoginBudget is asked before each request of a log-in; nil stands for Take.
	TakeLoginBudget func() bool
	// BeforeCall is called before each call of a test that Play plays; nil for nothing.
	BeforeCall func(call int)
	// AfterCall is called behind each call of a test that Play plays; nil for nothing.
	AfterCall func(call int)
	// Blocked reports whether Play does not send a request; nil for none.
	Blocked func(model.Request) bool
	// Timeout of a call, 10 s by default; waiting for its turn is not of it.
	Timeout time.Duration
	// Pacer says when requests leave, nil at once.
	Pacer *Pacer
	// Insecure lets the service say by any certificate who it is.
	Insecure bool
	// TLS names the files that TLS needs.
	TLS model.TLSFiles
	// MaxBody is how much of an answer is read, 1 MiB by default.
	MaxBody int64
}

// Client talks to one service. It may be used by several goroutines if Take
// may. Close it when it is no longer needed.
type Client struct {
	base           *url.URL
	root           string // the same as text, without a slash at its end
	prefix         string // the path of that
	transport      *http.Transport
	take           func() bool
	timeout        time.Duration
	limit          int64
	sessions       map[string]*session // by the users' names
	takeLogin      func() bool
	before, behind func(call int)
	barred         func(model.Request) bool
	mask           mask
	pace           *Pacer
	vain           vain
	silent         vain // where no answer came in time on a new connection, either
	tls            *tls.Config
	hosts          []string
	spare          atomic.Pointer[way] // nil while it is in use
}

// New returns a client for the service at base. The error is of one line:
// see Check and Secure; or a user's credential is missing.
func New(base string, o Options) (*Client, error) {
	secure, err := TLSConfig(o.TLS, o.Insecure)
	if err != nil {
		return nil, err
	}
	c := &Client{
		hosts:     o.AllowHosts,
		take:      o.TakeBudget,
		takeLogin: o.TakeLoginBudget,
		before:    o.BeforeCall,
		behind:    o.AfterCall,
		barred:    o.Blocked,
		timeout:   cmp.Or(o.Timeout, 10*time.Second),
		limit:     cmp.Or(o.MaxBody, 1<<20),
		transport: transport(secure),
		tls:       secure,
		pace:      o.Pacer,
	}
	if err := c.SetBase(base); err != nil {
		return nil, err
	}
	if c.pace == nil {
		c.pace = NewPacer(0)
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

// SetBase lets the client talk to the service at another base from now on, where that
// may be called: see Check. No request may be out.
func (c *Client) SetBase(base string) error {
	u, err := CheckURL(base, c.hosts)
	if err != nil {
		return err
	}
	c.base, c.root, c.prefix = u, strings.TrimSuffix(u.String(), "/"), strings.TrimSuffix(u.EscapedPath(), "/")
	return nil
}

// BaseURL is where the service is, without a slash at the end.
func (c *Client) BaseURL() string { return c.root }

func transport(secure *tls.Config) *http.Transport {
	return &http.Transport{
		MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, DisableCompression: true, MaxResponseHeaderBytes: mostHeader,
		TLSClientConfig: secure.Clone(), ForceAttemptHTTP2: true,
	}
}

// Close closes idle connections.
func (c *Client) Close() {
	c.spare.Swap(nil).end()
	c.transport.CloseIdleConnections()
}

// Send sends a request and reads the answer, for which it may wait: see Probe
// for one that does not. What goes wrong is in the exchange's Err; an answer that
// breaks off has its status and is Truncated. A request that fails on a connection
// that was used before is sent once more on a new one, so that an error is never
// that of a connection which the service had closed before.
func (c *Client) Send(ctx context.Context, r model.Request) model.Exchange {
	w := c.way(ctx)
	defer w.close()
	return w.send(r, nil)
}

// SendOnce is Send without patience: where the service asks to come again later,
// that is the answer.
func (c *Client) SendOnce(ctx context.Context, r model.Request) model.Exchange {
	w := c.way(ctx)
	defer w.close()
	return c.masked(w.exchange(leaving{Request: r, elsewhere: "", carries: nil, take: c.take}))
}

// send sends a request with credentials, which the exchange does not show.
func (w *way) send(r model.Request, carries []model.Credential) model.Exchange {
	return w.masked(w.patient(leaving{Request: r, elsewhere: "", carries: carries, take: w.Client.take}))
}

// masked is what anybody may see of an exchange.
func (c *Client) masked(x model.Exchange) model.Exchange {
	x.Base, x.Request = c.root, c.mask.request(x.Request)
	x.Reply.Header, x.Reply.Body, x.Err = c.mask.header(x.Reply.Header), c.mask.body(x.Reply.Body, x.Reply.Truncated), c.mask.err(x.Err)
	return x
}

// leaving is a request on its way out.
type leaving struct {
	model.Request
	elsewhere string // the whole URL where it does not go to the service
	carries   []model.Credential
	take      func() bool
}
