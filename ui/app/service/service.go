// Package service describes the service under test: its address (a URL, a configuration or the built-in
// demo), its users, how it is built and started, the network around it, and how requests are sent to it. It
// sends no requests itself.
package service

import (
	"context"
	"net/url"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/ui/app/paths"
)

// StartDir returns the absolute path of the folder in which the commands of the service, or of its driver, are
// started. It returns "" if there are no commands.
func (s Service) StartDir(start *model.Service) string {
	if s.Driver != nil {
		start = s.Driver.Run
	}
	return StartDir(start, s.Reset)
}

// StartDir returns the absolute path of the folder in which commands are started. It returns "" if there are no
// commands.
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
	Path         string // the base path of the spec, if AtURL appended it to the URL
	URL          string // "" if there is none
	Users        []model.User
	Reset        *model.Reset
	Owners       []model.OwnedResource
	StartCommand *model.Service // nil if Sonde does not start the service
	Driver       *model.Driver  // starts the service; nil if there is none
	Builder      *Builder       // nil if the service is not built with probes
	Copies       []string       // URLs of additional copies of the demo
}

// Observable reports whether a search can measure coverage of the service's code.
func (s Service) Observable() bool { return s.Builder != nil || s.Driver != nil }

// StartFor returns how tests start the service, and its base URL. If n is not nil and Sonde builds the service, the
// service is built with a virtual network, and the URL is that of the built service.
func (s Service) StartFor(n *model.VirtualNetwork) (base string, start *model.Service) {
	if n == nil || s.Builder == nil {
		return s.URL, s.StartCommand
	}
	return s.Builder.BaseURL, &s.Builder.Service
}

// Build returns how Sonde builds the service, nil if Sonde does not build it.
func (s Service) Build() *model.GoBuild {
	if s.Builder == nil {
		return nil
	}
	return s.Builder.Service.Build
}

// AddressText describes the address of the service.
func (s Service) AddressText() string {
	if s.Driver != nil {
		if strings.Contains(s.Driver.URL, "{port}") {
			return "started by its driver on a free port"
		}
		return "started by its driver " + s.Driver.URL
	}
	if strings.Contains(s.URL, model.PortPlaceholder) {
		return startedText
	}
	return s.URL
}

// startedText describes the address of a service that does not run yet.
const startedText = "started by Sonde on a free port"

// WithCopies returns the demo with the given number of copies, including itself. The other copies are
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

// NoResetWarning is the warning before a search on a service without a reset.
const NoResetWarning = "no reset is configured: tests run on the state that earlier tests left, " +
	"and tests that depend on it are not exported; set reset in sonde.yaml to search from the first state"

// CanReset reports whether Sonde can reset the service.
func (s Service) CanReset() bool { return s.Reset != nil || s.Driver != nil }

// AtURL returns the service at a URL. If the URL has no path, the base path of the spec is appended. A
// slash at the end counts as a path.
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

// portless removes model.PortPlaceholder from a URL, so that the URL can be parsed.
func portless(base string) string { return strings.Replace(base, ":"+model.PortPlaceholder, "", 1) }

// IsRemote reports whether the service is on another machine.
func (s Service) IsRemote() bool {
	u, err := url.Parse(portless(s.URL))
	return err == nil && s.URL != "" && !client.IsLoopback(u)
}

// Instrumented returns the service for a search that is white-box or uses a virtual network. For such a search, the
// demo becomes a separate process that Sonde builds. Any other service is returned unchanged.
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
