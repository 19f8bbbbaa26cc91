package cli

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"sonde/model"
	"sonde/runner/client"
	"sonde/ui/tui"
	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
)

func newApp(s streams) *cobra.Command {
	var f sourceFlags
	var base string
	var hosts []string
	var send sending
	c := &cobra.Command{
		Use:   "sonde [SPEC] [--url URL]",
		Short: "Explore an HTTP API: what belongs together, what depends on what, what breaks",
		Long: `Sonde opens an OpenAPI spec (a file, a URL, or - for standard input), shows which
operations belong together and what depends on what, searches the service for
tests and faults while you watch, and writes the tests that you pick.

Without SPEC it opens what sonde.yaml names, or else the built-in demo. Nothing is
ever called without --url or a url in sonde.yaml.`,
		Example: "  sonde\n  sonde petstore.yaml --url http://127.0.0.1:8080",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if !isTerminal(s.out) {
				return errors.New("standard output is no terminal: use sonde check, groups, seqs, graph or search; sonde --help lists them")
			}
			read, err := readConfig(c, s.err, args)
			if err == nil {
				err = send.check()
			}
			if err != nil {
				return err
			}
			send.configure(c.Flags().Changed, read.Config)
			f.anyCert = send.insecure
			if base != "" {
				read.Service = nil // it runs already
			}
			return runApp(c.Context(), &wiring{streams: s, flags: &f, base: base, config: read, hosts: append(hosts, read.Hosts...), sending: send}, args)
		},
	}
	c.Flags().StringVar(&base, "url", "", "where the service is; where the URL has no path, the spec's is put behind it, unless the URL ends in /")
	addConfig(c)
	c.Flags().StringSliceVar(&hosts, "allow-host", nil, "a host besides this machine that may be called")
	send.add(c)
	c.Flags().BoolVar(&f.remoteRefs, "remote-refs", false, "follow $ref to other hosts")
	return c
}

func runApp(ctx context.Context, w *wiring, args []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer w.settle()
	url := cmp.Or(w.base, w.config.URL)
	if len(args) == 0 && url == "" && w.config.Spec == "" && w.config.Service == nil {
		return runDemo(ctx, w)
	}
	var err error
	if w.source, err = w.config.source(args, url); err != nil {
		return err
	}
	if w.config.Service == nil {
		if err := checkURL(url, w.source != specSource(nil, url), w.hosts); err != nil {
			return err
		}
	} else {
		url = w.config.service(url, &model.Spec{}).url
	}
	return tui.Run(ctx, w.engine(), hostOf(service{url: url}), w.source)
}

func runDemo(ctx context.Context, w *wiring) (err error) {
	w.source, w.config = demoSource, configured{}
	if w.service, err = startDemo(ctx, 1); err != nil {
		return err
	}
	return tui.Run(ctx, w.engine(), hostOf(w.service), w.source)
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

// hostOf is how the app shows a service.
func hostOf(s service) screen.Host {
	return screen.Host{Name: s.name, URL: s.url, Remote: s.remote()}
}
