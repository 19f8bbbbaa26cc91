package cli

import (
	"context"
	"errors"
	"net/url"

	"sonde/runner/client"
	"sonde/ui/tui"
	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
)

func newApp(s streams) *cobra.Command {
	var f sourceFlags
	var base string
	var hosts []string
	c := &cobra.Command{
		Use:   "sonde [SPEC] [--url URL]",
		Short: "Explore an HTTP API: what belongs together, what depends on what, what breaks",
		Long: `Sonde opens an OpenAPI spec (a file, a URL, or - for standard input), shows which
operations belong together and what depends on what, searches the service for
tests and faults while you watch, and writes the tests that you pick.

Without SPEC it opens the built-in demo. Nothing is ever called without --url.`,
		Example: "  sonde\n  sonde petstore.yaml --url http://127.0.0.1:8080",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if !isTerminal(s.out) {
				return errors.New("standard output is no terminal: use sonde check, groups, seqs, graph or search; sonde --help lists them")
			}
			return runApp(c.Context(), s, &f, args, base, hosts)
		},
	}
	c.Flags().StringVar(&base, "url", "", "where the service is; where the URL has no path, the spec's is put behind it, unless the URL ends in /")
	c.Flags().StringSliceVar(&hosts, "allow-host", nil, "a host besides this machine that may be called")
	c.Flags().BoolVar(&f.remoteRefs, "remote-refs", false, "follow $ref to other hosts")
	return c
}

func runApp(ctx context.Context, s streams, f *sourceFlags, args []string, base string, hosts []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &wiring{streams: s, flags: f, base: base, hosts: hosts, source: demoSource}
	defer w.settle()
	if len(args) > 0 || base != "" {
		if err := checkURL(base, len(args) > 0, hosts); err != nil {
			return err
		}
		w.source = specSource(args, base)
		return tui.Run(ctx, w.engine(), hostOf(service{url: base}), w.source)
	}
	var err error
	if w.service, err = startDemo(ctx); err != nil {
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
