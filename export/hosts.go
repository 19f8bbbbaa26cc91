package export

import (
	"errors"
	"fmt"
	"net"
	"path"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// hostSetup says how exported tests play the hosts around the service: in a virtual network, or as servers
// on loopback.
type hostSetup struct {
	network *model.VirtualNetwork // the virtual network, nil for none
	local   bool                  // servers on loopback replace the virtual network
	build   []string              // the command that builds the service for the virtual network
	service *model.Service
	stubs   []model.Stub // the stubs of all tests that have run, and the permanent stubs
}

// virtual reports whether the service runs in a virtual network.
func (h hostSetup) virtual() bool { return h.network != nil && !h.local }

// onLoopback reports whether servers of the tests play the hosts.
func (h hostSetup) onLoopback() bool { return h.local && len(h.stubs) > 0 }

// playsHosts reports whether the tests play any hosts.
func (h hostSetup) playsHosts() bool { return h.virtual() || h.onLoopback() }

// permanent returns the stubs that answer in all tests.
func (h hostSetup) permanent() []model.Stub { return h.network.PermanentStubs() }

// check returns an error of one line if the hosts cannot be played.
func (h hostSetup) check() error {
	for _, stub := range h.stubs {
		if err := stub.Validate(); err != nil {
			return err
		}
	}
	switch {
	case h.virtual() && (h.service == nil || len(h.build) == 0):
		return errors.New("the tests need a virtual network, but no build command for the service is configured: " +
			"say sut: {build: ./cmd/server} in sonde.yaml, or --hosts httptest")
	case h.onLoopback() && h.service == nil && !h.allOnThisMachine():
		return errors.New("the tests play hosts around the service, but no command that starts the service is configured: " +
			"say sut in sonde.yaml")
	case !h.playsHosts() && len(h.stubs) > 0:
		return fmt.Errorf("the test has stubs of %q, which need a virtual network: run it with --net", h.stubs[0].Host)
	}
	return nil
}

// allOnThisMachine reports whether all hosts have loopback addresses. Servers of the tests can then use the
// addresses that a running service calls.
func (h hostSetup) allOnThisMachine() bool {
	return !slices.ContainsFunc(h.stubs, func(stub model.Stub) bool {
		name, _, _ := net.SplitHostPort(stub.Host)
		ip := net.ParseIP(name)
		return name != "localhost" && (ip == nil || !ip.IsLoopback())
	})
}

// declarations returns the Go code that declares the hosts, "" if the tests play none.
func (h hostSetup) declarations() string {
	switch {
	case h.virtual():
		return h.virtualNetwork() + h.permanentStubs()
	case h.onLoopback():
		return h.loopbackServers() + h.permanentStubs()
	}
	return ""
}

// virtualNetwork returns the Go declaration of the virtual network, with its settings.
func (h hostSetup) virtualNetwork() string {
	var b strings.Builder
	b.WriteString("\n// network is the virtual network around the service. A host without a stub refuses\n" +
		"// connections.\nvar network = virtualNetwork{\n")
	member := func(name, value string) { fmt.Fprintf(&b, "\t%s: %s,\n", name, value) }
	member("build", "[]string{"+list(h.build)+"}")
	if len(h.network.Allow) > 0 {
		member("allow", "[]string{"+list(h.network.Allow)+"}")
	}
	if h.network.Hostname != "" {
		member("hostname", quoted(h.network.Hostname))
	}
	if len(h.network.Interfaces) > 0 {
		member("interfaces", "[]string{"+list(h.network.Interfaces)+"}")
	}
	if h.service.Port > 0 {
		member("servicePort", fmt.Sprint(h.service.Port))
	}
	if slices.ContainsFunc(h.stubs, func(s model.Stub) bool { return s.Protocol == model.TCP || s.Protocol == model.UDP }) {
		member("quiescence", "endIdleWaits")
	}
	if slices.ContainsFunc(h.stubs, func(s model.Stub) bool { return slices.ContainsFunc(s.AllAnswers(), model.Answer.IsGRPC) }) {
		member("restart", "service.restart")
	}
	return b.String() + "}\n"
}

// permanentStubs returns an init function that adds the permanent stubs, "" if there are none.
func (h hostSetup) permanentStubs() string {
	if len(h.permanent()) == 0 {
		return ""
	}
	return "\n// These stubs answer in all tests, after those of the test itself.\nfunc init() {\n\t" +
		strings.Join(stubLines(h.permanent()), "\n\t") + "\n}\n"
}

// withFreePort returns a suite that calls the service at a free port. In its virtual network the service
// still listens on its fixed port, which replaces model.PortPlaceholder in its command and environment. A
// suite without a virtual network or a fixed port is returned unchanged.
func (s Suite) withFreePort() Suite {
	if !s.hosts().virtual() || s.Service == nil || s.Service.Port == 0 {
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

// hostLabel returns the first label of a host's name, or its address. For a file it returns the word "file" and the file's name.
func hostLabel(host string) string {
	if model.IsFileResource(host) {
		base := path.Base(host)
		if stem := strings.TrimSuffix(base, path.Ext(base)); len(words(stem)) > 0 {
			base = stem
		}
		return "file " + base
	}
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
