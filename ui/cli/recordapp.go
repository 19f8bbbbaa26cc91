package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/client"
	"sonde/runner/record"
	"sonde/runner/sut"
	"sonde/ui/tui/screen"
)

// recordings hand the app what it needs to record and to make tests of that.
func (w *wiring) recordings() screen.Recordings {
	return screen.Recordings{
		Start: w.record,
		Open:  func(_ context.Context, dir string) (model.Recording, error) { return codec.OpenRecording(dir) },
		Tests: w.mimicTests, Preview: w.mimicPreview, Write: w.mimicWrite, Mimic: w.mimicPlay,
	}
}

// record begins to record as the app's form says.
func (w *wiring) record(ctx context.Context, how screen.Watch) (screen.Recorder, error) {
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
func (w *wiring) recordFlags(how screen.Watch) (*recordFlags, *model.Spec, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spec == nil {
		return nil, nil, errNoService
	}
	f := &recordFlags{
		spec: w.source, in: texts(how.In), out: texts(how.Out), serial: how.Serial, trust: w.sending.trust, credentials: w.sending.credentials, hosts: w.hosts,
		folder: how.Folder, force: how.Force, masks: how.Masks, sampling: record.Sampling{First: how.First}, config: w.config, service: w.service,
	}
	f.service.start = unprobed(w.config.Service)
	f.network.off = !how.Build
	if how.Build {
		f.builds()
	}
	if err := f.choose(); err != nil {
		return nil, nil, err
	}
	spec, err := w.config.scoped(w.spec)
	return f, spec, err
}

// builds has the service built, with a network that shows all that it sends.
func (f *recordFlags) builds() {
	f.in, f.service.url = nil, f.config.URL
	if f.service.name == demoSource {
		f.demo, f.network.on, f.service = true, true, demoAt("")
	}
}

// texts are ways as they are given on a command line.
func texts(ways []screen.Way) (all []string) {
	for _, w := range ways {
		all = append(all, w.Addr+"="+w.URL)
	}
	return all
}

// commandOf is what to type for the same.
func commandOf(f *recordFlags) string {
	line := []string{"sonde", "record", "--spec", quote(f.spec)}
	if f.spec == demoSource {
		line = []string{"sonde", "record", "--demo"}
	}
	for _, in := range f.in {
		line = append(line, "--in", quote(in))
	}
	for _, out := range f.out {
		line = append(line, "--out", quote(out))
	}
	for _, flag := range []struct {
		name string
		on   bool
	}{{"--net", f.network.on}, {"--no-net", f.network.off && f.config.builds()}, {"--serial", f.serial}} {
		if flag.on {
			line = append(line, flag.name)
		}
	}
	for _, word := range append(f.trust.flags(), f.credentials.flags()...) {
		line = append(line, quote(word))
	}
	for _, m := range f.masks {
		line = append(line, "--mask", quote(m))
	}
	if f.sampling.First > 0 {
		line = append(line, "--first", strconv.Itoa(f.sampling.First))
	}
	return strings.Join(append(line, "-o", quote(f.folder)), " ")
}

// recorder is a recording that the app began.
type recorder struct {
	*tape
	flags   *recordFlags
	command string
	disk    *codec.Recorder
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
	out, err := f.behind()
	if err != nil {
		return err
	}
	_, choice, err := f.scope.of(spec, f.config.Scope)
	if err != nil {
		return err
	}
	in, err := f.before()
	if err != nil {
		return err
	}
	if err := f.reachable(ctx, in); err != nil {
		return err
	}
	masks, err := record.ParseMasks(f.masks)
	if err != nil {
		return fmt.Errorf("masks: %w", err)
	}
	header := f.header(spec, masks)
	header.Command = r.command
	r.disk, err = codec.Record(f.folder, header, f.force)
	if err != nil {
		return err
	}
	r.tape = newTape(r.disk, spec.Title, f.service.url)
	err = r.listen(ctx, record.Options{
		Spec: spec, Out: out, Serial: f.serial, Insecure: f.insecure, TLS: f.secure, Sink: r.tape, Masks: masks, Choice: choice, Sampling: f.sampling, Callers: client.NewCallers(f.service.users),
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
	r.service, err = r.flags.started(ctx, r.monitor, nil)
	if err != nil {
		return err
	}
	return r.flags.standBefore(r.monitor, r.service, in)
}

// Snapshot is what was recorded so far.
func (r *recorder) Snapshot() screen.Traffic {
	t := r.traffic()
	for _, l := range r.monitor.Listening() {
		way := screen.Way{Addr: l.Addr, URL: l.To.String()}
		if l.Inward {
			t.In = append(t.In, way)
		} else {
			t.Out = append(t.Out, way)
		}
	}
	t.Under, t.Masked = r.monitor.Under(), r.monitor.Masked()
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
	r.flags.network.flush()
	if r.service != nil {
		r.service.Stop()
	}
	r.flags.network.close()
	return errors.Join(err, r.disk.Close())
}

// Folder is where the recording is kept.
func (r *recorder) Folder() string { return r.flags.folder }

// Command does the same from a shell.
func (r *recorder) Command() string { return r.command }
