package commandlog

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// fakeRun is a search, and fakeRecorder is a recording, of which the log reads only the folder and the command.
type (
	fakeRun      struct{ usecase.SearchRun }
	fakeRecorder struct{ usecase.Recorder }
)

func (fakeRun) Folder() string       { return "run" }
func (fakeRun) Command() string      { return "sonde search" }
func (fakeRecorder) Folder() string  { return "rec" }
func (fakeRecorder) Command() string { return "sonde record" }

var errRefused = errors.New("refused")

// engine returns use cases that do nothing and return err.
func engine(err error) screen.Engine {
	sent := usecase.SendResult{PlayedTest: model.PlayedTest{Exchanges: []model.Exchange{{}, {}}}}
	return screen.Engine{
		Specs: usecase.SpecFiles{Load: func(context.Context, string) (*model.Spec, error) { return nil, err }},
		Searches: usecase.Searches{
			Start: func(context.Context, usecase.SearchSettings) (usecase.SearchRun, error) { return fakeRun{}, err },
			Open: func(context.Context, string) (usecase.PastSearch, model.Snapshot, error) {
				return usecase.PastSearch{}, model.Snapshot{}, err
			},
		},
		Seqs: usecase.SeqCalls{
			Realise: func(context.Context, model.Seq, usecase.Surroundings) (model.Test, error) { return model.Test{}, err },
			Replay:  func(context.Context, model.Test, usecase.Surroundings) (model.Test, error) { return model.Test{}, err },
			Step: func(context.Context, model.Test, int, usecase.Surroundings) (usecase.SendResult, error) {
				return sent, err
			},
			List: func(context.Context, usecase.ListingSettings) (usecase.ListingRun, error) { return nil, err },
		},
		Manual: usecase.ManualCalls{
			Send:     func(context.Context, model.Test, usecase.Surroundings) (usecase.SendResult, error) { return sent, err },
			KeepSent: func(context.Context, usecase.Surroundings) (usecase.SendResult, error) { return sent, err },
			OpenWebSocket: func(context.Context, model.Test, usecase.Surroundings) (usecase.SendResult, error) {
				return sent, err
			},
		},
		Environments: screen.Environments{Use: func(context.Context, string) (screen.Service, []string, error) {
			return screen.Service{}, nil, err
		}},
		TestFiles: usecase.TestFiles{
			Write:        func(string, string, string, []model.Test, bool) (string, error) { return "", err },
			WritePicture: func(string, usecase.GraphPicture, bool) error { return err },
		},
		RequestFiles: usecase.RequestFiles{Save: func(usecase.SavedRequest, bool) (usecase.SaveResult, error) {
			return usecase.SaveResult{Command: "cat >> a.http", Notes: []string{"a fixed id"}}, err
		}},
		Recordings: usecase.Recordings{
			Start: func(context.Context, usecase.RecordSettings) (usecase.Recorder, error) { return fakeRecorder{}, err },
			Open:  func(context.Context, string) (model.Recording, error) { return model.Recording{}, err },
			Write: func(usecase.GenerateRequest, []model.Test, bool) (string, error) { return "", err },
			Generate: func(context.Context, usecase.GenerateRequest, []model.Test) (string, error) {
				return "", err
			},
		},
		Corrections: usecase.ValueCorrections{
			Put:    func(model.ValueCorrection) (string, error) { return "sonde.yaml", err },
			Remove: func(model.ValueCorrection) (string, error) { return "sonde.yaml", err },
		},
		UserLogins: usecase.UserLogins{
			Add:    func(model.UserForm) error { return err },
			Remove: func(string) error { return err },
			Write:  func(string) (string, []string, error) { return "sonde.yaml", nil, err },
		},
		Commands: usecase.Commands{
			Read:          func(source string) string { return "sonde check " + source },
			Send:          func(model.Exchange) string { return "curl x" },
			Replay:        func(t model.Test) string { return "sonde export --pick " + t.ID },
			List:          func(usecase.ListingSettings) string { return "sonde seqs" },
			Export:        func(string, string, string, []model.Test) string { return "sonde export run" },
			Generate:      func(usecase.GenerateRequest) string { return "sonde generate rec" },
			OpenRun:       func(folder string) string { return "sonde --run " + folder },
			OpenRecording: func(folder string) string { return "sonde --rec " + folder },
		},
	}
}

// do calls all use cases of an engine once.
func do(e screen.Engine) {
	ctx, t, tests := context.Background(), model.Test{ID: "t1", Calls: []model.Call{{Op: "GET /a"}, {Op: "GET /b"}}}, []model.Test{{}}
	seq := model.Seq{"GET /a"}
	_, _ = e.Specs.Load(ctx, "shop.yaml")
	_, _ = e.Searches.Start(ctx, usecase.SearchSettings{})
	_, _ = e.Searches.Start(ctx, usecase.SearchSettings{ResumeFolder: "run"})
	_, _, _ = e.Searches.Open(ctx, "old")
	_, _ = e.Seqs.Realise(ctx, seq, usecase.Surroundings{})
	_, _ = e.Seqs.Replay(ctx, t, usecase.Surroundings{})
	_, _ = e.Seqs.Step(ctx, t, 0, usecase.Surroundings{})
	_, _ = e.Seqs.List(ctx, usecase.ListingSettings{})
	_, _ = e.Manual.Send(ctx, t, usecase.Surroundings{})
	_, _ = e.Manual.OpenWebSocket(ctx, t, usecase.Surroundings{})
	_, _ = e.Manual.KeepSent(ctx, usecase.Surroundings{})
	_, _, _ = e.Environments.Use(ctx, "staging")
	_, _ = e.TestFiles.Write("go", "fail", "dir", tests, false)
	_ = e.TestFiles.WritePicture("x/graph.svg", usecase.GraphPicture{}, false)
	_, _ = e.RequestFiles.Save(usecase.SavedRequest{Name: "A", File: "a.http"}, false)
	_, _ = e.Recordings.Start(ctx, usecase.RecordSettings{})
	_, _ = e.Recordings.Open(ctx, "rec")
	_, _ = e.Recordings.Write(usecase.GenerateRequest{Dir: "mimics"}, tests, false)
	_, _ = e.Recordings.Generate(ctx, usecase.GenerateRequest{}, tests)
	_, _ = e.Corrections.Put(model.ValueCorrection{})
	_, _ = e.Corrections.Remove(model.ValueCorrection{})
	_ = e.UserLogins.Add(model.UserForm{Name: "ann", Secret: "barley"})
	_ = e.UserLogins.Remove("ann")
	_, _, _ = e.UserLogins.Write("ann")
}

// Each action is logged with the command that does the same, or with none.
func TestWatch(t *testing.T) {
	l := New(noon)
	do(l.Watch(engine(nil)))
	want := []Entry{
		{Text: "read the spec", Command: "sonde check shop.yaml"},
		{Text: "search in run", Command: "sonde search"},
		{Text: "resume the search in run", Command: "sonde search"},
		{Text: "open the search in old", Command: "sonde --run old"},
		{Text: "find values for GET /a"},
		{Text: "replay t1 GET /b after 1 call", Command: "sonde export --pick t1"},
		{Text: "step through GET /b after 1 call", Command: "curl x\ncurl x"},
		{Text: "call seqs while they are listed", Command: "sonde seqs"},
		{Text: "send GET /b after 1 call", Command: "curl x\ncurl x"},
		{Text: "open a WebSocket by GET /b after 1 call"},
		{Text: "keep the last request as a test"},
		{Text: "switch to the environment staging"},
		{Text: "export 1 test as go to dir", Command: "sonde export run"},
		{Text: "write the picture graph.svg"},
		{Text: "save A in a.http; a fixed id", Command: "cat >> a.http"},
		{Text: "record to rec", Command: "sonde record"},
		{Text: "open the recording in rec", Command: "sonde --rec rec"},
		{Text: "generate 1 test in mimics", Command: "sonde generate rec"},
		{Text: "play 1 generated test", Command: "sonde generate rec"},
		{Text: "correct a value in sonde.yaml"},
		{Text: "remove a correction from sonde.yaml"},
		{Text: "add the user ann"},
		{Text: "remove the user ann"},
		{Text: "write the user ann to sonde.yaml"},
	}
	got, _ := l.Entries()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Entry{}, "At")); diff != "" {
		t.Error(diff)
	}
}

// An action that failed is logged as such. A file that exists is not, because the user is asked first.
func TestWatchFailures(t *testing.T) {
	l := New(noon)
	do(l.Watch(engine(errRefused)))
	all, _ := l.Entries()
	for _, e := range all {
		if !e.Failed {
			t.Errorf("%q did not fail", e.Text)
		}
	}
	if len(all) != 24 {
		t.Errorf("%d actions, want 24", len(all))
	}
	l = New(noon)
	e := l.Watch(engine(fs.ErrExist))
	_, _ = e.TestFiles.Write("go", "fail", "dir", nil, false)
	_ = e.TestFiles.WritePicture("graph.svg", usecase.GraphPicture{}, false)
	_, _ = e.RequestFiles.Save(usecase.SavedRequest{}, false)
	_, _ = e.Recordings.Write(usecase.GenerateRequest{}, nil, false)
	_, _ = e.Recordings.Start(context.Background(), usecase.RecordSettings{})
	if all, _ := l.Entries(); len(all) != 0 {
		t.Errorf("logged %v", all)
	}
}

// Use cases that are missing stay missing, and commands that are missing do no harm.
func TestWatchWithout(t *testing.T) {
	l := New(noon)
	if e := l.Watch(screen.Engine{}); e.Specs.Load != nil || e.UserLogins.Add != nil || e.Recordings.Write != nil {
		t.Error("a missing use case is there")
	}
	e := engine(nil)
	e.Commands = usecase.Commands{}
	do(l.Watch(e))
	if all, _ := l.Entries(); len(all) != 24 || all[0].Command != "" {
		t.Errorf("logged %v", all)
	}
}
