package record

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Way is an address on which the monitor listens, and what is behind it.
type Way struct {
	// Addr is as it was given; it may name port 0.
	Addr string
	To   *url.URL
}

// ParseWay reads "ADDR=URL", of which the URL has one of the schemes. An error names the
// operand and says what to give.
func ParseWay(text string, schemes ...string) (Way, error) {
	addr, to, ok := strings.Cut(text, "=")
	if !ok {
		return Way{}, fmt.Errorf("%q is not like 127.0.0.1:9001=http://127.0.0.1:8080", text)
	}
	if err := CheckAddr(addr); err != nil {
		return Way{}, err
	}
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return Way{}, fmt.Errorf("%q is no URL of a host: give one such as http://127.0.0.1:8080", to)
	}
	for _, s := range schemes {
		if u.Scheme == s {
			return Way{addr, u}, ported(u)
		}
	}
	return Way{}, fmt.Errorf("%q begins with %q: it must be %s", to, u.Scheme, strings.Join(schemes, ", "))
}

// ported says whether a URL without a port is of a scheme that has one of its own.
func ported(u *url.URL) error {
	if u.Port() != "" || u.Scheme == "http" || u.Scheme == "https" {
		return nil
	}
	return fmt.Errorf("%q has no port: give one, such as %s://%s:7000", u, u.Scheme, u.Hostname())
}

// CheckAddr says what is wrong with an address to listen on. Only this machine may
// reach the monitor, for whoever does reaches what is behind it.
func CheckAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" {
		return fmt.Errorf("%q is no address to listen on: give one such as 127.0.0.1:9001; port 0 takes a free one", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not of this machine alone: listen on 127.0.0.1 or [::1]", addr)
	}
	return nil
}

// hostPort is a URL's host with the port of its scheme where it has none.
func hostPort(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Host
	case u.Scheme == "https":
		return net.JoinHostPort(u.Hostname(), "443")
	}
	return net.JoinHostPort(u.Hostname(), "80")
}
