package cli

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"sonde/model"
	"sonde/runner/client"
	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
)

func newApp(s streams) *cobra.Command {
	var f appFlags
	c := &cobra.Command{
		Use:   "sonde [SPEC] [--url URL]",
		Short: "Explore an HTTP API: what belongs together, what depends on what, what breaks",
		Long: `Sonde opens an OpenAPI spec (a file, a URL, or - for standard input), shows which
operations belong together and what depends on what, searches the service for
tests and faults while you watch, and writes the tests that you pick.

Without SPEC it opens what sonde.yaml names, else the spec that lies in the folder,
else it asks which of those that were open lately; where there are none, it opens the
built-in demo. Nothing is ever called without --url or a url in sonde.yaml.`,
		Example: "  sonde\n  sonde petstore.yaml --url http://127.0.0.1:8080",
		Args:    atMost(1),
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	f.add(c)
	return c
}

// appConfig is the configuration of what the app is to open; the demo needs none.
func appConfig(c *cobra.Command, s streams, args []string, demo bool) (configured, error) {
	switch {
	case !demo:
		return readConfig(c, s.err, args)
	case len(args) > 0 || c.Flags().Changed("open") || c.Flags().Changed("url") || c.Flags().Changed("config"):
		return configured{}, errors.New("--demo has its own spec and service: leave out SPEC, --open, --url and --config")
	}
	return configured{}, nil
}

func runApp(ctx context.Context, w *wiring, args []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w.leaving, w.leave = context.WithCancel(ctx)
	defer w.settle()
	url := cmp.Or(w.base, w.config.URL)
	if len(args) == 0 && url == "" && w.config.Spec == "" && !w.config.Starts() {
		return runDemo(ctx, w)
	}
	if w.white && !w.config.sees() {
		return errNotBuilt
	}
	err := w.net.check(w.config.Net, w.config.starts())
	if err != nil {
		return err
	}
	w.source, err = w.config.source(args, url)
	if err != nil {
		return err
	}
	if !w.config.Starts() {
		if err := checkURL(url, w.source != specSource(nil, url), w.hosts); err != nil {
			return err
		}
	} else {
		url = w.config.service(url, &model.Spec{}).url
	}
	host := w.config.host(url)
	if w.config.sees() {
		host.Sight = screen.Sees
	}
	if w.config.starts() {
		host.Net = w.surrounded()
	}
	host.Recording, host.Past = w.opens, w.reopens
	return w.show(ctx, host)
}

func runDemo(ctx context.Context, w *wiring) (err error) {
	w.source, w.config = demoSource, configured{}
	if err := w.net.check(w.config.Net, true); err != nil {
		return err
	}
	w.service, err = startDemo(ctx, 1)
	if err != nil {
		return err
	}
	host := hostOf(w.service)
	host.Sight = screen.MaySee
	if w.white || w.net.on {
		host.Sight = screen.WantsSee
	}
	host.Net, host.Recording, host.Past = w.surrounded(), w.opens, w.reopens
	return w.show(ctx, host)
}

// surrounded reports whether searches of a service that can have a virtual network have
// it at first.
func (w *wiring) surrounded() screen.Net {
	if w.net.wanted(w.config.Net) {
		return screen.WantsNet
	}
	return screen.MayNet
}

// checkURL says what is wrong with --url. Where the spec comes from elsewhere
// nothing is called yet, so that its host need not be allowed.
func checkURL(base string, hasSpec bool, hosts []string) error {
	u, err := url.Parse(base)
	if base == "" {
		return nil
	}
	if err == nil && hasSpec {
		hosts = []string{u.Hostname()}
	}
	_, err = client.Check(base, hosts)
	return err
}

// host is how the app shows the service at a URL before its spec is read.
func (c configured) host(url string) screen.Host {
	s := c.service(url, &model.Spec{})
	s.name, s.url = "", cmp.Or(c.Driver, url)
	return hostOf(s)
}

// hostOf is how the app shows a service.
func hostOf(s service) screen.Host {
	return screen.Host{Name: s.name, URL: s.url, Remote: s.remote(), NoReset: !s.resets()}
}
