package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/record"
	"sonde/runner/target/client"
	"sonde/runner/target/sut"
	"sonde/ui/app/recording"
	"sonde/ui/console"
	"sonde/ui/results"
	"sonde/ui/words"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newRecord(s console.Streams) *cobra.Command {
	var f recordFlags
	c := &cobra.Command{
		Use:   "record --spec SPEC [--in ADDR=URL] [--out ADDR=URL] -o REC [-- COMMAND...]",
		Short: "Record requests to a running service, with the calls that it makes to other hosts",
		Long: `Record the requests to a running service, its answers, and the calls that it makes to
other hosts while it answers.

Sonde is a reverse proxy for the service (--in) and for each host that the service calls
(--out), until it is interrupted or the command ends. Send requests to the listen
address of --in, and configure the service with the listen addresses of --out instead
of its hosts. With COMMAND, Sonde starts the service; {port} in it, and in the URL of
--in, is its port, and --in may be left out.

Secrets are never written to disk: credentials, cookies, values with names such as
password or token, card numbers and e-mail addresses are replaced by pseudonyms of the
same form. The same value always gets the same pseudonym. --mask changes these rules.

Sonde knows which request caused an outward call if the service passes on the trace
context that Sonde sets (W3C traceparent, B3), or if requests are let in one at a time
(--serial). Otherwise it relies on time, if only one request was in progress, which is
not certain.

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

// recordFlags are the flags of sonde record.
type recordFlags struct {
	sourceFlags
	recording.Options
	plan bool
}

func (f *recordFlags) add(c *cobra.Command) {
	f.sourceFlags.add(c)
	fl := c.Flags()
	fl.StringVar(&f.Spec, "spec", "", "the service's spec (default: the configuration's)")
	fl.BoolVar(
		&f.Demo, "demo", false,
		"use the spec and the users of the built-in demo; without --in and COMMAND, or with --net, also start it",
	)
	addConfig(c)
	addCredentials(c, &f.Credentials)
	fl.StringArrayVar(&f.In, "in", nil, "ADDR=URL, a reverse proxy at ADDR for the service at URL: 127.0.0.1:8080=http://127.0.0.1:8081")
	fl.StringArrayVar(
		&f.Out, "out", nil,
		"ADDR=URL, a reverse proxy at ADDR for a host at URL: 127.0.0.1:9001=https://pay.example, or tcp:// or udp:// "+
			"with a port (repeat for several)",
	)
	addRecordNet(fl, &f.Network)
	fl.StringVar(
		&f.Proxy, "proxy", "",
		"listen address of a forward proxy for a service that uses HTTP_PROXY and HTTPS_PROXY, which are set for "+
			"COMMAND; to record TLS the service must trust authority.pem in the folder",
	)
	addRecordScope(c, &f.Scope)
	fl.IntVar(&f.Sampling.Every, "every", 0, "keep only each Nth request of an operation")
	fl.IntVar(
		&f.Sampling.First, "first", 0,
		"keep only the first N requests of each operation and shape (status, members of both bodies, outward "+
			"calls) and of each trait of its values, and each request that ran new code of a service that Sonde builds",
	)
	fl.BoolVar(&f.plan, "plan", false, "list the operations that would be recorded, and record nothing")
	fl.StringArrayVar(&f.Masks, "mask", nil, "replace by pseudonyms: "+record.MaskRules)
	fl.BoolVar(&f.Serial, "serial", false, "let only one request in at a time")
	fl.StringVar(
		&f.Snapshots.Command, "snapshot", "",
		"a shell command that writes a snapshot of the service's state into the folder {snapshot}; it runs before the first "+
			"request and after each --snapshot-every writes, while no request is in progress; {port} is the service's port",
	)
	fl.StringArrayVar(
		&f.Snapshots.Files, "snapshot-file", nil,
		"a file with the service's state, such as a database of SQLite, or a folder, of which Sonde takes the snapshots "+
			"itself (repeat for several)",
	)
	fl.IntVar(
		&f.Snapshots.Every, "snapshot-every", record.DefaultSnapshotEvery,
		"take a snapshot after this number of requests that change something",
	)
	fl.BoolVar(
		&f.Units, "units", false,
		"of a service that Sonde builds, also record invocations of functions that call methods of injected objects, for "+
			"sonde generate --units; it is not recorded then which code each request runs",
	)
	addTrust(c, &f.TLSOptions)
	fl.StringSliceVar(&f.AllowHosts, "allow-host", nil, "a host other than this machine that the service may run on")
	fl.StringVarP(&f.Folder, "output", "o", "", "folder for the recording")
	fl.BoolVar(&f.Force, "force", false, "replace the recording in the folder")
}

// operands takes the arguments after -- as the command of the service. With --plan and without --spec, one
// operand before -- is the spec. Any other operand is an error.
func (f *recordFlags) operands(c *cobra.Command, args []string) error {
	dash := c.ArgsLenAtDash()
	if dash < 0 {
		dash = len(args)
	}
	if f.plan && dash == 1 && f.Spec == "" {
		f.Spec, dash, args = args[0], 0, args[1:]
	}
	if dash > 0 {
		return fmt.Errorf("unexpected operand %q: name the spec with --spec %s, and a command after --", args[0], args[0])
	}
	f.Command = args
	return nil
}

// planned lists the operations that would be recorded.
func (f *recordFlags) planned(c *cobra.Command, s console.Streams) error {
	spec, err := f.open(c, s)
	if err != nil {
		return err
	}
	chosen, _, err := f.Scope.Operations(spec, f.Config.Scope)
	if err != nil {
		return err
	}
	if f.json {
		ops := []model.OpID{}
		for _, op := range chosen {
			ops = append(ops, op.ID)
		}
		return console.WriteJSON(s.Out, map[string]any{"operations": ops})
	}
	t := console.NewTable(s.Out)
	for _, op := range chosen {
		t.Row(op.ID, strings.Join(op.Tags, ", "), op.Summary)
	}
	return t.Flush()
}

func (f *recordFlags) run(c *cobra.Command, s console.Streams) error {
	if f.plan {
		return f.planned(c, s)
	}
	if f.Sampling.Every < 0 || f.Sampling.First < 0 {
		return errors.New("--every and --first are at least 1; leave them out to keep all")
	}
	if f.Proxy != "" {
		if err := record.CheckAddr(f.Proxy); err != nil {
			return fmt.Errorf("--proxy: %w", err)
		}
	}
	if f.Folder == "" {
		return errors.New("no folder for the recording: name one with -o")
	}
	masks, err := record.ParseMasks(f.Masks)
	if err != nil {
		return fmt.Errorf("--mask: %w", err)
	}
	spec, err := f.open(c, s)
	if err != nil {
		return err
	}
	ops, choice, err := f.Scope.Operations(spec, f.Config.Scope)
	if err != nil {
		return err
	}
	if err := f.ConfigureBuild(); err != nil {
		return err
	}
	out, err := f.OutEndpoints()
	if err != nil {
		return err
	}
	in, err := f.InEndpoints()
	if err != nil {
		return err
	}
	if err := f.CheckSnapshots(); err != nil {
		return err
	}
	if err := f.CheckReachable(c.Context(), in); err != nil {
		return err
	}
	rec, err := codec.CreateRecording(f.Folder, f.Header(spec, masks), f.Force)
	if err != nil {
		return err
	}
	defer rec.Close()
	o := record.Options{
		Spec:     spec,
		Out:      out,
		Serial:   f.Serial,
		Insecure: f.Insecure,
		TLS:      f.TLSConfig,
		Sink:     rec,
		Masks:    masks,
		Callers:  client.NewCallerIndex(f.Service.Users),
		Choice:   choice,
		Sampling: f.Sampling,
	}
	f.TakeSnapshots(&o, rec)
	f.TakeCovered(&o, rec)
	m, err := record.New(o)
	if err != nil {
		return err
	}
	return f.watch(c.Context(), s, watched{Monitor: m, rec: rec, ops: ops}, in)
}

// watched is a recording in progress.
type watched struct {
	*record.Monitor
	rec *codec.RecordingWriter
	ops []*model.Operation // the recorded operations
}

// watch records until the user interrupts it or the service ends.
func (f *recordFlags) watch(ctx context.Context, s console.Streams, w watched, in []string) error {
	defer w.Close()
	defer f.Network.Close()
	env, err := f.startProxy(w)
	if err != nil {
		return err
	}
	svc, err := f.StartService(ctx, w.Monitor, env)
	if err != nil {
		return err
	}
	if svc != nil {
		defer svc.Stop()
	}
	if err := f.Listen(ctx, w.Monitor, svc, in); err != nil {
		return err
	}
	if err := f.addresses(s, w.Monitor); err != nil {
		return err
	}
	ended := console.ShowProgress(
		s,
		func() string { return waited(ctx, svc) },
		func() string { return results.RecordingProgress(w.Monitor) },
	)
	w.Close()
	f.Network.Flush()
	if f.Units && svc != nil {
		invocations := f.Network.Invocations()
		svc.Stop()
		if err := f.Network.EndUnits(); err != nil {
			return fmt.Errorf("cannot write all invocations to %q: %w", f.Folder, err)
		}
		console.PrintNote(
			s.Err, "%s of functions recorded: sonde generate --units %s", words.Plural(invocations, "invocation"), f.Folder,
		)
	}
	if ended != "" {
		console.PrintNote(s.Err, "%s", ended)
	}
	return f.closed(s, w)
}

// closed completes the files of the recording, reads them again, and prints a summary.
func (f *recordFlags) closed(s console.Streams, w watched) error {
	if err := errors.Join(w.SinkError(), w.rec.Close()); err != nil {
		return fmt.Errorf("cannot write all of the recording to %q: %w", f.Folder, err)
	}
	rec, err := codec.OpenRecording(f.Folder)
	if err != nil {
		return err
	}
	rows, strays := w.OperationRows(w.ops)
	for _, warning := range rec.Warnings {
		console.PrintNote(s.Err, "%s", warning)
	}
	if err := f.reported(s, results.NewRecordReport(f.Folder, rows, strays, rec), results.RecordingProgress(w.Monitor)); err != nil {
		return err
	}
	return f.verdict(s, rows)
}

// startProxy starts the proxy of --proxy, and returns the environment that makes the service use it.
// Without this flag it returns nil.
func (f *recordFlags) startProxy(w watched) ([]string, error) {
	if f.Proxy == "" {
		return nil, nil
	}
	env, err := w.ListenAsProxy(f.Proxy, f.Folder)
	if err != nil {
		return nil, fmt.Errorf("--proxy: %w", err)
	}
	return env, nil
}

// addresses prints the addresses on which Sonde listens.
func (f *recordFlags) addresses(s console.Streams, m *record.Monitor) error {
	w := s.Out
	if f.json {
		w = s.Err
	}
	t := console.NewTable(w)
	for _, l := range m.Listening() {
		switch {
		case l.Inward:
			t.Row("in", "http://"+l.Addr, "before", l.To)
		case l.To == nil:
			t.Row("proxy", "http://"+l.Addr, "authority", filepath.Join(f.Folder, record.AuthorityFile))
		default:
			t.Row("out", l.Addr, "for", l.To)
		}
	}
	return t.Flush()
}

// waited waits until ctx ends, or until the service that Sonde started has ended. It returns the reason why the service
// has ended, or "" if ctx ended first.
func waited(ctx context.Context, svc sut.Service) string {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ""
		case <-tick.C:
			if svc != nil && svc.ExitFailure() != nil {
				return "the command has ended: " + svc.ExitFailure().Text
			}
		}
	}
}

// reported prints a summary of the recording.
func (f *recordFlags) reported(s console.Streams, r results.RecordReport, counts string) error {
	if f.json {
		return console.WriteJSON(s.Out, r)
	}
	t := console.NewTable(s.Out)
	t.Row("operation", "seen", "kept", "shapes", "answers", "outward calls", "causes known by")
	for _, row := range r.Operations {
		results.PrintRecordedRow(t, row)
	}
	for _, o := range r.Strays {
		t.Row("(cause not known)", "", "", "", "", results.OutwardCell(o))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.Out, "%s; %d kept in %s\n", counts, r.Kept, f.Folder)
	return err
}

// verdict returns an error with exitUnreachable if no request was answered with 2xx, and nil otherwise.
func (f *recordFlags) verdict(s console.Streams, rows []record.OperationRow) error {
	served, well := 0, 0
	for _, r := range rows {
		served += r.Seen
		for status, n := range r.Statuses {
			if status >= 200 && status < 300 {
				well += n
			}
		}
	}
	switch {
	case served == 0:
		console.PrintNote(s.Err, "no request arrived: send requests to the address of --in")
	case well == 0:
		console.PrintNote(s.Err, "none of %d requests was answered 2xx: is a log-in missing?", served)
	default:
		return nil
	}
	return verdict(exitUnreachable)
}

func addRecordNet(f *pflag.FlagSet, n *recording.BuildNetwork) {
	f.BoolVar(
		&n.On, "net", false,
		"with --demo, build the demo with a virtual network, so that all its outward calls are recorded; what "+
			"sonde.yaml builds always has one",
	)
	f.BoolVar(
		&n.Off, "no-net", false,
		"let the service that sonde.yaml builds use the real network: only outward calls to --out are recorded",
	)
	f.StringArrayVar(&n.Allow, "net-allow", nil, "a host:port that such a service reaches directly, without being "+
		"recorded (repeat for several)")
}
