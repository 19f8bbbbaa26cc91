package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"sonde/model/codec"
	"sonde/model/config"

	"github.com/spf13/cobra"
)

// appFlags are the flags of the app.
type appFlags struct {
	sourceFlags
	base                    string
	hosts                   []string
	send                    sending
	demo, white, ask, plain bool
	recording, past         string // folders to open
	net                     around
	look                    look
}

func (f *appFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.base, "url", "", "where the service is; where the URL has no path, the spec's is put behind it, unless the URL ends in /")
	addConfig(c)
	fl.BoolVar(&f.demo, "demo", false, "open the built-in demo, also where there is a "+config.FileName)
	fl.BoolVar(&f.ask, "open", false, "ask which spec to open: one of the folder, one of late, or any file")
	fl.BoolVar(&f.white, "white", false, "let searches of the demo see into it: it is built with probes first, which takes a Go toolchain")
	f.net.add(c)
	fl.StringVar(&f.recording, "rec", "", "a recording of sonde record to open, on the Record screen")
	fl.StringVar(&f.past, "run", "", "a search to open again, on the Search screen: what sonde search -o wrote, or the app")
	fl.StringSliceVar(&f.hosts, "allow-host", nil, "a host besides this machine that may be called")
	f.send.add(c)
	fl.BoolVar(&f.remoteRefs, "remote-refs", false, "follow $ref to other hosts")
	f.look.add(c)
	addPlain(fl, &f.plain, "write what the screens show of the spec as lines, for a screen reader or a pipe")
}

func (f *appFlags) run(c *cobra.Command, s streams, args []string) error {
	home, err := f.look.take(c)
	if !f.plain {
		err = cmp.Or(fullScreen(s.out), err)
	}
	if err != nil {
		return err
	}
	read, err := appConfig(c, s, args, f.demo)
	var again codec.Run
	if err == nil && f.past != "" {
		again, _, err = openPast(f.past)
	}
	if err == nil {
		err = cmp.Or(f.send.check(), f.check(args))
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
	f.send.configure(c.Flags().Changed, read.Config)
	f.secure, err = f.send.trust.open()
	if err != nil {
		return err
	}
	if f.base != "" {
		read.Config = read.Started()
	}
	return runApp(c.Context(), &wiring{
		streams: s, flags: &f.sourceFlags, base: f.base, config: read, hosts: append(f.hosts, read.Hosts...), sending: f.send, white: f.white, net: f.net,
		opens: f.recording, reopens: f.past, plain: f.plain, home: home, memory: memory(),
	}, args)
}

// join makes the flags' user the first of the configuration's, where there is a
// service that the user can call.
func (f *appFlags) join(ctx context.Context, s streams, to *configured) error {
	url := cmp.Or(f.base, to.URL)
	switch {
	case f.demo && f.send.given():
		return errDemoUsers
	case f.send.given() && url == "" && !to.Starts():
		return fmt.Errorf("--header and --user are about calling a service: say --url URL, or url in %s", config.FileName)
	}
	return f.send.join(ctx, s, &to.Config)
}

// check says what does not go together.
func (f *appFlags) check(args []string) error {
	switch {
	case f.ask && len(args) > 0:
		return fmt.Errorf("--open asks for the spec: leave out %q or --open", args[0])
	case f.past != "" && f.plain:
		return errors.New("--run opens a search on a screen: leave it out with --plain; sonde report tells of it in lines")
	case f.ask && f.plain:
		return errors.New("--open asks on a screen: leave it out with --plain, and name the spec")
	}
	return nil
}

// choose returns the operands that say what to open, none for the demo or what the
// configuration names: those that were given, else the spec of the search that is opened
// again, the one of the folder, or what the person chooses.
func (f *appFlags) choose(ctx context.Context, s streams, args []string, read configured, again codec.Run) ([]string, error) {
	open := !f.demo && len(args) == 0 && cmp.Or(f.base, read.URL, read.Spec) == "" && !read.Starts()
	switch {
	case !f.ask && !open:
		return args, nil
	case !f.ask && f.past != "":
		operands, err := ofRun(f.past, again)
		if err == nil && len(operands) > 0 && elsewhere(operands[0]) {
			line := fmt.Sprintf("run %q has its spec at %q", f.past, operands[0])
			if confirm(s, []string{line}, false) != nil {
				err = fmt.Errorf("the spec of run %q was not fetched: name it, as in sonde SPEC --run %s", f.past, quote(f.past))
			}
		}
		return operands, err
	case f.plain:
		return onlySpec(s)
	}
	return findSpec(ctx, s, f.ask)
}
