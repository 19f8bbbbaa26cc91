package gotest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// localHosts are servers of the tests' own. Their addresses are put where {HOST:PORT}
// stands in the service's command and environment.
type localHosts struct {
	hosts
	places map[string]opener
}

// around runs the tests with a service that turns to the tests' own servers.
func (l *localHosts) around(m *testing.M, p *program) int {
	if os.Getenv("SONDE_BASE_URL") != "" {
		l.reach = func(*stub) error {
			return errors.New("the service of SONDE_BASE_URL turns to other hosts: unset it, and the tests start one that turns to theirs")
		}
		return p.around(m)
	}
	for host, open := range l.places {
		addr, err := open(&l.hosts, host)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		for _, texts := range [][]string{p.command, p.env} {
			for i, text := range texts {
				texts[i] = strings.ReplaceAll(text, "{"+host+"}", addr)
			}
		}
	}
	l.reach = func(*stub) error { return nil }
	return p.around(m)
}
