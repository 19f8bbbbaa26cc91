package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/record"
	"sonde/runner/target/client"
	"sonde/runner/target/sut"
	"sonde/ui/app/command"
	"sonde/ui/app/recording"
	"sonde/ui/app/service"
	"sonde/ui/app/usecase"
)

// recordedFunctions reads the functions under test of the recording in a folder.
func recordedFunctions(_ context.Context, dir string) ([]usecase.RecordedFunction, error) {
	return recording.Functions(dir)
}

// recorderSet starts recordings of the service and stores the recordings that it started.
type recorderSet struct {
	session *session

	mu  sync.Mutex
	all []*recorder
}

// openRecording reads the recording in a folder.
func openRecording(_ context.Context, dir string) (model.Recording, error) {
	return codec.OpenRecording(dir)
}

// start begins a recording with the choices of a form.
func (s *recorderSet) start(ctx context.Context, form usecase.RecordSettings) (usecase.Recorder, error) {
	o, spec, err := recordOptions(s.session, form)
	if err != nil {
		return nil, err
	}
	r := &recorder{options: o, command: recordCommand(o)}
	if err := r.begin(ctx, spec); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, r)
	return r, nil
}

// running reports whether a recording is in progress.
func (s *recorderSet) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.all, func(r *recorder) bool { return !r.ended() })
}

// ended reports whether the recording has ended.
func (r *recorder) ended() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.done
}

// stop ends all recordings. It ignores errors, because the app is closing and the recorded traffic is on
// disk.
func (s *recorderSet) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.all {
		_ = r.Stop()
	}
}

// recordOptions returns the options of sonde record for the choices of a form, and the spec with the
// configured operations.
func recordOptions(s *session, form usecase.RecordSettings) (*recording.Options, *model.Spec, error) {
	now, given := s.state(), s.options
	if now.spec == nil {
		return nil, nil, errNoSpec
	}
	o := &recording.Options{
		Spec:        given.Source,
		In:          endpointArgs(form.In),
		Out:         endpointArgs(form.Out),
		Serial:      form.Serial,
		Units:       form.Units && form.Build,
		TLSOptions:  now.sending.TLSOptions,
		Credentials: now.sending.Credentials,
		AllowHosts:  now.allowedHosts(given.AllowHosts),
		Folder:      form.Folder,
		Force:       form.Force,
		Masks:       form.Masks,
		Sampling:    record.Sampling{First: form.First},
		Config:      now.config,
		Service:     now.service,
	}
	o.Service.StartCommand = service.WithoutProbes(now.config.Service)
	o.Network.Off = !form.Build
	if form.Build {
		o.UseBuild()
	}
	if err := o.ConfigureBuild(); err != nil {
		return nil, nil, err
	}
	spec, err := now.config.FilterOperations(now.spec)
	return o, spec, err
}

// endpointArgs returns ADDR=URL for each endpoint.
func endpointArgs(endpoints []usecase.ProxyRoute) (all []string) {
	for _, e := range endpoints {
		all = append(all, e.Addr+"="+e.URL)
	}
	return all
}

// recordCommand returns the command that makes the same recording.
func recordCommand(f *recording.Options) string {
	line := []string{"sonde", "record", "--spec", command.Quote(f.Spec)}
	if f.Spec == service.DemoSource {
		line = []string{"sonde", "record", "--demo"}
	}
	for _, in := range f.In {
		line = append(line, "--in", command.Quote(in))
	}
	for _, out := range f.Out {
		line = append(line, "--out", command.Quote(out))
	}
	if f.Config.Environment != "" {
		line = append(line, "--env", f.Config.Environment)
	}
	for _, flag := range []struct {
		name string
		on   bool
	}{{"--net", f.Network.On}, {"--no-net", f.Network.Off && f.Config.BuildsService()}, {"--serial", f.Serial}, {"--units", f.Units}} {
		if flag.on {
			line = append(line, flag.name)
		}
	}
	for _, word := range append(f.TLSOptions.Flags(), f.Credentials.Flags()...) {
		line = append(line, command.Quote(word))
	}
	for _, m := range f.Masks {
		line = append(line, "--mask", command.Quote(m))
	}
	if f.Sampling.First > 0 {
		line = append(line, "--first", strconv.Itoa(f.Sampling.First))
	}
	return strings.Join(append(line, "-o", command.Quote(f.Folder)), " ")
}

// recorder is one recording that the app started.
type recorder struct {
	*tape
	options *recording.Options
	command string
	disk    *codec.RecordingWriter
	monitor *record.Monitor
	service sut.Service // nil if Sonde did not start the service

	stop sync.Once
	mu   sync.Mutex
	done bool
	err  error // the error of closing the recording
}

// begin creates the recording on disk, and starts the proxies in front of the service and of the hosts that
// the service calls.
func (r *recorder) begin(ctx context.Context, spec *model.Spec) (err error) {
	f := r.options
	out, err := f.OutEndpoints()
	if err != nil {
		return err
	}
	_, choice, err := f.Scope.Operations(spec, f.Config.Scope)
	if err != nil {
		return err
	}
	in, err := f.InEndpoints()
	if err != nil {
		return err
	}
	if err := f.CheckReachable(ctx, in); err != nil {
		return err
	}
	masks, err := record.ParseMasks(f.Masks)
	if err != nil {
		return fmt.Errorf("masks: %w", err)
	}
	header := f.Header(spec, masks)
	header.Command = r.command
	r.disk, err = codec.CreateRecording(f.Folder, header, f.Force)
	if err != nil {
		return err
	}
	r.tape = newTape(r.disk, spec.Title, f.Service.URL)
	options := record.Options{
		Spec:     spec,
		Out:      out,
		Serial:   f.Serial,
		Insecure: f.Insecure,
		TLS:      f.TLSConfig,
		Sink:     r.tape,
		Masks:    masks,
		Choice:   choice,
		Sampling: f.Sampling,
		Callers:  client.NewCallerIndex(f.Service.Users),
	}
	f.TakeCovered(&options, r.disk)
	if err := r.listen(ctx, options, in); err != nil {
		_ = r.Stop() // the first error is more useful
		return err
	}
	return nil
}

// listen creates the monitor, starts the service if Sonde starts it, and starts the proxy in front of it.
func (r *recorder) listen(ctx context.Context, o record.Options, in []string) (err error) {
	r.monitor, err = record.New(o)
	if err != nil {
		return err
	}
	r.service, err = r.options.StartService(ctx, r.monitor, nil)
	if err != nil {
		return err
	}
	return r.options.Listen(ctx, r.monitor, r.service, in)
}

// Snapshot returns the traffic recorded so far. If the service has ended, Snapshot stops the recording.
func (r *recorder) Snapshot() usecase.RecordedTraffic {
	t := r.traffic()
	for _, l := range r.monitor.Listening() {
		way := usecase.ProxyRoute{Addr: l.Addr, URL: l.To.String()}
		if l.Inward {
			t.In = append(t.In, way)
		} else {
			t.Out = append(t.Out, way)
		}
	}
	t.InFlight, t.Masked = r.monitor.InFlight(), r.monitor.MaskedSecrets()
	t.Invocations = r.options.Network.Invocations()
	r.mu.Lock()
	defer r.mu.Unlock()
	t.Done, t.Err = r.done, r.err
	if r.service != nil && !t.Done && r.service.ExitFailure() != nil {
		t.Done, t.Err = true, errors.New("the service has ended: "+r.service.ExitFailure().Text)
		go func() { _ = r.Stop() }()
	}
	return t
}

// Stop ends the recording.
func (r *recorder) Stop() error {
	r.stop.Do(func() {
		err := r.close()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.done, r.err = true, err
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *recorder) close() (err error) {
	if r.monitor != nil {
		r.monitor.Close()
		err = r.monitor.SinkError()
	}
	r.options.Network.Flush()
	if r.service != nil {
		r.service.Stop()
	}
	err = errors.Join(err, r.options.Network.EndUnits())
	r.options.Network.Close()
	return errors.Join(err, r.disk.Close())
}

// Folder returns the folder of the recording.
func (r *recorder) Folder() string { return r.options.Folder }

// Command returns the command that makes the same recording.
func (r *recorder) Command() string { return r.command }
