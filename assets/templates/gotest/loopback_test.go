package gotest

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
)

// localHosts are servers of the tests that play hosts. The address of a server replaces the placeholder {HOST:PORT}
// of its host in the service's command and environment.
type localHosts struct {
	hosts
	servers map[string]opener
}

// runTests runs the tests with a service that calls the servers of the tests. If the tests do not start the
// service, the servers listen at the addresses that the service already calls.
func (l *localHosts) runTests(m *testing.M, p *program) int {
	l.makeReachable = func(*stub) error { return nil }
	if p == nil || os.Getenv("SONDE_BASE_URL") != "" {
		l.fixedAddr, l.makeReachable = loopbackHost, l.requireLocal
	}
	for host, open := range l.servers {
		addr, err := open(&l.hosts, host)
		if err != nil {
			fmt.Fprintf(os.Stderr, "no server can play %s: %v\n", host, l.listenError(host, err))
			return 1
		}
		if p != nil {
			p.replacePlaceholder("{"+host+"}", addr)
		}
	}
	if p == nil {
		return m.Run()
	}
	p.onStart = l.startProcess
	return p.runTests(m)
}

// begin begins a test, with only the permanent stubs. It closes connections, so that the service opens new ones: on a
// connection that was used before, a client would send a request again by itself after a reset.
func (l *localHosts) begin(t *testing.T) {
	t.Helper()
	l.hosts.begin(t)
	l.drain()
}

// replacePlaceholder replaces a placeholder by an address in the command and the environment of the program.
func (p *program) replacePlaceholder(placeholder, addr string) {
	for _, texts := range [][]string{p.command, p.env} {
		for i, text := range texts {
			texts[i] = strings.ReplaceAll(text, placeholder, addr)
		}
	}
}

// listenError adds advice to the error of a server that cannot listen.
func (l *localHosts) listenError(host string, err error) error {
	if l.fixedAddr == nil || l.fixedAddr(host) == "" {
		return err
	}
	return fmt.Errorf("%v: the running service calls this address; stop the program that listens there, so that the tests can", err)
}

// loopbackHost returns host if it is on this machine, and "" otherwise.
func loopbackHost(host string) string {
	name, _, _ := net.SplitHostPort(host)
	if ip := net.ParseIP(name); name == "localhost" || ip != nil && ip.IsLoopback() {
		return host
	}
	return ""
}

// requireLocal returns an error if the host of a stub is not on this machine, because the tests cannot listen there.
// It is used if the tests do not start the service.
func (l *localHosts) requireLocal(s *stub) error {
	if loopbackHost(s.host) == "" {
		return fmt.Errorf(
			"the service of SONDE_BASE_URL calls %s itself, where the tests cannot listen: unset it, and "+
				"the tests start a service that calls their servers",
			s.host,
		)
	}
	return nil
}
