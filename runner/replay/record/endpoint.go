package record

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Endpoint is an address on which the monitor listens, and the URL to which it relays requests.
type Endpoint struct {
	// Addr is the address as the user gave it. Its port may be 0.
	Addr string
	To   *url.URL
}

// ParseEndpoint parses "ADDR=URL". The URL must have one of the schemes, and ADDR must pass CheckAddr.
func ParseEndpoint(text string, schemes ...string) (Endpoint, error) {
	addr, to, ok := strings.Cut(text, "=")
	if !ok {
		return Endpoint{}, fmt.Errorf("%q is not like 127.0.0.1:9001=http://127.0.0.1:8080", text)
	}
	if err := CheckAddr(addr); err != nil {
		return Endpoint{}, err
	}
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return Endpoint{}, fmt.Errorf("%q is not the URL of a host: give one such as http://127.0.0.1:8080", to)
	}
	for _, s := range schemes {
		if u.Scheme == s {
			return Endpoint{addr, u}, checkPort(u)
		}
	}
	return Endpoint{}, fmt.Errorf("%q begins with %q: it must be %s", to, u.Scheme, strings.Join(schemes, ", "))
}

// checkPort returns an error if a URL has no port and its scheme has no default port.
func checkPort(u *url.URL) error {
	if u.Port() != "" || u.Scheme == "http" || u.Scheme == "https" {
		return nil
	}
	return fmt.Errorf("%q has no port: give one, such as %s://%s:7000", u, u.Scheme, u.Hostname())
}

// CheckAddr returns an error if the monitor cannot listen on an address. Only loopback addresses
// are allowed, because whoever reaches the monitor reaches the service.
func CheckAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" {
		return fmt.Errorf(
			"%q is not an address to listen on: give one such as 127.0.0.1:9001; port 0 takes a free one",
			addr,
		)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q can be reached from other machines: listen on 127.0.0.1 or [::1]", addr)
	}
	return nil
}

// hostPort returns the host of a URL with its port. Without a port in the URL, the port is 443 for https, and 80
// otherwise.
func hostPort(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Host
	case u.Scheme == "https":
		return net.JoinHostPort(u.Hostname(), "443")
	}
	return net.JoinHostPort(u.Hostname(), "80")
}
