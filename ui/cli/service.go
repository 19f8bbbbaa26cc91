package cli

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/runner/client"
)

// demoSource is what stands for the built-in demo's spec.
const demoSource = "demo"

// service is what the search may call.
type service struct {
	name   string // "demo", or "" for any other
	path   string // the base path that only the spec names, if it was put behind the URL
	url    string // "" where there is none
	users  []model.User
	reset  *model.Reset
	owners []model.Owned
	start  *model.Service // nil where somebody else starts it
	driver *model.Driver  // that starts it, nil where it has none; nobody looks as long as nobody says so
	build  *building      // nil where it is not to be built with probes
	copies []string       // the URLs of further copies of the demo
}

// sees reports whether a search can see into the service.
func (s service) sees() bool { return s.build != nil || s.driver != nil }

// starts is how tests start the service, and the base URL then. What has a virtual
// network is built for that.
func (s service) starts(n *model.Net) (base string, start *model.Service) {
	if n == nil || s.build == nil {
		return s.url, s.start
	}
	return s.build.base, &s.build.service
}

// where says where the service is.
func (s service) where() string {
	if s.driver != nil {
		return "started by its driver " + s.driver.URL
	}
	if strings.Contains(s.url, "{port}") {
		return "started by Sonde on a free port"
	}
	return s.url
}

// demoAddr is where the demo is at home, so that tests which were written while
// Sonde served it find it again when "sonde demo" does.
const demoAddr = "127.0.0.1:41873"

// startDemo serves so many copies of the demo until ctx ends: the first at home,
// or where that is taken as the others on another loopback port.
func startDemo(ctx context.Context, copies int) (service, error) {
	url, err := serveDemo(ctx, demoAddr)
	if err != nil {
		url, err = serveDemo(ctx, "127.0.0.1:0")
	}
	if err != nil {
		return service{}, noPort(err)
	}
	return demoAt(url).copied(ctx, copies)
}

// copied is the demo with so many copies of it, itself included. The others are
// served until ctx ends.
func (s service) copied(ctx context.Context, copies int) (service, error) {
	s.copies = nil
	for range copies - 1 {
		url, err := serveDemo(ctx, "127.0.0.1:0")
		if err != nil {
			return s, noPort(err)
		}
		s.copies = append(s.copies, url)
	}
	return s, nil
}

func noPort(err error) error { return fmt.Errorf("the demo finds no port on this machine: %w", err) }

// serveDemo serves a copy of the demo until ctx ends, and returns its URL.
func serveDemo(ctx context.Context, addr string) (string, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", err
	}
	go demo.Serve(ctx, l, demo.New(demo.Config{}))
	return "http://" + l.Addr().String(), nil
}

// noReset is what a person should know before a search that no reset goes with.
const noReset = "no reset is configured: tests run on what earlier ones left, and those that depend on it are not exported; say reset in sonde.yaml to search from the first state"

// resets reports whether Sonde can bring the service back to its first state.
func (s service) resets() bool { return s.reset != nil || s.driver != nil }

// demoAt is the demo at a URL, with its users and its reset.
func demoAt(url string) service {
	s := service{name: demoSource, url: url, reset: &model.Reset{Method: "POST", Path: "/__reset"}, owners: []model.Owned{{Path: "/orders/{orderId}", Shared: admins()}}}
	for _, u := range demo.Users() {
		s.users = append(s.users, model.User{
			Name: u.Name, Header: "Authorization", Env: "SONDE_DEMO_" + strings.ToUpper(u.Name), Public: "Bearer " + u.Token,
		})
	}
	return s
}

// admins are the demo's users who may do whatever a user may.
func admins() (names []string) {
	for _, u := range demo.Users() {
		if u.Admin {
			names = append(names, u.Name)
		}
	}
	return names
}

// serviceAt returns the service at a URL. Where the URL has no path, the
// spec's own base path is meant; a URL that ends in a slash says that there is
// none.
func serviceAt(base string, spec *model.Spec) service {
	u, err := url.Parse(portless(base))
	if err != nil || u.Path != "" || len(spec.Servers) == 0 {
		return service{url: strings.TrimSuffix(base, "/")}
	}
	own := service{url: base}
	if s, err := url.Parse(spec.Servers[0]); err == nil {
		own.path = strings.TrimSuffix(s.EscapedPath(), "/")
		own.url += own.path
	}
	return own
}

// portless makes a URL with model.PortHere one that can be parsed.
func portless(base string) string { return strings.Replace(base, ":"+model.PortHere, "", 1) }

// remote reports whether the service is on another machine.
func (s service) remote() bool {
	u, err := url.Parse(portless(s.url))
	return err == nil && s.url != "" && !client.Loopback(u)
}
