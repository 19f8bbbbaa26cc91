package export

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// loopbackServers returns the Go declaration of the servers that play the hosts.
func (h hostSetup) loopbackServers() string {
	var b strings.Builder
	about := "// network are servers of the tests. Their addresses replace {HOST:PORT} in the\n// service's command and environment."
	if h.service == nil {
		about = "// network are servers of the tests. They listen where the running service calls its\n// hosts."
	}
	b.WriteString("\n" + about + "\nvar network = localHosts{servers: map[string]opener{\n")
	for _, stub := range h.firstStubs() {
		fmt.Fprintf(&b, "\t%s: (*hosts).%s,\n", quoted(stub.Host), h.opener(stub))
	}
	return b.String() + "}}\n"
}

// opener returns the name of the Go helper that listens at the port of a stub's host, such as "listenUDP".
func (h hostSetup) opener(stub model.Stub) string {
	if stub.Protocol == model.UDP {
		return "listenUDP"
	}
	isHTTP := func(other model.Stub) bool { return other.Host == stub.Host && other.Protocol == model.HTTP }
	isOther := func(other model.Stub) bool {
		return other.Host == stub.Host && other.Protocol != model.HTTP && other.Protocol != model.UDP
	}
	switch {
	case !slices.ContainsFunc(h.stubs, isHTTP):
		return "listenTCP"
	case !slices.ContainsFunc(h.stubs, isOther):
		return "listenHTTP"
	}
	return "listenAny"
}

// firstStubs returns the first stub of each host.
func (h hostSetup) firstStubs() []model.Stub {
	known := map[string]bool{}
	var all []model.Stub
	for _, stub := range h.stubs {
		if !known[stub.Host] {
			known[stub.Host] = true
			all = append(all, stub)
		}
	}
	return all
}

// withLocalHosts returns a suite whose hosts are servers on loopback. In the command and environment of its service,
// {HOST:PORT} replaces each host. Tests with hosts that such a server cannot play are left out. If no test remains,
// withLocalHosts returns an error. It returns s unchanged if s has no servers on loopback, or does not start the
// service.
func (s Suite) withLocalHosts() (Suite, error) {
	h := s.hosts()
	if !h.onLoopback() || s.Service == nil {
		return s, nil
	}
	var why error
	var playable []model.Test
	for _, t := range s.Tests {
		err := h.checkLoopbackTest(t)
		if err == nil {
			playable = append(playable, t)
			continue
		}
		s.networkOnly = append(slices.Clip(s.networkOnly), remark(t.ID, 40))
		if why == nil {
			why = fmt.Errorf("test %q: %w", t.ID, err)
		}
	}
	s.Tests = playable
	if len(playable) == 0 {
		return s, fmt.Errorf("%w: leave out --hosts httptest", why)
	}
	own := cloneStart(s.Service)
	for _, stub := range s.hosts().firstStubs() {
		replaceHost(&own, stub.Host)
	}
	s.Service = &own
	return s, nil
}

// checkLoopback returns an error if a server on loopback cannot play the host of a stub.
func (h hostSetup) checkLoopback(stub model.Stub) error {
	own := cloneStart(h.service)
	switch {
	case stub.Inward || stub.Protocol == model.DNS || stub.Protocol == model.Environment:
		return fmt.Errorf("the stub of %q needs a virtual network", stub.Host)
	case !replaceHost(&own, stub.Host):
		return fmt.Errorf(
			"the host %q is neither in the service's command nor in its environment, so that no server can replace it",
			stub.Host,
		)
	case redirectTarget(stub) != "":
		return fmt.Errorf("%q redirects the service to %q, which needs a virtual network", stub.Host, redirectTarget(stub))
	}
	return nil
}

// checkLoopbackTest returns an error if servers on loopback cannot play the hosts of a test.
func (h hostSetup) checkLoopbackTest(t model.Test) error {
	for _, stub := range slices.Concat(t.Stubs, h.permanent()) {
		if err := h.checkLoopback(stub); err != nil {
			return err
		}
	}
	return nil
}

// redirectTarget returns the host to which a stub redirects the service by an absolute URL. Without a virtual network
// the service would call the real host. redirectTarget returns "" if the stub does not redirect the service, or only
// to a loopback address.
func redirectTarget(s model.Stub) string {
	for _, a := range s.AllAnswers() {
		for name, values := range a.Header {
			if !strings.EqualFold(name, "Location") || len(values) == 0 {
				continue
			}
			to, err := url.Parse(values[0])
			if err != nil {
				continue
			}
			if ip := net.ParseIP(to.Hostname()); to.Host != "" && !ip.IsLoopback() {
				return to.Host
			}
		}
	}
	return ""
}

// cloneStart returns a copy of a service that does not share its command and environment.
func cloneStart(s *model.Service) model.Service {
	own := *s
	own.Command, own.Env = slices.Clone(s.Command), maps.Clone(s.Env)
	return own
}

// replaceHost replaces a host in the service's command and environment by a placeholder. It reports whether
// it found the host.
func replaceHost(s *model.Service, host string) bool {
	found := false
	replace := func(text string) string {
		changed := withPlaceholder(text, host)
		found = found || changed != text
		return changed
	}
	for i := range s.Command {
		s.Command[i] = replace(s.Command[i])
	}
	for name := range s.Env {
		s.Env[name] = replace(s.Env[name])
	}
	return found
}

// withPlaceholder replaces a host in a text by {HOST:PORT}. The URL of the host may lack the default port
// of its scheme. The new scheme is http, because servers on loopback have no TLS.
func withPlaceholder(text, host string) string {
	name, port, _ := net.SplitHostPort(host)
	pattern := regexp.MustCompile(
		`(?i)(^|[^\w.-])(https?://)?(` + regexp.QuoteMeta(host) + `|` + regexp.QuoteMeta(name) + `)($|[^\w.:-])`,
	)
	return pattern.ReplaceAllStringFunc(text, func(found string) string {
		part := pattern.FindStringSubmatch(found)
		usual := map[string]string{"http://": "80", "https://": "443"}[strings.ToLower(part[2])]
		if part[3] == name && usual != port {
			return found
		}
		scheme := ""
		if part[2] != "" {
			scheme = "http://"
		}
		return part[1] + scheme + "{" + host + "}" + part[4]
	})
}
