package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"time"
)

// CheckURL parses the base URL of a service. The URL must be one of HTTP or HTTPS, without credentials, query and
// fragment. Its host must be loopback or one of hosts. Otherwise CheckURL returns an error of one line.
func CheckURL(base string, hosts []string) (*url.URL, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return nil, fmt.Errorf("%q is not the URL of a service: give one such as http://127.0.0.1:8080", base)
	case u.User != nil:
		return nil, fmt.Errorf("%q contains credentials, which would be saved: remove them", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q has a query or a fragment: remove it", base)
	case !IsLoopback(u) && !slices.Contains(hosts, u.Hostname()):
		return nil, fmt.Errorf("%q is not on this machine: add --allow-host %s if it may be called", base, u.Hostname())
	}
	return u, nil
}

// IsLoopback reports whether a URL's host is localhost or a loopback address.
func IsLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// ErrUnreachable is wrapped by the error for a service that accepts no connection.
var ErrUnreachable = errors.New("start the service, or give another --url")

// CheckReachable returns an error if the service accepts no connection within 5 s. For https it also
// returns the errors of checkTLS. It sends no request.
func (c *Client) CheckReachable(ctx context.Context) error {
	host := c.base.Host
	if c.base.Port() == "" {
		host = net.JoinHostPort(c.base.Hostname(), map[string]string{"http": "80", "https": "443"}[c.base.Scheme])
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return fmt.Errorf("%q does not answer: %w", c.base.Redacted(), ErrUnreachable)
	}
	defer conn.Close()
	if c.base.Scheme == "https" {
		return c.checkTLS(ctx, conn)
	}
	return nil
}
