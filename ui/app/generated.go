package app

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/runner/replay/generate"
	"sonde/ui/app/command"
	"sonde/ui/app/generation"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
	"sonde/ui/results"
	"sonde/ui/tui/screen"
)

// generatedTests are the tests that were made of recordings.
type generatedTests struct {
	latest  *generatedSuite
	sources map[string]*generation.Generation // what each test comes from, by its exchange
	users   []model.User                      // of all of them
	learned map[string]model.Test             // that were played, by their exchanges
}

// generatedSuite is what exchanges of a recording became. List, preview, write and play
// share it until the recording, the spec or the users change.
type generatedSuite struct {
	key  string
	spec *model.Spec
	rec  model.Recording
	made generate.Suite
}

// suiteKey changes with all that a generated suite depends on, but for the users.
func suiteKey(of screen.GenerateRequest, spec *model.Spec) string {
	files, _ := filepath.Glob(filepath.Join(of.Folder, "*")) // OpenRecording says what is wrong
	return fmt.Sprintf("%q %p %q\n%s", of.Folder, spec, of.IDs, paths.Stamp(files))
}

// generatedSuite returns the tests of some exchanges, which are made once.
func (w *Workspace) generatedSuite(of screen.GenerateRequest) (*generatedSuite, error) {
	open := w.document()
	key := suiteKey(of, open)
	w.mu.Lock()
	latest := w.mimics.latest
	w.mu.Unlock()
	if latest != nil && latest.key == key {
		return latest, nil
	}
	rec, err := codec.OpenRecording(of.Folder)
	if err != nil {
		return nil, err
	}
	spec, err := w.Config.Scoped(open)
	if err != nil {
		return nil, err
	}
	if rec.Service == nil {
		w.Config.Complete(&rec)
	}
	made := generate.Tests(rec, spec, generate.Options{Exchanges: of.IDs})
	latest = &generatedSuite{key: key, spec: spec, rec: rec, made: made}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mimics.latest = latest
	return latest, nil
}

// generation is sonde generate for some exchanges.
func (w *Workspace) generation(of screen.GenerateRequest) (*generation.Generation, *model.Spec, error) {
	shared, err := w.generatedSuite(of)
	if err != nil {
		return nil, nil, err
	}
	f := &generation.Options{Dir: of.Dir, Together: of.OneFunction, Runs: generation.DefaultRuns, Choice: generate.Options{Exchanges: of.IDs}}
	if len(of.Oracles) < len(model.MockOracles) {
		for _, o := range of.Oracles {
			f.Oracles = append(f.Oracles, string(o))
		}
	}
	return &generation.Generation{
		Options: f,
		Rec:     shared.rec,
		Source:  of.Folder,
		Oracles: of.Oracles,
		Made:    shared.made,
	}, shared.spec, nil
}

// mimicTests makes a test of each exchange. What was learned of one when it was played
// stays.
func (w *Workspace) mimicTests(_ context.Context, of screen.GenerateRequest) (screen.GeneratedTests, error) {
	g, _, err := w.generation(of)
	if err != nil {
		return screen.GeneratedTests{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mimics.users = service.JoinUsers(w.mimics.users, g.Made.Users)
	if w.mimics.sources == nil {
		w.mimics.sources = map[string]*generation.Generation{}
	}
	m := screen.GeneratedTests{Skipped: map[string]string{}, Command: g.Command()}
	for _, t := range g.Made.Tests {
		w.mimics.sources[t.Mock.Exchange] = g
		if l, ok := w.mimics.learned[t.Mock.Exchange]; ok {
			t = l
		}
		m.Tests = append(m.Tests, t)
	}
	for _, x := range g.Made.Skipped {
		m.Skipped[x.Exchange] = x.Why
	}
	return m, nil
}

func (w *Workspace) mimicPreview(of screen.GenerateRequest, tests []model.Test) (string, error) {
	g, _, err := w.generation(of)
	if err != nil {
		return "", err
	}
	files, err := format.Named("go")
	if err != nil {
		return "", err
	}
	made, err := files.Make(suite.Relocate(g.Suite(tests), of.Dir))
	if err != nil {
		return "", g.Explain(err)
	}
	return string(made.Text), nil
}

func (w *Workspace) mimicWrite(of screen.GenerateRequest, tests []model.Test, force bool) (string, error) {
	for _, there := range []string{export.FileName, generation.RunFolder} {
		if _, err := os.Stat(filepath.Join(of.Dir, there)); err == nil && !force {
			return "", fs.ErrExist
		}
	}
	g, spec, err := w.generation(of)
	if err != nil {
		return "", err
	}
	g.Made.Tests, g.Force = tests, force
	if err := g.Write(spec); err != nil {
		return "", g.Explain(err)
	}
	return append(g.Files, of.Dir)[0], nil
}

// mimicPlay has tests learn from replays, plays them ten times, writes them again, and
// returns what sonde generate prints.
func (w *Workspace) mimicPlay(ctx context.Context, of screen.GenerateRequest, tests []model.Test) (string, error) {
	g, spec, err := w.generation(of)
	if err != nil {
		return "", err
	}
	if w.Config.Service == nil && len(service.RecordedCommands(of.Folder, g.Rec, paths.Abs("."))) > 0 {
		return "", fmt.Errorf(
			"recording %q was made outside this folder, and says what to start: see what with sonde generate %s",
			of.Folder, command.Quote(of.Folder),
		)
	}
	var out bytes.Buffer
	g.Made.Tests, g.Force = tests, true
	if err := g.Try(ctx); err != nil {
		return "", err
	}
	w.mu.Lock()
	if w.mimics.learned == nil {
		w.mimics.learned = map[string]model.Test{}
	}
	for _, t := range g.Made.Tests {
		w.mimics.learned[t.Mock.Exchange] = t
	}
	w.mu.Unlock()
	if err := g.Write(spec); err != nil {
		return "", g.Explain(err)
	}
	results.PrintGenerate(&out, results.NewGenerateReport(g))
	return out.String(), nil
}

// asRecorded is the suite of tests of which some were made of a recording: the service
// is started as that says.
func (w *Workspace) asRecorded(tests []model.Test) (export.Suite, bool) {
	for _, t := range tests {
		if t.Mock == nil || w.mimics.sources[t.Mock.Exchange] == nil {
			continue
		}
		g := *w.mimics.sources[t.Mock.Exchange]
		g.Oracles, g.Made.Users = nil, service.JoinUsers(w.mimics.users, w.Service.Users)
		s := g.Suite(tests)
		s.Command = ""
		return s, true
	}
	return export.Suite{}, false
}
