package vnet

import (
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
)

// ports are those of places that name none.
var ports = map[string]string{"http": "80", "https": "443", "tcp": "", "udp": ""}

// placesOf reads where hosts really are.
func placesOf(to map[string]string) (map[string]*url.URL, error) {
	all := map[string]*url.URL{}
	for _, host := range slices.Sorted(maps.Keys(to)) {
		if name, port, err := net.SplitHostPort(host); err != nil || name == "" || port == "" {
			return nil, fmt.Errorf("%q is no host:port, such as payments.example:443", host)
		}
		u, err := placeOf(to[host])
		if err != nil {
			return nil, fmt.Errorf("%q cannot be at %q: %w", host, to[host], err)
		}
		all[same(host)] = u
	}
	return all, nil
}

func placeOf(at string) (*url.URL, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, err
	}
	port, known := ports[u.Scheme]
	switch {
	case !known || u.Hostname() == "":
		return nil, fmt.Errorf("say http://host:port, https://, tcp:// or udp://")
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.User != nil:
		return nil, fmt.Errorf("the service says the path: say no more than %s://%s", u.Scheme, u.Host)
	case u.Port() == "" && port == "":
		return nil, fmt.Errorf("%s needs a port", u.Scheme)
	case u.Port() == "":
		u.Host = net.JoinHostPort(u.Hostname(), port)
	}
	return u, nil
}

// table is what the service is told. The mutex is held.
func (r *Recorder) table() string {
	t := &table{}
	t.line("record", "1")
	for _, host := range slices.Sorted(maps.Keys(r.places)) {
		name, port := split(host)
		if !isAddress(name) {
			t.line("known", name)
		}
		for _, at := range (zone{}).addresses(name) {
			r.elsewhere(t, netip.AddrPortFrom(at, port), host)
		}
	}
	for port, real := range r.bound {
		for _, network := range []string{"tcp", "udp"} {
			if port != real {
				t.line("bind", network, strconv.Itoa(port), strconv.Itoa(real))
			}
		}
	}
	for _, place := range r.relay.Allow {
		t.line("allow", "tcp", place)
		t.line("allow", "udp", place)
	}
	return t.String()
}

// elsewhere says where the datagrams of a host go.
func (r *Recorder) elsewhere(t *table, at netip.AddrPort, host string) {
	u := r.places[host]
	if u.Scheme != "udp" {
		return
	}
	if a, err := net.ResolveUDPAddr("udp", u.Host); err == nil {
		t.line("route", "udp", at.String(), a.AddrPort().String())
	} else {
		r.relay.Note(fmt.Sprintf("%s is nowhere: %v", u, err))
	}
}

// place is where hosts by some names really are, nil where they are what they are.
func (r *Recorder) place(hosts []string) *url.URL {
	for _, host := range hosts {
		if u := r.places[host]; u != nil {
			return u
		}
	}
	return nil
}

// named is what people call a host: as the service does, or where that is an address,
// the place that really is there, if another one is.
func named(host string, place *url.URL) string {
	name, _ := split(host)
	if place != nil && net.ParseIP(name) != nil {
		return place.Host
	}
	return name
}
