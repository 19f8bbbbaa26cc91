package app

import (
	"context"
	"errors"
	"fmt"
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
	"sonde/ui/tui/screen"
)

// recordings hand the app what it needs to record and to make tests of that.
func (w *Workspace) recordings() screen.Recordings {
	return screen.Recordings{
		Start: w.record,
		Open:  func(_ context.Context, dir string) (model.Recording, error) { return codec.OpenRecording(dir) },
		Tests: w.mimicTests, Preview: w.mimicPreview, Write: w.mimicWrite, Generate: w.mimicPlay,
	}
}

// record begins to record as the app's form says.
func (w *Workspace) record(ctx context.Context, how screen.RecordSettings) (screen.Recorder, error) {
	f, spec, err := w.recordFlags(how)
	if err != nil {
		return nil, err
	}
	r := &recorder{flags: f, command: commandOf(f)}
	if err := r.begin(ctx, spec); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recorders = append(w.recorders, r)
	return r, nil
}

// recordFlags are the flags of sonde record that do the same.
func (w *Workspace) recordFlags(how screen.RecordSettings) (*recording.Options, *model.Spec, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spec == nil {
		return nil, nil, errNoService
	}
	f := &recording.Options{
		Spec:        w.Source,
		In:          texts(how.In),
		Out:         texts(how.Out),
		Serial:      how.Serial,
		Trust:       w.Sending.Trust,
		Credentials: w.Sending.Credentials,
		AllowHosts:  w.AllowHosts,
		Folder:      how.Folder,
		Force:       how.Force,
		Masks:       how.Masks,
		Sampling:    record.Sampling{First: how.First},
		Config:      w.Config,
		Service:     w.Service,
	}
	f.Service.Start = service.WithoutProbes(w.Config.Service)
	f.Network.Off = !how.Build
	if how.Build {
		f.UseBuild()
	}
	if err := f.ChooseNetwork(); err != nil {
		return nil, nil, err
	}
	spec, err := w.Config.Scoped(w.spec)
	return f, spec, err
}

// texts are ways as they are given on a command line.
func texts(ways []screen.ProxyRoute) (all []string) {
	for _, w := range ways {
		all = append(all, w.Addr+"="+w.URL)
	}
	return all
}

// commandOf is what to type for the same.
func commandOf(f *recording.Options) string {
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
	for _, flag := range []struct {
		name string
		on   bool
	}{{"--net", f.Network.On}, {"--no-net", f.Network.Off && f.Config.Builds()}, {"--serial", f.Serial}} {
		if flag.on {
			line = append(line, flag.name)
		}
	}
	for _, word := range append(f.Trust.Flags(), f.Credentials.Flags()...) {
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

// recorder is a recording that the app began.
type recorder struct {
	*tape
	flags   *recording.Options
	command string
	disk    *codec.RecordingWriter
	monitor *record.Monitor
	service sut.Service // nil where somebody else started it

	stop sync.Once
	mu   sync.Mutex
	done bool
	err  error // of the end
}

// begin stands before the service and behind it.
func (r *recorder) begin(ctx context.Context, spec *model.Spec) (err error) {
	f := r.flags
	out, err := f.Outward()
	if err != nil {
		return err
	}
	_, choice, err := f.Scope.Operations(spec, f.Config.Scope)
	if err != nil {
		return err
	}
	in, err := f.Inward()
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
	err = r.listen(ctx, record.Options{
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
	}, in)
	if err != nil {
		_ = r.Stop() // what went wrong first says more
	}
	return err
}

// listen begins to listen, and starts the service if that is ours to do.
func (r *recorder) listen(ctx context.Context, o record.Options, in []string) (err error) {
	r.monitor, err = record.New(o)
	if err != nil {
		return err
	}
	r.service, err = r.flags.StartService(ctx, r.monitor, nil)
	if err != nil {
		return err
	}
	return r.flags.Listen(r.monitor, r.service, in)
}

// Snapshot is what was recorded so far.
func (r *recorder) Snapshot() screen.RecordedTraffic {
	t := r.traffic()
	for _, l := range r.monitor.Listening() {
		way := screen.ProxyRoute{Addr: l.Addr, URL: l.To.String()}
		if l.Inward {
			t.In = append(t.In, way)
		} else {
			t.Out = append(t.Out, way)
		}
	}
	t.InFlight, t.Masked = r.monitor.InFlight(), r.monitor.MaskedSecrets()
	r.mu.Lock()
	defer r.mu.Unlock()
	t.Done, t.Err = r.done, r.err
	if r.service != nil && !t.Done && r.service.Died() != nil {
		t.Done, t.Err = true, errors.New("the service has ended: "+r.service.Died().Text)
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
		err = r.monitor.Err()
	}
	r.flags.Network.Flush()
	if r.service != nil {
		r.service.Stop()
	}
	r.flags.Network.Close()
	return errors.Join(err, r.disk.Close())
}

// Folder is where the recording is kept.
func (r *recorder) Folder() string { return r.flags.Folder }

// Command does the same from a shell.
func (r *recorder) Command() string { return r.command }
