// Package recording prepares the recording of a service: the addresses of the proxies, how the service is
// started, what is recorded, and the command that makes the same recording. Package runner/replay/record
// records the traffic.
package recording

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/network/netsim"
	"sonde/runner/replay/record"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/runner/target/sut"
	"sonde/ui/app/command"
	"sonde/ui/app/paths"
	"sonde/ui/app/searchrun"
	"sonde/ui/app/service"
	"sonde/ui/app/version"
)

// Options has the settings of a recording: the service, the traffic to record, and the folder.
type Options struct {
	Spec     string
	Demo     bool
	In, Out  []string // routes in the form ADDR=URL
	Proxy    string
	Scope    Scope
	Sampling record.Sampling
	Masks    []string
	Serial   bool
	service.TLSOptions
	service.Credentials
	AllowHosts []string
	Folder     string
	Force      bool
	Command    []string // starts the service; nil if Sonde does not start it
	Config     service.Configuration
	Service    service.Service
	Network    BuildNetwork
	Units      bool // record invocations of functions under test
	Snapshots  Snapshots
	TLSConfig  *tls.Config // nil for the default

	baseURL string // the URL at which the service can be called, once it is known
}

// UseBuild prepares the options for a service that Sonde builds with a recording network. It clears In,
// because Sonde adds the route to the service itself.
func (f *Options) UseBuild() {
	f.In, f.Service.URL = nil, f.Config.URL
	if f.Service.Name == service.DemoSource {
		f.Demo, f.Network.On, f.Service = true, true, service.DemoAt("")
	}
}

// ConfigureBuild decides whether the service is built with a recording network. It returns an error for options that
// exclude each other. If there is no recording network, it returns an error for options that need one.
func (f *Options) ConfigureBuild() error {
	n := &f.Network
	otherStart := len(f.Command) > 0 || f.Config.Driver != ""
	switch {
	case n.On && n.Off:
		return errors.New("--net and --no-net exclude each other: give one of them")
	case f.Demo && n.On && !otherStart:
		n.build = service.DemoBuilder()
		n.build.UseOutsideHosts()
	case f.Config.BuildsService() && !otherStart && !n.Off:
		n.build = service.BuilderOf(f.Config.Service, f.Config.URL)
	case n.On:
		return errors.New("--net needs a service that Sonde builds: set sut: {build: ./cmd/server} in sonde.yaml, or use --demo")
	case len(n.Allow) > 0:
		return fmt.Errorf("--net-allow %q needs a service that Sonde builds: set sut: {build: ./cmd/server} in sonde.yaml", n.Allow[0])
	}
	if n.build != nil {
		f.Service.StartCommand = &n.build.Service
	} else if f.Units {
		return errors.New("--units needs a service that Sonde builds: set sut: {build: ./cmd/server} in sonde.yaml")
	}
	return nil
}

// OutEndpoints returns the endpoints in front of the hosts that the service calls. There are none if
// the service is built with a network.
func (f *Options) OutEndpoints() ([]record.Endpoint, error) {
	if f.Network.build != nil {
		return nil, nil
	}
	return parsed("--out", f.Out, "http", "https", "tcp", "udp")
}

// relay returns the options for forwarding what the service sends.
func (f *Options) relay(m *record.Monitor) (netsim.RelayOptions, error) {
	r := netsim.RelayOptions{
		Locations: map[string]string{},
		Allow:     f.Network.Allow,
		Insecure:  f.Insecure,
		Deliver:   m.RecordOutward,
		Note:      m.NoteUnrecorded,
		Trace:     m.CauseByTrace,
	}
	if f.TLSConfig != nil {
		r.Roots = f.TLSConfig.RootCAs
	}
	for _, text := range f.Out {
		host, to, ok := strings.Cut(text, "=")
		if !ok {
			return r, fmt.Errorf("--out: %q is not like payments.example:443=http://127.0.0.1:7001", text)
		}
		r.Locations[host] = to
	}
	return r, nil
}

// surrounded builds the service, if Sonde builds it, and returns how to start it and its network. The
// network is nil for a service that Sonde does not build.
func (f *Options) surrounded(ctx context.Context, m *record.Monitor) (*model.Service, sut.Network, error) {
	n := &f.Network
	if n.build == nil {
		return f.Service.StartCommand, nil, nil
	}
	relay, err := f.relay(m)
	if err != nil {
		return nil, nil, err
	}
	n.net, err = netsim.NewRecorder(relay)
	if err != nil {
		return nil, nil, fmt.Errorf("--out: %w", err)
	}
	n.dir, err = os.MkdirTemp("", "sonde-build-")
	if err != nil {
		return nil, nil, fmt.Errorf("no temporary folder to build the service in: %w", err)
	}
	r, err := n.build.BuildRecorded(ctx, n.dir, f.Units)
	if err != nil {
		return nil, nil, err
	}
	if f.Units {
		n.units, err = newUnitReader(m, n.dir, f.Folder, r.Binary)
		if err != nil {
			return nil, nil, err
		}
		return n.build.StartBinary(r.Binary), n.net, nil
	}
	n.readCode(r.Manifest)
	return n.build.StartBinary(r.Binary), n.net, nil
}

// parsed parses the endpoints that were given as values of a flag.
func parsed(flag string, texts []string, schemes ...string) (endpoints []record.Endpoint, err error) {
	for _, text := range texts {
		w, err := record.ParseEndpoint(text, schemes...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		endpoints = append(endpoints, w)
	}
	return endpoints, nil
}

// InEndpoints returns the proxies in front of the service, as ADDR=URL. A port that is not known yet is
// model.PortPlaceholder. InEndpoints also sets how the service is started and its URL.
func (f *Options) InEndpoints() (in []string, err error) {
	in = f.In
	if len(in) == 0 {
		switch {
		case f.Service.URL != "":
			in = []string{"127.0.0.1:0=" + f.Service.URL}
		case len(f.Command) > 0 || f.Service.StartCommand != nil:
			in = []string{"127.0.0.1:0=http://127.0.0.1:" + model.PortPlaceholder}
		default:
			return nil, errors.New("no service to record: give --in ADDR=URL, or the command that starts it after --")
		}
	}
	for _, text := range in {
		w, err := parsed("--in", []string{strings.ReplaceAll(text, model.PortPlaceholder, "1")}, "http", "https")
		if err != nil {
			return nil, err
		}
		if _, err := client.CheckURL(w[0].To.String(), f.AllowHosts); err != nil {
			return nil, fmt.Errorf("--in: %w", err)
		}
	}
	if len(f.Command) > 0 {
		f.Service.StartCommand = &model.Service{Command: f.Command}
	}
	_, f.Service.URL, _ = strings.Cut(in[0], "=")
	if f.Service.StartCommand == nil && strings.Contains(f.Service.URL, model.PortPlaceholder) {
		return nil, fmt.Errorf("--in: %q has %s, but Sonde does not start the service: give its port", f.Service.URL, model.PortPlaceholder)
	}
	return in, f.ported()
}

// ported sets the port on which the service listens, if Sonde starts the service and the service's URL has a fixed
// port. It returns an error if the URL has no port.
func (f *Options) ported() error {
	start := f.Service.StartCommand
	if start == nil || start.Port > 0 || strings.Contains(f.Service.URL, model.PortPlaceholder) {
		return nil
	}
	w, err := record.ParseEndpoint("127.0.0.1:0="+f.Service.URL, "http", "https")
	if err != nil {
		return err
	}
	port := 0
	if _, err := fmt.Sscan(w.To.Port(), &port); err != nil {
		return fmt.Errorf("--in: %q has no port: give the one on which the command listens, or %s", f.Service.URL, model.PortPlaceholder)
	}
	own := *start
	own.Port = port
	f.Service.StartCommand = &own
	return nil
}

// CheckReachable returns an error if the service does not answer. It does not check a service that Sonde starts,
// because that service is not running yet.
func (f *Options) CheckReachable(ctx context.Context, in []string) error {
	if f.Service.StartCommand != nil {
		return nil
	}
	for _, text := range in {
		_, url, _ := strings.Cut(text, "=")
		c, err := client.New(url, f.TLSOptions.ClientOptions(f.AllowHosts))
		if err != nil {
			return err
		}
		defer c.Close()
		switch err := c.CheckReachable(ctx); {
		case errors.Is(err, client.ErrUnreachable):
			return search.NewUnreachableError(fmt.Errorf(
				"%q does not answer: start the service, or give the command that starts it after --", url,
			))
		case err != nil:
			return search.NewUnreachableError(fmt.Errorf("--in: %w", err))
		}
	}
	return nil
}

// Header returns the header of the recording.
func (f *Options) Header(spec *model.Spec, masks record.Masks) codec.RecordingHeader {
	source := f.Spec
	if source != service.DemoSource && source != "-" && !strings.Contains(source, "://") {
		source = paths.Absolute(source)
	}
	h := codec.RecordingHeader{
		Title:    spec.Title,
		Spec:     command.WithoutCredentials(source),
		SpecHash: spec.Hash,
		BaseURL:  f.Service.URL,
		Service:  f.Service.StartCommand,
		Users:    f.Service.Users, Reset: f.Service.Reset, Release: version.Release, Started: time.Now().UTC().Truncate(time.Second),
		Rules: masks.RuleTexts(), Command: masks.Text(repeatedLine(f.Credentials.RedactArgs(os.Args))), StateFiles: f.stateFiles(),
	}
	if h.Service != nil {
		placed := *h.Service
		placed.Dir = service.StartDir(h.Service, nil)
		h.Service = &placed
	}
	return h
}

// repeatedLine returns a command line for a shell.
func repeatedLine(args []string) string {
	line := "sonde"
	for _, word := range args[min(1, len(args)):] {
		line += " " + command.Quote(word)
	}
	return line
}

// StartService starts the service. It returns nil if Sonde does not start it.
func (f *Options) StartService(ctx context.Context, m *record.Monitor, env []string) (sut.Service, error) {
	if err := removeUnits(f.Folder); err != nil {
		return nil, err
	}
	if f.Service.StartCommand == nil {
		return nil, nil
	}
	start, network, err := f.surrounded(ctx, m)
	if err != nil {
		return nil, err
	}
	start = searchrun.WithLogFile(*start, f.Folder)
	svc, err := sut.Open(
		model.Plan{Service: start, BaseURL: f.Service.URL, Users: f.Service.Users},
		sut.Options{
			Env: slices.Concat(env, f.Network.code.env(), f.Network.units.env()), Network: network,
			Client: f.TLSOptions.ClientOptions(f.AllowHosts),
		},
	)
	if err != nil {
		return nil, err
	}
	if err := svc.Start(ctx); err != nil {
		svc.Stop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, search.NewUnreachableError(err)
	}
	return svc, nil
}

// Listen takes the first snapshot, if there are snapshots, and starts the proxies in front of the service, whose port is
// now known.
func (f *Options) Listen(ctx context.Context, m *record.Monitor, svc sut.Service, in []string) error {
	port := ""
	f.baseURL = f.Service.URL
	if svc != nil {
		f.baseURL = svc.Client().BaseURL()
	}
	if err := m.TakeFirstSnapshot(ctx); err != nil {
		return err
	}
	if svc != nil {
		at, err := url.Parse(f.baseURL)
		if err != nil {
			return err
		}
		port = at.Port()
	}
	for _, text := range in {
		text = strings.ReplaceAll(text, model.PortPlaceholder, port)
		ways, err := parsed("--in", []string{text}, "http", "https")
		if err != nil {
			return err
		}
		if err := m.ListenInward(ways[0]); err != nil {
			return fmt.Errorf("--in: %w", err)
		}
	}
	return nil
}
