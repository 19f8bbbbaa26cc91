package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner"
	"sonde/runner/client"
	"sonde/runner/record"
	"sonde/runner/sut"

	"github.com/spf13/cobra"
)

// parsed reads ways, and says which flag is wrong.
func parsed(flag string, texts []string, schemes ...string) (ways []record.Way, err error) {
	for _, text := range texts {
		w, err := record.ParseWay(text, schemes...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		ways = append(ways, w)
	}
	return ways, nil
}

// open reads the configuration and the spec, and says what the service is.
func (f *recordFlags) open(c *cobra.Command, s streams) (*model.Spec, error) {
	var operand []string
	if f.spec != "" {
		operand = []string{f.spec}
	}
	switch {
	case f.demo && f.credentials.given():
		return nil, errDemoUsers
	case f.demo:
		return f.openDemo(c)
	}
	var err error
	f.config, err = readConfig(c, s.err, operand)
	if err != nil {
		return nil, err
	}
	if err := f.credentials.join(c.Context(), s, &f.config.Config); err != nil {
		return nil, err
	}
	f.trust.configure(c.Flags().Changed, f.config.Config)
	f.secure, err = f.trust.open()
	if err != nil {
		return nil, err
	}
	if f.spec == "" {
		f.spec = f.config.Spec
		if f.spec == "" {
			return nil, errors.New("no spec: name it with --spec; --demo has one of its own")
		}
	}
	spec, err := f.load(c.Context(), s, f.spec)
	if err != nil {
		return nil, err
	}
	f.service = service{users: f.config.Users, reset: f.config.Reset, start: unprobed(f.config.Service), url: f.config.URL}
	return spec, nil
}

func (f *recordFlags) openDemo(c *cobra.Command) (*model.Spec, error) {
	if f.spec != "" || c.Flags().Changed("config") {
		return nil, errors.New("--demo has its own spec and users: leave out --spec and --config")
	}
	f.spec, f.service = demoSource, demoAt("")
	if len(f.in) == 0 && len(f.command) == 0 && !f.network.on {
		served, err := startDemo(c.Context(), 1)
		if err != nil {
			return nil, err
		}
		f.service.url = served.url
	}
	return loadDemo(c.Context())
}

// before is what to stand before the service with, of which the port may not be known
// yet. It says how the service is started.
func (f *recordFlags) before() (in []string, err error) {
	in = f.in
	if len(in) == 0 {
		switch {
		case f.service.url != "":
			in = []string{"127.0.0.1:0=" + f.service.url}
		case len(f.command) > 0 || f.service.start != nil:
			in = []string{"127.0.0.1:0=http://127.0.0.1:" + model.PortHere}
		default:
			return nil, errors.New("no service to stand before: say --in ADDR=URL, or behind -- the command that starts it")
		}
	}
	for _, text := range in {
		w, err := parsed("--in", []string{strings.ReplaceAll(text, model.PortHere, "1")}, "http", "https")
		if err != nil {
			return nil, err
		}
		if _, err := client.Check(w[0].To.String(), f.hosts); err != nil {
			return nil, fmt.Errorf("--in: %w", err)
		}
	}
	if len(f.command) > 0 {
		f.service.start = &model.Service{Command: f.command}
	}
	_, f.service.url, _ = strings.Cut(in[0], "=")
	if f.service.start == nil && strings.Contains(f.service.url, model.PortHere) {
		return nil, fmt.Errorf("--in: %q has %s, and nothing here starts the service: give its port", f.service.url, model.PortHere)
	}
	return in, f.ported()
}

// ported gives a service that is started on a port of its own that port.
func (f *recordFlags) ported() error {
	start := f.service.start
	if start == nil || start.Port > 0 || strings.Contains(f.service.url, model.PortHere) {
		return nil
	}
	w, err := record.ParseWay("127.0.0.1:0="+f.service.url, "http", "https")
	if err != nil {
		return err
	}
	port := 0
	if _, err := fmt.Sscan(w.To.Port(), &port); err != nil {
		return fmt.Errorf("--in: %q has no port: give the one on which the command listens, or %s", f.service.url, model.PortHere)
	}
	own := *start
	own.Port = port
	f.service.start = &own
	return nil
}

// reachable says whether a service that somebody else started is there.
func (f *recordFlags) reachable(ctx context.Context, in []string) error {
	if f.service.start != nil {
		return nil
	}
	for _, text := range in {
		_, url, _ := strings.Cut(text, "=")
		c, err := client.New(url, f.trust.options(f.hosts))
		if err != nil {
			return err
		}
		defer c.Close()
		switch err := c.Reachable(ctx); {
		case errors.Is(err, client.ErrSilent):
			return runner.NewUnreachable(fmt.Errorf("%q does not answer: start the service, or give the command that starts it behind --", url))
		case err != nil:
			return runner.NewUnreachable(fmt.Errorf("--in: %w", err))
		}
	}
	return nil
}

// header is what is known of the recording when it begins.
func (f *recordFlags) header(spec *model.Spec, masks record.Masks) codec.RecordHeader {
	source := f.spec
	if source != demoSource && source != "-" && !strings.Contains(source, "://") {
		source = whole(source)
	}
	h := codec.RecordHeader{
		Title: spec.Title, Spec: redacted(source), SpecHash: spec.Hash, BaseURL: f.service.url, Service: f.service.start,
		Users: f.service.users, Reset: f.service.reset, Release: release, Started: time.Now().UTC().Truncate(time.Second),
		Rules: masks.Rules(), Command: repeated(f.credentials.written(os.Args)),
	}
	if h.Service != nil {
		placed := *h.Service
		placed.Dir = startDir(h.Service, nil)
		h.Service = &placed
	}
	return h
}

// repeated is a command line for a shell.
func repeated(args []string) string {
	line := "sonde"
	for _, word := range args[min(1, len(args)):] {
		line += " " + quote(word)
	}
	return line
}

// started starts the service, if that is ours to do, and returns its end.
func (f *recordFlags) started(ctx context.Context, m *record.Monitor, env []string) (sut.Service, error) {
	if f.service.start == nil {
		return nil, nil
	}
	start, network, err := f.surrounded(ctx, m)
	if err != nil {
		return nil, err
	}
	start = logged(*start, f.folder)
	svc, err := sut.Open(model.Plan{Service: start, BaseURL: f.service.url, Users: f.service.users}, sut.Options{Env: env, Client: f.trust.options(f.hosts), Network: network})
	if err != nil {
		return nil, err
	}
	if err := svc.Start(ctx); err != nil {
		svc.Stop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, runner.NewUnreachable(err)
	}
	return svc, nil
}
