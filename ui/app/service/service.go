// Package service is the service under test as users name it: by a URL, by a
// configuration, or as the built-in demo; who calls it, how it starts, what is
// around it, and how requests leave.
package service

import (
	"context"
	"net/url"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/ui/app/paths"
)

// StartDir is the folder in which commands start, whole; "" where there are
// none.
func StartDir(start *model.Service, reset *model.Reset) string {
	dir := ""
	switch {
	case start != nil:
		dir = start.Dir
	case reset == nil || len(reset.Command) == 0:
		return ""
	}
	return paths.Absolute(dir)
}

// Service is what the search may call.
type Service struct {
	Name         string // "demo", or "" for any other
	Path         string // the base path that only the spec names, if it was put behind the URL
	URL          string // "" where there is none
	Users        []model.User
	Reset        *model.Reset
	Owners       []model.OwnedResource
	StartCommand *model.Service // nil where somebody else starts it
	Driver       *model.Driver  // that starts it, nil where it has none; nobody looks as long as nobody says so
	Builder      *Builder       // nil where it is not to be built with probes
	Copies       []string       // the URLs of further copies of the demo
}

// Observable reports whether a search can see into the service.
func (s Service) Observable() bool { return s.Builder != nil || s.Driver != nil }

// StartFor is how tests start the service, and the base URL then. What has a virtual
// network is built for that.
func (s Service) StartFor(n *model.VirtualNetwork) (base string, start *model.Service) {
	if n == nil || s.Builder == nil {
		return s.URL, s.StartCommand
	}
	return s.Builder.BaseURL, &s.Builder.Service
}

// AddressText says where the service is.
func (s Service) AddressText() string {
	if s.Driver != nil {
		return "started by its driver " + s.Driver.URL
	}
	if strings.Contains(s.URL, "{port}") {
		return "started by Sonde on a free port"
	}
	return s.URL
}

// WithCopies is the demo with so many copies of it, itself included. The others are
// served until ctx ends.
func (s Service) WithCopies(ctx context.Context, copies int) (Service, error) {
	s.Copies = nil
	for range copies - 1 {
		url, err := ServeDemo(ctx, "127.0.0.1:0")
		if err != nil {
			return s, noPort(err)
		}
		s.Copies = append(s.Copies, url)
	}
	return s, nil
}

// NoResetWarning is what a person should know before a search that no reset goes with.
const NoResetWarning = "no reset is configured: tests run on what earlier ones left, and those that depend on it are not exported; " +
	"say reset in sonde.yaml to search from the first state"

// CanReset reports whether Sonde can bring the service back to its first state.
func (s Service) CanReset() bool { return s.Reset != nil || s.Driver != nil }

// ServiceAtURL returns the service at a URL. Where the URL has no path, the
// spec's own base path is meant; a URL that ends in a slash says that there is
// none.
func ServiceAtURL(base string, spec *model.Spec) Service {
	u, err := url.Parse(portless(base))
	if err != nil || u.Path != "" || len(spec.Servers) == 0 {
		return Service{URL: strings.TrimSuffix(base, "/")}
	}
	own := Service{URL: base}
	if s, err := url.Parse(spec.Servers[0]); err == nil {
		own.Path = strings.TrimSuffix(s.EscapedPath(), "/")
		own.URL += own.Path
	}
	return own
}

// portless makes a URL with model.PortPlaceholder one that can be parsed.
func portless(base string) string { return strings.Replace(base, ":"+model.PortPlaceholder, "", 1) }

// IsRemote reports whether the service is on another machine.
func (s Service) IsRemote() bool {
	u, err := url.Parse(portless(s.URL))
	return err == nil && s.URL != "" && !client.IsLoopback(u)
}

// Instrumented is the service of a search that is to see into it, or to put a virtual network
// under it, or not: for that the demo is a process of its own.
func (s Service) Instrumented(white, net bool) Service {
	if s.Name != DemoSource || !white && !net {
		return s
	}
	s = DemoAt("http://" + DemoAddr)
	s.Builder = DemoBuilder()
	if net {
		s.Builder.UseOutsideHosts()
	}
	return s
}
