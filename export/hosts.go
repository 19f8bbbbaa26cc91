package export

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// virtual reports whether the service has a virtual network in the files.
func (s Suite) virtual() bool { return s.Net != nil && !s.Local }

// local reports whether servers of the tests' own stand for the hosts.
func (s Suite) local() bool { return s.Local && len(s.stubs()) > 0 }

// stubs returns those of all tests that were run, and of the run.
func (s Suite) stubs() []model.Stub {
	var all []model.Stub
	for _, t := range s.Tests {
		if last(t) >= 0 {
			all = append(all, t.Stubs...)
		}
	}
	return append(all, s.usual()...)
}

// usual returns the stubs of all tests.
func (s Suite) usual() []model.Stub {
	if s.Net == nil {
		return nil
	}
	return s.Net.Stubs
}

// checkHosts says in one line why the hosts around the service cannot be played.
func (s Suite) checkHosts() error {
	for _, stub := range s.stubs() {
		if err := stub.Validate(); err != nil {
			return err
		}
	}
	switch {
	case s.virtual() && (s.Service == nil || len(s.Build) == 0):
		return fmt.Errorf("the tests need a virtual network, and nobody knows how to build the service with one: say sut: {build: ./cmd/server} in sonde.yaml, or --hosts httptest")
	case s.local() && s.Service == nil && !s.allHere():
		return fmt.Errorf("the tests play hosts around the service, and nobody knows how to start it: say sut in sonde.yaml")
	case !s.virtual() && !s.local() && len(s.stubs()) > 0:
		return fmt.Errorf("the test has stubs of %q, which need a virtual network: run it with --net", s.stubs()[0].Host)
	case s.local():
		_, err := s.replaced()
		return err
	}
	return nil
}

// allHere reports whether all hosts are on this machine, so that servers of the tests can
// be where a service turns to that runs already.
func (s Suite) allHere() bool {
	return !slices.ContainsFunc(s.stubs(), func(stub model.Stub) bool {
		name, _, _ := net.SplitHostPort(stub.Host)
		ip := net.ParseIP(name)
		return name != "localhost" && (ip == nil || !ip.IsLoopback())
	})
}

// around declares the hosts around the service.
func (s Suite) around() string {
	switch {
	case s.virtual():
		return s.network() + s.usually()
	case s.local():
		return s.servers() + s.usually()
	}
	return ""
}

// network declares the virtual network.
func (s Suite) network() string {
	var b strings.Builder
	b.WriteString("\n// network is all that there is outside of the service: a host that answers in no\n// stub refuses.\nvar network = virtualNetwork{\n")
	member := func(name, value string) { fmt.Fprintf(&b, "\t%s: %s,\n", name, value) }
	member("build", "[]string{"+list(s.Build)+"}")
	if len(s.Net.Allow) > 0 {
		member("allow", "[]string{"+list(s.Net.Allow)+"}")
	}
	if s.Net.Hostname != "" {
		member("hostname", quoted(s.Net.Hostname))
	}
	if len(s.Net.Interfaces) > 0 {
		member("interfaces", "[]string{"+list(s.Net.Interfaces)+"}")
	}
	if s.Service.Port > 0 {
		member("listens", fmt.Sprint(s.Service.Port))
	}
	if slices.ContainsFunc(s.stubs(), func(stub model.Stub) bool { return stub.Protocol == model.TCP || stub.Protocol == model.UDP }) {
		member("idle", "hush")
	}
	return b.String() + "}\n"
}

// usually lets the hosts answer that do in all tests.
func (s Suite) usually() string {
	if len(s.usual()) == 0 {
		return ""
	}
	return "\n// What these hosts answer, they do in all tests: those of a test come before them.\nfunc init() {\n\t" +
		strings.Join(stubLines(s.usual()), "\n\t") + "\n}\n"
}

// unbound returns a suite whose service gets a port of its own for the one that it asks
// for.
func (s Suite) unbound() Suite {
	if !s.virtual() || s.Service == nil || s.Service.Port == 0 {
		return s
	}
	own, port := *s.Service, strconv.Itoa(s.Service.Port)
	fill := func(text string) string { return strings.ReplaceAll(text, model.PortPlaceholder, port) }
	own.Command, own.Env = nil, map[string]string{"PORT": port}
	for _, word := range s.Service.Command {
		own.Command = append(own.Command, fill(word))
	}
	for name, value := range s.Service.Env {
		own.Env[name] = fill(value)
	}
	s.BaseURL = strings.Replace(s.BaseURL, ":"+port, ":"+model.PortPlaceholder, 1)
	s.Service = &own
	return s
}

// hostName returns the first word of a host's name, or its address.
func hostName(host string) string {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if net.ParseIP(name) != nil {
		return name
	}
	first, _, _ := strings.Cut(name, ".")
	return first
}
