// Package client sends calls to the service under test and reads the answers. Every request to
// the service goes through it, so that the budget, the limits and the list of allowed hosts
// apply to all of them. It does not decide which calls to make.
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

// ErrBlocked is the error of a call that Options.Blocked rejected. It counts as sent, so that a
// search with only such calls ends.
var ErrBlocked = errors.New("the call is not sent any more, because it removed or logged out a user")

// Options of a client. The zero value is useful.
type Options struct {
	// AllowHosts are the hosts that may be called besides loopback.
	AllowHosts []string
	Users      []model.User
	// TakeBudget is called before each request. If it returns false, the request is not sent. Nil
	// is no limit.
	TakeBudget func() bool
	// TakeLoginBudget is called before each request of a log-in; nil means TakeBudget.
	TakeLoginBudget func() bool
	// BeforeCall is called before each call of a test that PlayTest plays; it may be nil.
	BeforeCall func(call int)
	// AfterCall is called after each call of a test that PlayTest plays; it may be nil.
	AfterCall func(call int)
	// Blocked reports whether PlayTest must not send a request; nil blocks none.
	Blocked func(model.Request) bool
	// Timeout of a call, 10 s by default, without the time that it waits for the pacer.
	Timeout time.Duration
	// Pacer limits the rate of requests; nil is no limit.
	Pacer *Pacer
	// Insecure accepts any certificate of the service.
	Insecure bool
	// TLS names the files with certificates and keys.
	TLS model.TLSFiles
	// MaxBody is how many bytes of an answer are read, 1 MiB by default.
	MaxBody int64
}

// Client talks to one service. It is safe for concurrent use if the functions of its Options
// are. Close it after use.
type Client struct {
	base                  *url.URL
	root                  string // the same as text, without a slash at its end
	prefix                string // the path of that
	transport             *http.Transport
	take                  func() bool
	timeout               time.Duration
	limit                 int64
	sessions              map[string]*session // by the users' names
	takeLogin             func() bool
	beforeCall, afterCall func(call int)
	blocked               func(model.Request) bool
	mask                  mask
	pace                  *Pacer
	noRetry               placeSet
	timedOut              placeSet // where no answer came in time on a new connection, either
	tls                   *tls.Config
	hosts                 []string
	spare                 atomic.Pointer[sender] // nil while it is in use
}

// New returns a client for the service at base. The error is one line: that of CheckURL or
// TLSConfig, or of a user's missing credential.
func New(base string, o Options) (*Client, error) {
	secure, err := TLSConfig(o.TLS, o.Insecure)
	if err != nil {
		return nil, err
	}
	c := &Client{
		hosts:      o.AllowHosts,
		take:       o.TakeBudget,
		takeLogin:  o.TakeLoginBudget,
		beforeCall: o.BeforeCall,
		afterCall:  o.AfterCall,
		blocked:    o.Blocked,
		timeout:    cmp.Or(o.Timeout, 10*time.Second),
		limit:      cmp.Or(o.MaxBody, 1<<20),
		transport:  transport(secure),
		tls:        secure,
		pace:       o.Pacer,
	}
	if err := c.SetBaseURL(base); err != nil {
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

// SetBaseURL changes the base URL of the service, which must pass CheckURL. No request may be in
// flight.
func (c *Client) SetBaseURL(base string) error {
	u, err := CheckURL(base, c.hosts)
	if err != nil {
		return err
	}
	c.base, c.root, c.prefix = u, strings.TrimSuffix(u.String(), "/"), strings.TrimSuffix(u.EscapedPath(), "/")
	return nil
}

// BaseURL returns the base URL of the service, without a slash at the end.
func (c *Client) BaseURL() string { return c.root }

func transport(secure *tls.Config) *http.Transport {
	return &http.Transport{
		MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
		TLSClientConfig: secure.Clone(), ForceAttemptHTTP2: true,
	}
}

// Close closes idle connections.
func (c *Client) Close() {
	c.spare.Swap(nil).end()
	c.transport.CloseIdleConnections()
}

// Send sends a request and reads the answer. If the service asks to retry later, Send waits and
// retries; see SendOnce. A failure is in the exchange's Err; an answer that breaks off has its
// status and is Truncated. A request that fails on a reused connection is sent once more on a
// new one, so that an idle connection which the service closed never causes an error.
func (c *Client) Send(ctx context.Context, r model.Request) model.Exchange {
	w := c.acquireSender(ctx)
	defer w.close()
	return w.send(r, nil)
}

// SendOnce is Send without retries: an answer that asks to retry later is returned.
func (c *Client) SendOnce(ctx context.Context, r model.Request) model.Exchange {
	w := c.acquireSender(ctx)
	defer w.close()
	return c.masked(w.exchange(outgoing{Request: r, elsewhere: "", carries: nil, take: c.take}))
}

// send sends a request with credentials, which the exchange does not contain.
func (w *sender) send(r model.Request, carries []model.Credential) model.Exchange {
	return w.masked(w.patient(outgoing{Request: r, elsewhere: "", carries: carries, take: w.Client.take}))
}

// masked returns an exchange without secrets.
func (c *Client) masked(x model.Exchange) model.Exchange {
	x.Base, x.Request = c.root, c.mask.request(x.Request)
	x.Reply.Header, x.Reply.Body, x.Err = c.mask.header(x.Reply.Header), c.mask.body(x.Reply.Body, x.Reply.Truncated), c.mask.err(x.Err)
	return x
}

// outgoing is a request to be sent.
type outgoing struct {
	model.Request
	elsewhere string // the whole URL if it does not go to the service
	carries   []model.Credential
	take      func() bool
}
