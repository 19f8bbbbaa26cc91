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

// servers declares the tests' own servers.
func (s Suite) servers() string {
	var b strings.Builder
	about := "whose addresses take the place of\n// {HOST:PORT} in what the service is started with."
	if s.Service == nil {
		about = "where the service turns to that somebody\n// else started."
	}
	b.WriteString("\n// network are servers of the tests' own, " + about + "\nvar network = localHosts{places: map[string]opener{\n")
	for _, stub := range s.places() {
		open := map[model.Protocol]string{model.HTTP: "served", model.TCP: "talks", model.UDP: "datagrams"}[stub.Protocol]
		fmt.Fprintf(&b, "\t%s: (*hosts).%s,\n", quoted(stub.Host), open)
	}
	return b.String() + "}}\n"
}

// places returns the first stubs of each host.
func (s Suite) places() []model.Stub {
	known := map[string]bool{}
	var all []model.Stub
	for _, stub := range s.stubs() {
		if !known[stub.Host] {
			known[stub.Host] = true
			all = append(all, stub)
		}
	}
	return all
}

// replaced returns a suite that starts its service with {HOST:PORT} in the place of hosts.
func (s Suite) replaced() (Suite, error) {
	if !s.local() || s.Service == nil {
		return s, nil
	}
	own := *s.Service
	own.Command, own.Env = slices.Clone(s.Service.Command), maps.Clone(s.Service.Env)
	s, why := s.playable(own)
	if len(s.Tests) == 0 {
		return s, fmt.Errorf("%w: leave out --hosts httptest", why)
	}
	for _, stub := range s.places() {
		replaceHost(&own, stub.Host)
	}
	s.Service = &own
	return s, nil
}

// playable returns a suite without the tests whose hosts no server can stand for, and why
// that is so of the first.
func (s Suite) playable(own model.Service) (left Suite, why error) {
	left, left.Tests = s, nil
	for _, t := range s.Tests {
		err := standIns(own, append(slices.Clip(t.Stubs), s.usual()...))
		if err == nil {
			left.Tests = append(left.Tests, t)
			continue
		}
		left.virtually = append(left.virtually, remark(t.ID, 40))
		if why == nil {
			why = fmt.Errorf("test %q: %w", t.ID, err)
		}
	}
	return left, why
}

// standIns says why servers cannot stand for hosts.
func standIns(own model.Service, stubs []model.Stub) error {
	for _, stub := range stubs {
		switch {
		case stub.Inward || stub.Protocol == model.DNS:
			return fmt.Errorf("what a stub of %q does takes a virtual network", stub.Host)
		case !isTold(own, stub.Host):
			return fmt.Errorf(
				"the host %q stands neither in the service's command nor in its environment, so that no server can take its place",
				stub.Host,
			)
		case elsewhere(stub) != "":
			return fmt.Errorf("%q sends the service on to %q, which takes a virtual network", stub.Host, elsewhere(stub))
		}
	}
	return nil
}

// elsewhere returns the host of a URL to which a stub sends the service on, and "" where it
// stays on this machine. Without a virtual network the service would turn to it in
// earnest.
func elsewhere(s model.Stub) string {
	for _, a := range s.AllAnswers() {
		for name, value := range a.Header {
			to, err := url.Parse(value)
			if !strings.EqualFold(name, "Location") || err != nil {
				continue
			}
			if ip := net.ParseIP(to.Hostname()); to.Host != "" && !ip.IsLoopback() {
				return to.Host
			}
		}
	}
	return ""
}

// isTold reports whether a service is told of a host when it starts.
func isTold(own model.Service, host string) bool {
	own.Command, own.Env = slices.Clone(own.Command), maps.Clone(own.Env)
	return replaceHost(&own, host)
}

// replaceHost puts a mark where a service is told of a host, and reports whether it is.
func replaceHost(s *model.Service, host string) bool {
	found := false
	replace := func(text string) string {
		changed := withMark(text, host)
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

// withMark puts {HOST:PORT} in the place of a host. A URL has none, or its port;
// servers on loopback speak without TLS.
func withMark(text, host string) string {
	name, port, _ := net.SplitHostPort(host)
	place := regexp.MustCompile(`(?i)(^|[^\w.-])(https?://)?(` + regexp.QuoteMeta(host) + `|` + regexp.QuoteMeta(name) + `)($|[^\w.:-])`)
	return place.ReplaceAllStringFunc(text, func(found string) string {
		part := place.FindStringSubmatch(found)
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
