package cli

import (
	"errors"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/client"
	"sonde/runner/record"

	"github.com/spf13/cobra"
)

func newRecord(s streams) *cobra.Command {
	var f recordFlags
	c := &cobra.Command{
		Use:   "record --spec SPEC [--in ADDR=URL] [--out ADDR=URL] -o REC [-- COMMAND...]",
		Short: "Record what a running service answers, and what it sends to the outside for it",
		Long: `Record what a running service answers, and what it sends to the outside for it.

Sonde stands before the service (--in) and in the place of the hosts to which it
turns (--out), until it is interrupted or the command ends. Send requests to the
address of --in, and tell the service the addresses of --out in the place of its
hosts. With COMMAND the service is started; {port} in it, and in the URL of --in,
stands for its port. Without --in a free address is taken then.

What is secret never reaches the disk: credentials, cookies, values by names such as
password or token, numbers of cards and addresses of e-mail get pseudonyms of the same
form, the same wherever the same value stands. --mask adds to that, or takes from it.

For which request the service sends something is known where it passes the trace
context on (W3C traceparent, B3) that Sonde sets, or where requests are let in one at a
time (--serial). Else it is told by time alone where one request was under way, which is not certain.

Exit code: 0 recorded, 2 usage, 3 the service cannot be reached or never answered
2xx.`,
		Example: `  sonde record --spec shop.yaml --in 127.0.0.1:8080=http://127.0.0.1:8081 \
      --out 127.0.0.1:9001=http://127.0.0.1:9101 -o rec
  sonde record --spec shop.yaml --out 127.0.0.1:9001=https://pay.example -o rec -- \
      ./shop --port {port} --payments http://127.0.0.1:9001`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.operands(c, args); err != nil {
				return err
			}
			return f.run(c, s)
		},
	}
	f.add(c)
	return c
}

// recordFlags are the flags of record.
type recordFlags struct {
	sourceFlags
	spec     string
	demo     bool
	in, out  []string
	proxy    string
	plan     bool
	scope    recordScope
	sampling record.Sampling
	masks    []string
	serial   bool
	trust
	credentials
	hosts   []string
	folder  string
	force   bool
	command []string // that starts the service
	config  configured
	service service
	network recordNet
}

func (f *recordFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	fl := c.Flags()
	fl.StringVar(&f.spec, "spec", "", "the service's spec (default: the configuration's)")
	fl.BoolVar(&f.demo, "demo", false, "the spec and the users of the built-in demo; without --in and COMMAND, or with --net, the demo itself, too")
	addConfig(c)
	f.credentials.add(c)
	fl.StringArrayVar(&f.in, "in", nil, "stand on an address before the service at a URL: 127.0.0.1:8080=http://127.0.0.1:8081")
	fl.StringArrayVar(&f.out, "out", nil, "stand on an address in the place of a host: 127.0.0.1:9001=https://pay.example, or tcp:// or udp:// with a port; as often as needed")
	f.network.add(fl)
	fl.StringVar(&f.proxy, "proxy", "", "stand on an address as a proxy for a service that honours HTTP_PROXY and HTTPS_PROXY; a COMMAND is told of it, and to trust authority.pem in the folder, by which TLS is read")
	f.scope.add(c)
	fl.IntVar(&f.sampling.Every, "every", 0, "keep only each so many times that an operation is called")
	fl.IntVar(&f.sampling.First, "first", 0, "keep only so many of each operation and shape (status, members of both bodies, outward calls) and of each trait of its values")
	fl.BoolVar(&f.plan, "plan", false, "list the operations that would be recorded, and record nothing")
	fl.StringArrayVar(&f.masks, "mask", nil, "put pseudonyms in the place of: "+record.MaskRules)
	fl.BoolVar(&f.serial, "serial", false, "let one request in at a time")
	f.trust.add(c)
	fl.StringSliceVar(&f.hosts, "allow-host", nil, "a host besides this machine on which the service may be")
	fl.StringVarP(&f.folder, "output", "o", "", "folder for the recording")
	fl.BoolVar(&f.force, "force", false, "replace the recording in the folder")
}

// operands takes what stands behind -- for the command.
func (f *recordFlags) operands(c *cobra.Command, args []string) error {
	dash := c.ArgsLenAtDash()
	if dash < 0 {
		dash = len(args)
	}
	if f.plan && dash == 1 && f.spec == "" {
		f.spec, dash, args = args[0], 0, args[1:]
	}
	if dash > 0 {
		return fmt.Errorf("%q is one operand too many: the spec is --spec %s, and a command stands behind --", args[0], args[0])
	}
	f.command = args
	return nil
}

// planned lists what would be recorded.
func (f *recordFlags) planned(c *cobra.Command, s streams) error {
	spec, err := f.open(c, s)
	if err != nil {
		return err
	}
	chosen, _, err := f.scope.of(spec, f.config.Scope)
	if err != nil {
		return err
	}
	if f.json {
		ops := []model.OpID{}
		for _, op := range chosen {
			ops = append(ops, op.ID)
		}
		return printJSON(s.out, map[string]any{"operations": ops})
	}
	t := newTable(s.out)
	for _, op := range chosen {
		t.row(op.ID, strings.Join(op.Tags, ", "), op.Summary)
	}
	return t.flush()
}

func (f *recordFlags) run(c *cobra.Command, s streams) error {
	if f.plan {
		return f.planned(c, s)
	}
	if f.sampling.Every < 0 || f.sampling.First < 0 {
		return errors.New("--every and --first are at least 1; leave them out to keep all")
	}
	if f.proxy != "" {
		if err := record.CheckAddr(f.proxy); err != nil {
			return fmt.Errorf("--proxy: %w", err)
		}
	}
	if f.folder == "" {
		return errors.New("no place for the recording: name a folder with -o")
	}
	masks, err := record.ParseMasks(f.masks)
	if err != nil {
		return fmt.Errorf("--mask: %w", err)
	}
	spec, err := f.open(c, s)
	if err != nil {
		return err
	}
	ops, choice, err := f.scope.of(spec, f.config.Scope)
	if err != nil {
		return err
	}
	if err := f.choose(); err != nil {
		return err
	}
	out, err := f.behind()
	if err != nil {
		return err
	}
	in, err := f.before()
	if err != nil {
		return err
	}
	if err := f.reachable(c.Context(), in); err != nil {
		return err
	}
	rec, err := codec.Record(f.folder, f.header(spec, masks), f.force)
	if err != nil {
		return err
	}
	defer rec.Close()
	m, err := record.New(record.Options{
		Spec: spec, Out: out, Serial: f.serial, Insecure: f.insecure, TLS: f.secure, Sink: rec, Masks: masks, Callers: client.NewCallers(f.service.users),
		Choice: choice, Sampling: f.sampling,
	})
	if err != nil {
		return err
	}
	return f.watch(c.Context(), s, watched{Monitor: m, rec: rec, ops: ops}, in)
}
