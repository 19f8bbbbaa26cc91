// Package client sends calls to the service under test and reads what it
// answers. Every request of Sonde leaves through it, so that budget, limits
// and the ban on strange hosts hold for all of them.
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
// may.
type Client struct {
	base   *url.URL
	http   http.Client
	take   func() bool
	limit  int64
	logins map[string]login
}

// login is what a user's calls carry.
type login struct{ header, value string }

// New returns a client for the service at base. The error is of one line:
// base is no URL, its host is not allowed, a user's credential is missing.
func New(base string, o Options) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%q is no URL of a service: give one such as http://127.0.0.1:8080", base)
	}
	if !Loopback(u) && !slices.Contains(o.AllowHosts, u.Hostname()) {
		return nil, fmt.Errorf("%q is not on this machine: say --allow-host %s if it may be called", base, u.Hostname())
	}
	logins, err := readLogins(o.Users)
	if err != nil {
		return nil, err
	}
	c := &Client{base: u, take: o.Take, limit: cmp.Or(o.MaxBody, 1<<20), logins: logins}
	if c.take == nil {
		c.take = func() bool { return true }
	}
	c.http = http.Client{
		Timeout:       cmp.Or(o.Timeout, 10*time.Second),
		Transport:     &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true, Proxy: nil},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
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

// Send sends a request and reads the answer. What goes wrong is in the
// exchange's Err.
func (c *Client) Send(ctx context.Context, r model.Request) model.Exchange {
	if !c.take() {
		return model.Exchange{Request: r, Err: ErrBudget}
	}
	start := time.Now()
	reply, err := c.roundTrip(ctx, r)
	return model.Exchange{Request: r, Reply: reply, Took: time.Since(start), Err: err}
}

func (c *Client) roundTrip(ctx context.Context, r model.Request) (model.Reply, error) {
	target := strings.TrimSuffix(c.base.String(), "/") + r.URL
	req, err := http.NewRequestWithContext(ctx, r.Method, target, bytes.NewReader(r.Body))
	if err != nil {
		return model.Reply{}, err
	}
	for name, values := range r.Header {
		req.Header[name] = values
	}
	res, err := c.http.Do(req)
	if err != nil {
		return model.Reply{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, c.limit+1))
	reply := model.Reply{Status: res.StatusCode, Header: res.Header, Body: body}
	if int64(len(body)) > c.limit {
		reply.Body, reply.Truncated = body[:c.limit], true
	}
	return reply, err
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
