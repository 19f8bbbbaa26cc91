package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/ui/app"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/userdata"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/results"
	"sonde/ui/tui"
	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newApp(s console.Streams) *cobra.Command {
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
func appConfig(c *cobra.Command, s console.Streams, args []string, demo bool) (service.Configuration, error) {
	switch {
	case !demo:
		return readConfig(c, s.Err, args)
	case len(args) > 0 || c.Flags().Changed("open") || c.Flags().Changed("url") || c.Flags().Changed("config"):
		return service.Configuration{}, errors.New("--demo has its own spec and service: leave out SPEC, --open, --url and --config")
	}
	return service.Configuration{}, nil
}

func runApp(ctx context.Context, w *app.Workspace, args []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w.Begin(ctx)
	w.SettingsOf = settingsOf
	defer w.Close()
	url := cmp.Or(w.URL, w.Config.URL)
	if len(args) == 0 && url == "" && w.Config.Spec == "" && !w.Config.StartsService() {
		return runDemo(ctx, w)
	}
	if w.Probes && !w.Config.Observable() {
		return service.ErrNotBuilt
	}
	err := w.Network.Check(w.Config.Net, w.Config.StartsWithoutDriver())
	if err != nil {
		return err
	}
	w.Source, err = w.Config.SpecSource(args, url)
	if err != nil {
		return err
	}
	if !w.Config.StartsService() {
		if err := checkURL(url, w.Source != service.SpecSource(nil, url), w.AllowHosts); err != nil {
			return err
		}
	} else {
		url = w.Config.ServiceAt(url, &model.Spec{}).URL
	}
	host := hostBySpec(w.Config, url)
	if w.Config.Observable() {
		host.Probes = screen.ProbesAlways
	}
	if w.Config.StartsWithoutDriver() {
		host.Net = w.InitialNet()
	}
	host.Recording, host.PastSearch = w.Recording, w.PastRun
	return showApp(ctx, w, host)
}

func runDemo(ctx context.Context, w *app.Workspace) (err error) {
	w.Source, w.Config = service.DemoSource, service.Configuration{}
	if err := w.Network.Check(w.Config.Net, true); err != nil {
		return err
	}
	w.Service, err = service.StartDemo(ctx, 1)
	if err != nil {
		return err
	}
	host := hostOf(w.Service)
	host.Probes = screen.ProbesAvailable
	if w.Probes || w.Network.On {
		host.Probes = screen.ProbesRequested
	}
	host.Net, host.Recording, host.PastSearch = w.InitialNet(), w.Recording, w.PastRun
	return showApp(ctx, w, host)
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
	_, err = client.CheckURL(base, hosts)
	return err
}

// hostBySpec is how the app shows the service at a URL before its spec is read.
func hostBySpec(c service.Configuration, url string) screen.Service {
	s := c.ServiceAt(url, &model.Spec{})
	s.Name, s.URL = "", cmp.Or(c.Driver, url)
	return hostOf(s)
}

// hostOf is how the app shows a service.
func hostOf(s service.Service) screen.Service {
	return screen.Service{Name: s.Name, URL: s.URL, Remote: s.Remote(), NoReset: !s.Resets()}
}

// showApp is the app on the wiring's spec: as it was left the last time, and remembered. It
// is no app, but lines, where those are asked for.
func showApp(ctx context.Context, w *app.Workspace, host screen.Service) error {
	if w.Plain {
		return printAll(ctx, w)
	}
	h := w.Home
	state, err := userdata.ReadState(w.Memory)
	switch {
	case err == nil && h.Tour == screen.NoTour && w.Memory != "" && w.Source != "-" && len(state.Specs) == 0: // nothing was open yet
		h.Tour = screen.TourOffered
	case err != nil:
		h.Problems = append(h.Problems, screen.FileProblem{File: w.Memory, Problem: model.Problem{Text: err.Error()}})
	}
	spec, _ := state.Spec(w.Remembered())
	h.Place = spec.Place
	if w.Source != "-" {
		h.KeepPlace = w.RememberPlace
	}
	return tui.Run(ctx, w.Engine(), host, h, w.Source)
}

// addPlain adds the flag for people who hear what others see, and for pipes.
func addPlain(fl *pflag.FlagSet, plain *bool, what string) {
	fl.BoolVar(plain, "plain", false, what)
}

// onlySpec is the one spec of the folder, as operands; nothing for the demo.
func onlySpec(s console.Streams) ([]string, error) {
	here := specfile.In(".")
	switch len(here) {
	case 0:
	case 1:
		console.Note(s.Err, "opens %s, the spec of this folder", here[0])
	default:
		return nil, fmt.Errorf("%s lie in this folder: say which one", strings.Join(here, ", "))
	}
	return here, nil
}

// printAll writes what the screens show of the spec as lines.
func printAll(ctx context.Context, w *app.Workspace) error {
	spec, err := w.Load(ctx, w.Source)
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := results.Describe(ctx, &b, spec); err != nil {
		return err
	}
	_, err = io.WriteString(w.Streams.Out, draw.CleanLines(b.String()))
	return err
}
