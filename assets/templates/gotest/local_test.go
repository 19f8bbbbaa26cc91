package gotest

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
)

// localHosts are servers of the tests. Their addresses replace {HOST:PORT} in the
// service's command and environment.
type localHosts struct {
	hosts
	places map[string]opener
}

// around runs the tests with a service that calls the servers of the tests. If the tests do not start the
// service, the servers listen at the addresses that the service already calls.
func (l *localHosts) around(m *testing.M, p *program) int {
	l.reach = func(*stub) error { return nil }
	if p == nil || os.Getenv("SONDE_BASE_URL") != "" {
		l.at, l.reach = itself, l.isThere
	}
	for host, open := range l.places {
		addr, err := open(&l.hosts, host)
		if err != nil {
			fmt.Fprintf(os.Stderr, "no server can play %s: %v\n", host, l.taken(host, err))
			return 1
		}
		if p != nil {
			p.turnTo("{"+host+"}", addr)
		}
	}
	if p == nil {
		return m.Run()
	}
	return p.around(m)
}

// turnTo replaces a placeholder by an address.
func (p *program) turnTo(mark, addr string) {
	for _, texts := range [][]string{p.command, p.env} {
		for i, text := range texts {
			texts[i] = strings.ReplaceAll(text, mark, addr)
		}
	}
}

// taken returns the error of a server of the tests that cannot listen, with advice.
func (l *localHosts) taken(host string, err error) error {
	if l.at == nil || l.at(host) == "" {
		return err
	}
	return fmt.Errorf("%v: the running service calls this address; stop the program that listens there, so that the tests can", err)
}

// itself returns a host that is on this machine, "" for another one.
func itself(host string) string {
	name, _, _ := net.SplitHostPort(host)
	if ip := net.ParseIP(name); name == "localhost" || ip != nil && ip.IsLoopback() {
		return host
	}
	return ""
}

// isThere returns an error if a host is not on this machine, so that the tests cannot listen in its
// place. It is for a service that the tests did not start.
func (l *localHosts) isThere(s *stub) error {
	if itself(s.host) == "" {
		return fmt.Errorf(
			"the service of SONDE_BASE_URL calls %s itself, where the tests cannot listen: unset it, and "+
				"the tests start a service that calls their servers",
			s.host,
		)
	}
	return nil
}
