// Package service describes the service under test: where it is (a URL, a configuration or the
// built-in demo), its users, how it is built and started, the network around it, and how requests
// are sent to it. It sends no requests itself.
package service

import (
	"context"
	"net/url"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/ui/app/paths"
)

// StartDir returns the absolute path of the folder in which commands start, "" if there are none.
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

// Service is a service that can be called.
type Service struct {
	Name         string // "demo", or "" for any other
	Path         string // the base path of the spec, if it was appended to the URL
	URL          string // "" if there is none
	Users        []model.User
	Reset        *model.Reset
	Owners       []model.OwnedResource
	StartCommand *model.Service // nil if Sonde does not start it
	Driver       *model.Driver  // that starts it, nil without a driver
	Builder      *Builder       // nil if it is not built with probes
	Copies       []string       // the URLs of further copies of the demo
}

// Observable reports whether a search can see which code of the service runs.
func (s Service) Observable() bool { return s.Builder != nil || s.Driver != nil }

// StartFor returns how tests start the service, and its base URL. With a virtual network the
// service is built for that.
func (s Service) StartFor(n *model.VirtualNetwork) (base string, start *model.Service) {
	if n == nil || s.Builder == nil {
		return s.URL, s.StartCommand
	}
	return s.Builder.BaseURL, &s.Builder.Service
}

// AddressText returns where the service is, for messages.
func (s Service) AddressText() string {
	if s.Driver != nil {
		return "started by its driver " + s.Driver.URL
	}
	if strings.Contains(s.URL, "{port}") {
		return "started by Sonde on a free port"
	}
	return s.URL
}

// WithCopies returns the demo with a number of copies, itself included. The others are served until
// ctx ends.
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

// NoResetWarning is the warning before a search without a reset.
const NoResetWarning = "no reset is configured: tests run on the state that earlier tests left, " +
	"and tests that depend on it are not exported; set reset in sonde.yaml to search from the first state"

// CanReset reports whether Sonde can reset the service.
func (s Service) CanReset() bool { return s.Reset != nil || s.Driver != nil }

// AtURL returns the service at a URL. If the URL has no path, the base path of the spec is appended.
// A URL that ends in a slash has a path, so nothing is appended.
func AtURL(base string, spec *model.Spec) Service {
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

// portless removes model.PortPlaceholder, so that the URL can be parsed.
func portless(base string) string { return strings.Replace(base, ":"+model.PortPlaceholder, "", 1) }

// IsRemote reports whether the service is on another machine.
func (s Service) IsRemote() bool {
	u, err := url.Parse(portless(s.URL))
	return err == nil && s.URL != "" && !client.IsLoopback(u)
}

// Instrumented returns the service for a search that is white-box, or uses a virtual network. For
// that the demo is built as a separate process; any other service is returned as it is.
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
