// Package client sends calls to the service under test and reads the answers. Every request to
// the service goes through this package, so that the budget, the limits and the list of allowed
// hosts apply to every request. The package does not decide which calls to make.
//
// The client masks the secrets of the users in the exchange of each request that it sends; package
// redact finds the secrets.
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
	"sonde/runner/target/redact"
)

// ErrBudget is the error of a request that was not sent because the budget is used up.
var ErrBudget = errors.New("the budget of calls is used up")

// ErrBlocked is the error of a call that is not sent because of Options.Blocked. The call counts against the
// budget, so that a search with only blocked calls ends.
var ErrBlocked = errors.New("the call is not sent")

// Options of a client. The zero value is useful.
type Options struct {
	// AllowHosts are the hosts that may be called besides loopback.
	AllowHosts []string
	// Users are the users who can make calls.
	Users []model.User
	// Headers are sent with each request to the service, unless the request or its user sets the same header. Their
	// values may refer to variables of the process environment, which are secrets.
	Headers []model.Credential
	// TakeBudget is called before each request. If it returns false, the request is not sent. Nil
	// means no limit.
	TakeBudget func() bool
	// TakeLoginBudget is called instead of TakeBudget before each request that logs a user in or
	// creates a user. Nil means TakeBudget.
	TakeLoginBudget func() bool
	// BeforeCall, if not nil, is called before PlayTest sends a call, with the call's index. It is also called
	// for a blocked call.
	BeforeCall func(call int)
	// AfterCall, if not nil, is called after PlayTest has sent a call or found that it is blocked, with the
	// call's index. It is not called if the budget was used up.
	AfterCall func(call int)
	// Blocked returns an error that wraps ErrBlocked if PlayTest must not send a request. It returns nil if PlayTest
	// may send the request. If Blocked is nil, no request is blocked.
	Blocked func(model.Request) error
	// Timeout is how long a request may take, 10 s by default. Waiting for the pacer does not count.
	Timeout time.Duration
	// Pacer limits the rate of requests. Nil means no limit.
	Pacer *Pacer
	// Insecure accepts any certificate of the service.
	Insecure bool
	// TLS are the paths of the files with certificates and keys.
	TLS model.TLSFiles
	// MaxBody is how many bytes of an answer's body are read, 1 MiB by default.
	MaxBody int64
}

// Client sends requests to one service. It is safe for concurrent use if the functions in its
// Options are. Close it after use.
type Client struct {
	base                  *url.URL // the service's base URL
	root                  string   // base as a string, without a slash at its end
	prefix                string   // base's escaped path, without a slash at its end
	transport             *http.Transport
	take                  func() bool
	timeout               time.Duration
	limit                 int64               // bytes of an answer's body
	sessions              map[string]*session // user name → session
	takeLogin             func() bool
	beforeCall, afterCall func(call int)
	blocked               func(model.Request) error
	mask                  mask
	pace                  *Pacer
	// noRetry has the routes whose answers asked for another retry after maxRetries retries, or for a pause longer
	// than maxPause. Requests to them are not retried until an answer asks for no retry. Otherwise a route that
	// always answers 503 would cost minutes of each run.
	noRetry  routeSet
	timedOut routeSet // the routes where a request failed on a reused connection and timed out on a new one
	tls      *tls.Config
	hosts    []string
	headers  []model.Credential // resolved Options.Headers

	variables map[string]string        // values of ${NAME} in the calls of tests
	logins    map[model.OpID]loginCall // the operations that log users in

	spare atomic.Pointer[sender] // the sender that was closed last; nil if it is in use or no sender was closed
}

// New returns a client for the service at base. The error has one line. It is the error of CheckURL or
// TLSConfig, or says that a user's credential is missing or invalid, or that the host of a user's
// log-in is not allowed.
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
	if err := c.setHeaders(o.Headers); err != nil {
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

// MaskOutput masks the secrets of the users in what the service prints: those of their configuration, and
// those that the service has returned to log-ins so far.
func (c *Client) MaskOutput(text string) string {
	return c.mask.matcher().MaskText(text, redact.BodyText)
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
	c.spare.Swap(nil).releaseContext()
	c.transport.CloseIdleConnections()
}

// Send sends a request and reads the answer. If the service asks to retry later, Send waits and
// retries; SendOnce does not. If the request fails, the exchange's Err says why. An answer that ends
// too early has its status and is marked as Truncated. If a request gets no answer on a reused
// connection, Send usually sends it once more on a new connection, because the service may have closed
// the idle connection.
func (c *Client) Send(ctx context.Context, r model.Request) model.Exchange {
	s := c.acquireSender(ctx)
	defer s.close()
	return s.send(r, nil)
}

// SendOnce is like Send, but if the service asks to retry later, SendOnce returns this answer and does not retry.
func (c *Client) SendOnce(ctx context.Context, r model.Request) model.Exchange {
	s := c.acquireSender(ctx)
	defer s.close()
	return c.masked(s.exchange(outgoing{Request: c.withHeaders(r), elsewhere: "", credentials: nil, take: c.take}))
}

// send sends a request with credentials. The returned exchange is masked.
func (s *sender) send(r model.Request, credentials []model.Credential) model.Exchange {
	o := outgoing{Request: s.withHeaders(r), elsewhere: "", credentials: credentials, take: s.Client.take}
	return s.masked(s.sendWithRetries(o))
}

// masked returns x with its secrets masked. It also sets the base URL in x.
func (c *Client) masked(x model.Exchange) model.Exchange {
	x.Base, x.Request = c.root, c.mask.request(x.Request)
	x.Reply.Header, x.Reply.Body, x.Err = c.mask.header(x.Reply.Header), c.mask.body(x.Reply.Body, x.Reply.Truncated), c.mask.err(x.Err)
	return x
}

// outgoing is a request to be sent.
type outgoing struct {
	model.Request
	elsewhere   string // the whole URL if the request does not go to the service, otherwise ""
	credentials []model.Credential
	take        func() bool // takes one request from a budget
}
