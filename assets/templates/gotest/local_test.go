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

// taken returns why a server of the tests cannot listen, and what helps.
func (l *localHosts) taken(host string, err error) error {
	if l.at == nil || l.at(host) == "" {
		return err
	}
	return fmt.Errorf("%v: the service that runs already turns there; stop what listens there, and the tests do", err)
}

// itself returns a host that is on this machine, "" for another one.
func itself(host string) string {
	name, _, _ := net.SplitHostPort(host)
	if ip := net.ParseIP(name); name == "localhost" || ip != nil && ip.IsLoopback() {
		return host
	}
	return ""
}

// isThere returns why a service that the tests did not start does not call a server of
// the tests.
func (l *localHosts) isThere(s *stub) error {
	if itself(s.host) == "" {
		return fmt.Errorf(
			"the service of SONDE_BASE_URL turns to %s itself, where no server of the tests can be: unset it, and "+
				"the tests start one that turns to theirs",
			s.host,
		)
	}
	return nil
}
