package netsim

import (
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
)

// defaultPorts maps the scheme of a location to its default port. The port is "" for schemes without a default: their
// locations must have a port.
var defaultPorts = map[string]string{"http": "80", "https": "443", "tcp": "", "udp": ""}

// parseLocations parses RelayOptions.Locations. The keys of the result are canonical hosts.
func parseLocations(texts map[string]string) (map[string]*url.URL, error) {
	all := map[string]*url.URL{}
	for _, host := range slices.Sorted(maps.Keys(texts)) {
		if name, port, err := net.SplitHostPort(host); err != nil || name == "" || port == "" {
			return nil, fmt.Errorf("%q is not a host:port, such as payments.example:443", host)
		}
		u, err := parseLocation(texts[host])
		if err != nil {
			return nil, fmt.Errorf("%q cannot be at %q: %w", host, texts[host], err)
		}
		all[canonicalHost(host)] = u
	}
	return all, nil
}

func parseLocation(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	port, known := defaultPorts[u.Scheme]
	switch {
	case !known || u.Hostname() == "":
		return nil, fmt.Errorf("use http://host:port, https://, tcp:// or udp://")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.User != nil:
		return nil, fmt.Errorf("the service chooses the path: use %s://%s", u.Scheme, u.Host)
	case u.Port() == "" && port == "":
		return nil, fmt.Errorf("%s needs a port", u.Scheme)
	case u.Port() == "":
		u.Host = net.JoinHostPort(u.Hostname(), port)
	}
	return u, nil
}

// table returns the table of a service that is recorded. It is the text that configures the network code in the
// service. The caller must hold the mutex.
func (r *Recorder) table() string {
	t := &table{}
	t.line("record", "1")
	for _, host := range slices.Sorted(maps.Keys(r.locations)) {
		name, port := splitHost(host)
		if !isAddress(name) {
			t.line("known", name)
		}
		for _, at := range (zone{}).addresses(name) {
			r.routeDatagrams(t, netip.AddrPortFrom(at, port), host)
		}
	}
	for port, real := range r.ports {
		for _, network := range []string{"tcp", "udp"} {
			if port != real {
				t.line("bind", network, strconv.Itoa(port), strconv.Itoa(real))
			}
		}
	}
	for _, host := range r.options.Allow {
		t.line("allow", "tcp", host)
		t.line("allow", "udp", host)
	}
	return t.String()
}

// routeDatagrams writes the real address of a host into the table, if its location has the
// scheme udp.
func (r *Recorder) routeDatagrams(t *table, at netip.AddrPort, host string) {
	u := r.locations[host]
	if u.Scheme != "udp" {
		return
	}
	a, err := net.ResolveUDPAddr("udp", u.Host)
	if err != nil {
		r.options.Note(fmt.Sprintf("%s cannot be resolved: %v", u, err))
		return
	}
	t.line("route", "udp", at.String(), a.AddrPort().String())
}

// locationOf returns the location of the host that has these names, nil if it has none.
func (r *Recorder) locationOf(hosts []string) *url.URL {
	for _, host := range hosts {
		if u := r.locations[host]; u != nil {
			return u
		}
	}
	return nil
}

// displayName returns the name of a host for the user: the name that the service uses. If the
// service uses an address, and the host has a location, the name is the host:port of the location.
func displayName(host string, location *url.URL) string {
	name, _ := splitHost(host)
	if location != nil && net.ParseIP(name) != nil {
		return location.Host
	}
	return name
}
