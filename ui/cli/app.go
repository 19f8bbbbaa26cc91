package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/ui/app"
	"sonde/ui/app/distributed"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/usecase"
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

Without SPEC it opens the spec that sonde.yaml names, or else the spec in the current
folder, or else it asks which recent spec to open. If there is none, it opens the
built-in demo. Nothing is ever called without --url or a url in sonde.yaml.

With --nats it shows work that other commands distribute over workers. The token for
the servers, if they need one, is in ` + distributed.TokenVariable + `.`,
		Example: "  sonde\n  sonde petstore.yaml --url http://127.0.0.1:8080\n  sonde --nats nats://host:4222",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkWord(c, args); err != nil {
				return err
			}
			return f.run(c, s, args)
		},
	}
	f.add(c)
	return c
}

// checkWord returns an error if the operand is a single word that names no file: most likely the user has misspelled a
// command. Other operands, such as openapi.yaml, are accepted even if there is no such file: the app reports a missing
// file, and can read it later.
func checkWord(c *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] == "-" || strings.ContainsAny(args[0], "./:") {
		return nil
	}
	if _, err := os.Stat(args[0]); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	c.SuggestionsMinimumDistance = 2 // cobra's own default, which SuggestionsFor does not set
	if similar := c.SuggestionsFor(args[0]); len(similar) > 0 {
		return fmt.Errorf("%q is neither a file nor a command: did you mean sonde %s?", args[0], similar[0])
	}
	return fmt.Errorf("%q is neither a file nor a command: sonde --help lists the commands", args[0])
}

// appConfig reads the configuration for the app. The demo has none.
func appConfig(c *cobra.Command, s console.Streams, args []string, demo bool) (service.Configuration, error) {
	switch {
	case !demo:
		return readConfig(c, s.Err, args)
	case len(args) > 0 || slices.ContainsFunc([]string{"open", "url", "config", "env"}, c.Flags().Changed):
		return service.Configuration{}, errors.New("--demo has its own spec and service: leave out SPEC, --open, --url, --config and --env")
	}
	return service.Configuration{}, nil
}

// appStart is the initial state of the app: the workspace, and what its screens show first.
type appStart struct {
	app.Options
	probes    bool               // the flag --white
	recording string             // the folder of a recording to open, "" for none
	run       string             // the folder of a search to open, "" for none
	plain     bool               // lines of text instead of screens
	home      screen.Preferences // the user's preferences
}

func (o appStart) show(ctx context.Context, args []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o.SettingsOf = settingsOf
	url := cmp.Or(o.URL, o.Config.URL)
	if len(args) == 0 && url == "" && o.Config.Spec == "" && !o.Config.StartsService() {
		return o.showDemo(ctx)
	}
	if o.probes && !o.Config.Observable() {
		return service.ErrNotBuilt
	}
	err := o.Network.Check(o.Config.Net, o.Config.StartsWithoutDriver())
	if err != nil {
		return err
	}
	o.Source, err = o.Config.SpecSource(args, url)
	if err != nil {
		return err
	}
	if !o.Config.StartsService() {
		if err := checkURL(url, o.Source != service.SpecSource(nil, url), o.AllowHosts); err != nil {
			return err
		}
	}
	return o.showOn(ctx, app.ConfiguredService(o.Config, o.URL, o.Network))
}

func (o appStart) showDemo(ctx context.Context) (err error) {
	o.Source, o.Config = service.DemoSource, service.Configuration{}
	if err := o.Network.Check(o.Config.Net, true); err != nil {
		return err
	}
	o.Service, err = service.StartDemo(ctx, 1)
	if err != nil {
		return err
	}
	host := app.ScreenService(o.Service)
	host.Probes = usecase.ProbesAvailable
	if o.probes || o.Network.On {
		host.Probes = usecase.ProbesRequested
	}
	host.Net = o.InitialNet()
	return o.showOn(ctx, host)
}

// checkURL returns an error if the value of --url is invalid, or if its host is not allowed. If hasSpec is set, any
// host is allowed, because the spec is then not read from the URL and the app sends no requests to it yet.
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

// showOn opens the app in the state in which the user left it. With --plain it prints lines of text
// instead.
func (o appStart) showOn(ctx context.Context, host screen.Service) error {
	host.Recording, host.PastSearch = o.recording, o.run
	w := app.New(ctx, o.Options)
	defer w.Close()
	if o.plain {
		return printAll(ctx, o.Streams, w, o.Source)
	}
	h := o.home
	state, err := userdata.ReadState(o.Memory)
	switch {
	case err == nil && h.Tour == screen.NoTour && o.Memory != "" && o.Source != "-" && len(state.Specs) == 0: // the first start
		h.Tour = screen.TourOffered
	case err != nil:
		h.Problems = append(h.Problems, screen.FileProblem{File: o.Memory, Problem: model.Problem{Text: err.Error()}})
	}
	spec, _ := state.Spec(w.Remembered())
	h.Place = spec.Place
	if o.Source != "-" {
		h.KeepPlace = w.RememberPlace
	}
	return tui.Run(ctx, w.Engine(), host, h, o.Source)
}

// addPlain adds the flag --plain, for screen readers and pipes. The last argument is the description of the flag.
func addPlain(fl *pflag.FlagSet, plain *bool, what string) {
	fl.BoolVar(plain, "plain", false, what)
}

// onlySpec returns the only spec of the folder as an operand. If the folder has no spec, it returns no
// operands, which means the demo. Several specs are an error.
func onlySpec(s console.Streams) ([]string, error) {
	here := specfile.FindInFolder(".")
	switch len(here) {
	case 0:
	case 1:
		console.PrintNote(s.Err, "opening %s, the spec of this folder", here[0])
	default:
		return nil, fmt.Errorf("this folder has several specs, %s: name one", strings.Join(here, ", "))
	}
	return here, nil
}

// printAll prints the content of the screens for a spec as lines of text.
func printAll(ctx context.Context, s console.Streams, w *app.Workspace, source string) error {
	spec, err := w.Load(ctx, source)
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := results.PrintAnalysis(ctx, &b, spec); err != nil {
		return err
	}
	_, err = io.WriteString(s.Out, draw.CleanLines(b.String()))
	return err
}
