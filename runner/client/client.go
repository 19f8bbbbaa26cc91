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
	"os"
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
	logins    map[string]login
	mask      *strings.Replacer // takes the users' credentials out of a text
}

// login is what a user's calls carry.
type login struct{ header, value string }

// New returns a client for the service at base. The error is of one line:
// see Check; or a user's credential is missing.
func New(base string, o Options) (*Client, error) {
	u, err := Check(base, o.AllowHosts)
	if err != nil {
		return nil, err
	}
	logins, err := readLogins(o.Users)
	if err != nil {
		return nil, err
	}
	c := &Client{
		base: u, take: o.Take, timeout: cmp.Or(o.Timeout, 10*time.Second), limit: cmp.Or(o.MaxBody, 1<<20),
		logins: logins, mask: masker(logins),
		transport: &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, DisableCompression: true},
	}
	if c.take == nil {
		c.take = func() bool { return true }
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

func readLogins(users []model.User) (map[string]login, error) {
	logins := map[string]login{}
	for _, u := range users {
		value := os.Getenv(u.Env)
		if value == "" {
			value = u.Public
		}
		if value == "" {
			return nil, fmt.Errorf("user %q has no credential: set %s to the value of the header %s", u.Name, u.Env, u.Header)
		}
		logins[u.Name] = login{u.Header, value}
	}
	return logins, nil
}

// masker returns what takes credentials out of a text: a service that repeats
// one must not bring it to disk or to the screen.
func masker(logins map[string]login) *strings.Replacer {
	var pairs []string
	for _, l := range logins {
		_, secret, _ := strings.Cut(l.value, " ")
		for _, text := range []string{l.value, secret} {
			if text != "" {
				pairs = append(pairs, text, "***")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// Send sends a request and reads the answer. What goes wrong is in the
// exchange's Err; an answer that breaks off has its status and is Truncated.
func (c *Client) Send(ctx context.Context, r model.Request) model.Exchange {
	x := model.Exchange{Request: r}
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := c.request(ctx, cancel, r)
	if err != nil {
		x.Err = err
		return x
	}
	if !c.take() {
		x.Err = ErrBudget
		return x
	}
	x.Reply, x.Err = c.roundTrip(req)
	x.Took = time.Since(start)
	return x
}

// request makes the request as net/http has it. The transport sends some
// requests again when a connection that it reused turns out to be dead; those
// count as well, and do not leave where the budget is used up.
func (c *Client) request(ctx context.Context, cancel func(), r model.Request) (*http.Request, error) {
	tries := 0
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GetConn: func(string) {
		if tries++; tries > 1 && !c.take() {
			cancel()
		}
	}})
	req, err := http.NewRequestWithContext(ctx, r.Method, strings.TrimSuffix(c.base.String(), "/")+r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	for name, values := range r.Header {
		req.Header[name] = values
	}
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
	reply := model.Reply{Status: res.StatusCode, Header: c.masked(res.Header)}
	if res.StatusCode == http.StatusSwitchingProtocols {
		return reply, nil // what follows is no body and may never end
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, c.limit+1))
	reply.Truncated = err != nil || int64(len(body)) > c.limit
	reply.Body = []byte(c.mask.Replace(string(body[:min(int64(len(body)), c.limit)])))
	return reply, nil
}

func (c *Client) masked(h http.Header) map[string][]string {
	for _, values := range h {
		for i, v := range values {
			values[i] = c.mask.Replace(v)
		}
	}
	return h
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
