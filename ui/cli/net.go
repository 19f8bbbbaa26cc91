package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/netrun"
	"sonde/ui/app/service"
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

func newNet(s console.Streams) *cobra.Command {
	var f netFlags
	c := &cobra.Command{
		Use:   "net [--stubs FILE] -- COMMAND...",
		Short: "Run any command on a virtual network, whose hosts answer from stubs",
		Long: `Run any command on a virtual network: it reaches no real host, and the hosts of the stubs
answer it.

The files of --stubs are those of sonde search --net (docs/network.md, "Stubs by hand").
Names without a stub do not exist, and hosts without one refuse connections. Each
contact of the command with the network is printed to stderr, or appended to the file
of --log as a line of JSON.

The network is a namespace of Linux, if users of this system can create one. Otherwise
it is a proxy in the environment of the command, for HTTP alone: then a command that
ignores the proxy reaches real hosts.

Exit code: that of the command; 2 usage, or the command cannot be started.`,
		Example: `  sonde net --stubs stubs.yaml -- curl -s http://price.example/price
  sonde net --stubs stubs.yaml --port 8080 -- ./shop --port 8080
  sonde net --stubs stubs.yaml -- go test ./...`,
		RunE: func(c *cobra.Command, args []string) error {
			if dash := c.ArgsLenAtDash(); dash > 0 || dash < 0 && len(args) > 0 {
				return fmt.Errorf("unexpected operand %q: give the command after --", args[0])
			}
			if len(args) == 0 {
				return errors.New("no command: give it after --, such as sonde net --stubs stubs.yaml -- curl http://price.example")
			}
			return f.run(c.Context(), s, args)
		},
	}
	fl := c.Flags()
	fl.StringArrayVar(&f.network.Stubs, "stubs", nil, "a file of stubs (repeat for several)")
	fl.StringArrayVar(
		&f.network.Allow, "net-allow", nil, "a real host:port that the command may reach, such as 127.0.0.1:5432 (repeat for several)",
	)
	fl.IntSliceVar(&f.ports, "port", nil, "a port on which the command listens: clients on this machine reach it at 127.0.0.1")
	fl.StringVar(&f.hostname, "hostname", "", "the name of the machine that the command sees")
	fl.StringVar(&f.log, "log", "", "append the contacts to this file, a line of JSON for each")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "do not print the contacts")
	return c
}

// netFlags are the flags of sonde net.
type netFlags struct {
	network  service.Network
	ports    []int
	hostname string
	log      string
	quiet    bool
}

// run runs the command, and returns its exit code as a verdict.
func (f *netFlags) run(ctx context.Context, s console.Streams, args []string) error {
	for _, port := range f.ports {
		if port < 1 || port > 65535 {
			return fmt.Errorf("--port %d is no port: give 1 to 65535", port)
		}
	}
	f.network.On = true
	if err := f.network.Check(config.Network{}, true); err != nil {
		return err
	}
	n, err := f.network.LoadNetwork(ctx, config.Network{Hostname: f.hostname})
	if err != nil {
		return err
	}
	var why error
	if n.Ground, why = netrun.Ground(); why != nil {
		console.PrintNote(s.Err, "virtual network: HTTP alone, by a proxy: %v", why)
	}
	contact, closeLog, err := f.logger(s)
	if err != nil {
		return err
	}
	code, err := netrun.Run(ctx, netrun.Options{
		Command: args, Network: n, Ports: f.ports, Contact: contact,
		In: s.In, Out: s.Out, Err: s.Err, IsInteractive: console.IsTerminal(s.In),
	})
	err = errors.Join(err, closeLog())
	switch {
	case err != nil:
		return err
	case code != 0:
		return verdict(code)
	}
	return nil
}

// logger returns a function that prints or writes contacts, and a function that closes the file.
func (f *netFlags) logger(s console.Streams) (contact func(model.Contact), done func() error, err error) {
	done = func() error { return nil }
	switch {
	case f.log != "":
		file, err := os.OpenFile(f.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("--log: %w", err)
		}
		out := json.NewEncoder(file)
		var failed error
		contact = func(c model.Contact) {
			if failed == nil {
				failed = out.Encode(c)
			}
		}
		return contact, func() error { return errors.Join(failed, file.Close()) }, nil
	case f.quiet:
		return nil, done, nil
	}
	return func(c model.Contact) { console.PrintNote(s.Err, "%s", results.ContactLine(c)) }, done, nil
}
