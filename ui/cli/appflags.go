package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"sonde/model/codec"
	"sonde/model/config"
	"sonde/ui/app"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/recent"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
	"sonde/ui/app/userdata"
	"sonde/ui/console"
	"sonde/ui/tui/choose"

	"github.com/spf13/cobra"
)

// appFlags are the flags of the app.
type appFlags struct {
	sourceFlags
	base                    string
	hosts                   []string
	send                    service.RequestOptions
	demo, white, ask, plain bool
	recording, past         string // folders of a recording and of a search to open
	against                 string
	net                     service.Network
	look                    appearance
	campaigns               campaignFlags
}

func (f *appFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(
		&f.base, "url", "",
		"base URL of the service; if it has no path, the spec's base path is appended, unless the URL ends in /",
	)
	addConfig(c)
	fl.BoolVar(&f.demo, "demo", false, "open the built-in demo, even if there is a "+config.FileName)
	fl.BoolVar(&f.ask, "open", false, "ask which spec to open: one of this folder, a recent one, or any file")
	fl.BoolVar(&f.white, "white", false, "make searches of the demo white-box: it is built with probes first, which needs a Go toolchain")
	addNetwork(c, &f.net)
	fl.StringVar(
		&f.against, "against", "",
		"an older version of SPEC, a file or URL: Explore marks what changed since, as sonde diff lists it",
	)
	fl.StringVar(&f.recording, "rec", "", "folder of a recording to open on the Record screen")
	fl.StringVar(&f.past, "run", "", "folder of a run to open on the Search screen, as written by the app or by sonde search -o")
	fl.StringSliceVar(&f.hosts, "allow-host", nil, "a host besides this machine that may be called")
	addSending(c, &f.send)
	addLoading(fl, &f.Loader)
	f.look.add(c)
	f.campaigns.natsFlags.add(c, "show campaigns on these NATS servers, instead of a spec")
	fl.StringVar(&f.campaigns.id, "campaign", "", "the campaign to show (default: the only one in progress, or a list)")
	addPlain(fl, &f.plain, "print what the screens show of the spec as lines, for a screen reader or a pipe")
}

func (f *appFlags) run(c *cobra.Command, s console.Streams, args []string) error {
	if err := f.campaigns.checkWatch(c, args); err != nil {
		return err
	}
	home, err := f.look.take(c)
	if !f.plain {
		err = cmp.Or(fullScreen(s.Out), err)
	}
	if err != nil {
		return err
	}
	if f.campaigns.isOn() {
		return f.campaigns.watch(c.Context(), home)
	}
	read, err := appConfig(c, s, args, f.demo)
	var again codec.StoredRun
	if err == nil && f.past != "" {
		again, _, err = app.OpenPast(f.past)
	}
	if err == nil {
		err = cmp.Or(f.send.Check(), f.check(args))
	}
	if err == nil {
		err = f.join(c.Context(), s, &read)
	}
	if err == nil {
		args, err = f.choose(c.Context(), s, args, read, again)
	}
	if err != nil {
		return err
	}
	home.Welcome = !f.demo && !f.ask && f.past == "" && !f.named(args, read) && nothingToOpen()
	f.send.Configure(c.Flags().Changed, read.Config)
	f.FetchTLS, err = f.send.TLSOptions.TLSConfig()
	if err != nil {
		return err
	}
	noteURL(s, f.base, read)
	if f.base != "" {
		read.Config = read.Started()
	}
	start := appStart{
		Options: app.Options{
			Streams:    s,
			Specs:      &f.Loader,
			Against:    f.against,
			URL:        f.base,
			Config:     read,
			AllowHosts: append(f.hosts, read.Hosts...),
			Observed:   f.Observed,
			Sending:    f.send,
			Network:    f.net,
			Memory:     recent.MemoryFile(),
		},
		probes:    f.white,
		recording: f.recording,
		run:       f.past,
		plain:     f.plain,
		home:      home,
	}
	return start.show(c.Context(), args)
}

// join adds the user of --header and --user before the users of the configuration. It returns an error if
// these flags are set for the demo, or if there is no service to call.
func (f *appFlags) join(ctx context.Context, s console.Streams, to *service.Configuration) error {
	url := cmp.Or(f.base, to.URL)
	switch {
	case f.demo && f.send.IsSet():
		return service.ErrDemoUsers
	case f.send.IsSet() && url == "" && !to.StartsService():
		return fmt.Errorf("--header and --user have no effect if no service is called: give --url URL, or set url in %s", config.FileName)
	}
	return joinCredentials(ctx, s, &f.send.Credentials, &to.Config)
}

// check returns an error if flags exclude each other.
func (f *appFlags) check(args []string) error {
	switch {
	case f.ask && len(args) > 0:
		return fmt.Errorf("--open asks for the spec: leave out %q or --open", args[0])
	case f.past != "" && f.plain:
		return errors.New("--run opens a search on a screen: leave it out with --plain; sonde report prints it")
	case f.against != "" && f.plain:
		return errors.New("--against marks changes on a screen: leave it out with --plain; sonde diff OLD NEW prints them")
	case f.ask && f.plain:
		return errors.New("--open asks on a screen: leave it out with --plain, and name the spec")
	}
	return nil
}

// choose returns the operand for the spec to open. It uses the first of these that exists: the operand in args, the
// spec of the run in --run, the only spec of the folder, the user's choice. It returns no operand for the demo, and
// none if the configuration or --url determines the spec.
func (f *appFlags) choose(
	ctx context.Context, s console.Streams, args []string, read service.Configuration, again codec.StoredRun,
) ([]string, error) {
	open := !f.demo && !f.named(args, read)
	switch {
	case !f.ask && !open:
		return args, nil
	case !f.ask && f.past != "":
		operands, err := ofRun(f.past, again)
		if err == nil && len(operands) > 0 && service.IsRemoteSource(operands[0]) {
			line := fmt.Sprintf("run %q has its spec at %q", f.past, operands[0])
			if console.Confirm(s, []string{line}, false) != nil {
				err = fmt.Errorf("the spec of run %q was not fetched: name it, as in sonde SPEC --run %s", f.past, command.Quote(f.past))
			}
		}
		return operands, err
	case f.plain:
		return onlySpec(s)
	}
	return findSpec(ctx, s, f.ask)
}

// named reports whether an operand, a flag or the configuration says which spec to open.
func (f *appFlags) named(args []string, read service.Configuration) bool {
	return len(args) > 0 || cmp.Or(f.base, read.URL, read.Spec) != "" || read.StartsService()
}

// nothingToOpen reports whether neither the folder nor the recent specs have a spec, so that the app opens the demo.
func nothingToOpen() bool {
	specs, _ := recent.ReadRecent()
	return len(specfile.FindInFolder("."))+len(specs) == 0
}

// findSpec returns the operand for the spec to open if the command line has none: the only spec of the folder, or the
// user's choice. It returns no operand for the demo.
func findSpec(ctx context.Context, s console.Streams, ask bool) ([]string, error) {
	here := specfile.FindInFolder(".")
	if len(here) == 1 && !ask {
		console.PrintNote(s.Err, "opening %s, the spec of this folder", here[0])
		return here, nil
	}
	if nothingToOpen() && !ask {
		return nil, nil
	}
	specs, _ := recent.ReadRecent()
	chosen, err := choose.AskForSpec(ctx, choices(here, specs), paths.Absolute("."))
	switch {
	case err != nil:
		return nil, err
	case chosen == "":
		return nil, verdict(exitClean)
	case chosen == service.DemoSource:
		return nil, nil
	}
	return []string{chosen}, nil
}

// choices returns the specs of the folder, the recent specs, and the demo.
func choices(here []string, specs []userdata.RecentSpec) (all []choose.SpecEntry) {
	known := map[string]bool{}
	for _, file := range here {
		known[userdata.SpecSource(file)] = true
		all = append(all, choose.SpecEntry{Source: file, Name: file, Description: "in this folder"})
	}
	for _, s := range specs {
		if !known[s.Source] {
			all = append(all, choose.SpecEntry{
				Source:      s.Source,
				Name:        recent.SpecTitle(s),
				Description: s.When.Local().Format("2006-01-02") + "  " + s.Source,
			})
		}
	}
	return append(all, choose.SpecEntry{Source: service.DemoSource, Name: "the built-in demo", Description: "a shop with faults in it"})
}
