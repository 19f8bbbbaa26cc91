// Package app has the use cases of Sonde for an open spec: search its service, call it manually, record it,
// make tests from a recording, export tests, and manage users. Each use case is a type with its own state;
// a Workspace has one of each. The package draws nothing and parses no flags. Its subpackages have the use
// cases of single commands.
package app

import (
	"context"
	"errors"
	"sync"

	"sonde/export/format"
	"sonde/model"
	"sonde/ui/app/bodyfile"
	"sonde/ui/app/editor"
	"sonde/ui/app/requestlog"
	"sonde/ui/app/suite"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// Workspace is an open spec with all use cases for it and its service. Its methods may be called from any
// goroutine.
type Workspace struct {
	session  *session
	memory   memory
	leaving  context.Context // ends with the workspace
	leave    context.CancelFunc
	calling  *sync.Mutex
	search   *searcher
	manual   *manualCaller
	lister   *seqLister
	logins   *loginManager
	recorder *recorderSet
	replays  *testGenerator
	exporter *exporter

	environments *environmentSwitch
	requests     *requestFiles
}

// New returns a workspace, which ends with ctx or with Close.
func New(ctx context.Context, o Options) *Workspace {
	leaving, leave := context.WithCancel(ctx)
	w := &Workspace{
		session: newSession(o),
		memory:  memory{file: o.Memory, source: o.Source},
		leaving: leaving,
		leave:   leave,
		calling: &sync.Mutex{},
	}
	log := requestlog.New(w.memory.requestFolder(), w.memory.name())
	variables := &variableSet{session: w.session}
	w.manual = &manualCaller{session: w.session, calling: w.calling, leaving: leaving, log: log, variables: variables}
	w.search = &searcher{session: w.session, calling: w.calling, leaving: leaving, memory: w.memory, rest: w.manual.rest}
	w.lister = &seqLister{session: w.session, calling: w.calling, leaving: leaving, rest: w.manual.rest, busy: w.busy}
	w.manual.busy, w.search.busy = w.busy, w.busy
	w.logins = &loginManager{session: w.session, calling: w.calling, rest: w.manual.rest}
	w.requests = &requestFiles{session: w.session, logins: w.logins}
	w.recorder = &recorderSet{session: w.session}
	w.environments = &environmentSwitch{session: w.session, calling: w.calling, rest: w.manual.rest, busy: w.busyOrRecording}
	w.replays = &testGenerator{session: w.session, leaving: leaving}
	w.exporter = &exporter{session: w.session, search: w.search, manual: w.manual, generator: w.replays, variables: variables}
	return w
}

// Engine returns the functions that the screens call.
func (w *Workspace) Engine() screen.Engine {
	return screen.Engine{
		Environments: screen.Environments{All: w.environments.all, Use: w.environments.use},
		Specs:        usecase.SpecFiles{Load: w.Load, LoadOlder: w.olderVersion(), FileStamp: w.session.fileStamp, Edit: editor.Command},
		Searches: usecase.Searches{
			Start:         w.search.start,
			List:          w.search.earlier,
			Open:          w.search.open,
			DescribeFault: w.exporter.fault,
		},
		Seqs: usecase.SeqCalls{
			Prepare:  w.manual.prepare,
			Users:    w.logins.names,
			Requests: w.manual.requests,
			Realise:  w.manual.realise,
			Replay:   w.manual.replay,
			Step:     w.manual.step,
			List:     w.lister.start,
		},
		Manual: usecase.ManualCalls{
			Draft: w.manual.draft,

			DraftTemplate: w.manual.draftTemplate,

			UseVariables: w.manual.variables.allow,

			SeenValues:    w.manual.seenValues,
			Send:          w.manual.send,
			OpenWebSocket: w.manual.openWebSocket,

			Hosts:          w.manual.calledHosts,
			Sent:           w.manual.log.All,
			SentOperations: w.manual.sentOperations,
			KeepSent:       w.manual.keep,
			CurlCommand:    format.CurlCommand,
			Files: usecase.BodyFiles{
				Size:           bodyfile.Size,
				Read:           bodyfile.Read,
				Complete:       bodyfile.Complete,
				WriteTemporary: bodyfile.WriteTemporary,
				TakeTemporary:  bodyfile.TakeTemporary,
				Edit:           editor.Command,
			},
		},
		TestFiles: usecase.TestFiles{
			Formats:      formats(),
			FaultModes:   suite.FaultModes(),
			Preview:      w.exporter.preview,
			Compare:      w.exporter.compare,
			Write:        w.exporter.write,
			WritePicture: drawPicture,
		},
		RequestFiles: w.requests.all(),
		Recordings: usecase.Recordings{
			Start:     w.recorder.start,
			Open:      openRecording,
			Functions: recordedFunctions,
			Tests:     w.replays.list,
			Preview:   w.replays.preview,
			Write:     w.replays.write,
			Generate:  w.replays.play,
		},
		Corrections: usecase.ValueCorrections{
			Put:    valueCorrector{w.session}.put,
			Remove: valueCorrector{w.session}.remove,

			Observe: valueCorrector{w.session}.observe,
		},
		Commands: commandTwins{session: w.session, exporter: w.exporter}.all(),
		UserLogins: usecase.UserLogins{
			All:     w.logins.all,
			NewForm: w.logins.begin,
			Add:     w.logins.add,
			Remove:  w.logins.forget,
			Write:   w.logins.write,
		},
	}
}

// Load reads a spec and makes it the open one.
func (w *Workspace) Load(ctx context.Context, source string) (*model.Spec, error) {
	return w.session.load(ctx, source)
}

// olderVersion returns the function that reads the older version of the spec, or nil if the user gave none.
func (w *Workspace) olderVersion() func() (*model.Spec, error) {
	o := w.session.options
	if o.Against == "" {
		return nil
	}
	return func() (*model.Spec, error) { return w.session.read(w.leaving, o.Against) }
}

// busy returns the reason why the service cannot be used now: a search or a listing of seqs uses it.
func (w *Workspace) busy() error {
	switch {
	case w.search.running():
		return errBusy
	case w.lister.running():
		return errListing
	}
	return nil
}

// busyOrRecording is like busy, and a recording counts, too.
func (w *Workspace) busyOrRecording() error {
	if w.recorder.running() {
		return errRecording
	}
	return w.busy()
}

// errRecording is the error of a switch to another environment during a recording.
var errRecording = errors.New("a recording is running: stop it first")

// Close stops the service for manual calls, the search, the listing of seqs, the recordings, and tests that are being played. It
// waits until all results are written.
func (w *Workspace) Close() {
	w.leave()
	w.replays.rest()
	w.calling.Lock()
	defer w.calling.Unlock()
	w.manual.rest()
	w.search.stop()
	w.lister.stop()
	w.recorder.stop()
}
