package app

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

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
	"sonde/ui/app/usecase"
	"sonde/ui/results"
)

// testGenerator makes tests from recordings. Listing, previewing, writing and playing the tests of the same
// exchanges use the same generated suite, until the recording, the spec or the users change.
type testGenerator struct {
	session *session
	leaving context.Context // ends with the workspace
	playing sync.Mutex      // held while tests are played

	mu     sync.Mutex
	latest *generatedSuite
	listed map[string]*generation.Generation // folder of a recording → its generation that was listed last
	users  []model.User                      // users of all listed generations
	played map[string]model.Test             // exchange → its test, with changes from replays
}

// generatedSuite has the tests of some exchanges of a recording.
type generatedSuite struct {
	key  string
	spec *model.Spec
	rec  model.Recording
	made generate.Suite
}

// suiteKey returns a text that changes whenever the generated suite could change.
func suiteKey(of usecase.GenerateRequest, now openSpec) string {
	files, _ := filepath.Glob(filepath.Join(of.Folder, "*")) // OpenRecording reports errors
	return fmt.Sprintf("%q %d %q\n%s", of.Folder, now.version, of.IDs, paths.FileStamp(files))
}

// suite returns the tests of some exchanges. If the key is unchanged, it returns the latest suite;
// otherwise it reads the recording again.
func (g *testGenerator) suite(of usecase.GenerateRequest) (*generatedSuite, error) {
	now := g.session.state()
	key := suiteKey(of, now)
	g.mu.Lock()
	latest := g.latest
	g.mu.Unlock()
	if latest != nil && latest.key == key {
		return latest, nil
	}
	rec, err := codec.OpenRecording(of.Folder)
	if err != nil {
		return nil, err
	}
	spec, err := now.config.FilterOperations(now.spec)
	if err != nil {
		return nil, err
	}
	if rec.Service == nil {
		now.config.CompleteRecording(&rec)
	}
	made := generation.Tests(rec, of.Folder, spec, generate.Options{Exchanges: of.IDs})
	latest = &generatedSuite{key: key, spec: spec, rec: rec, made: made}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.latest = latest
	return latest, nil
}

// generation returns the spec and a generation for some exchanges, like sonde generate.
func (g *testGenerator) generation(of usecase.GenerateRequest) (*generation.Generation, *model.Spec, error) {
	shared, err := g.suite(of)
	if err != nil {
		return nil, nil, err
	}
	o := &generation.Options{
		Dir:      of.Dir,
		Together: of.OneFunction,
		Runs:     generation.DefaultRuns,
		Choice:   generate.Options{Exchanges: of.IDs},
	}
	if len(of.Oracles) < len(model.MockOracles) {
		for _, name := range of.Oracles {
			o.Oracles = append(o.Oracles, string(name))
		}
	}
	return &generation.Generation{
		Options:   o,
		Recording: shared.rec,
		Source:    of.Folder,
		Oracles:   of.Oracles,
		Generated: shared.made,
	}, shared.spec, nil
}

// list makes tests for the exchanges that the request selects, if possible. A test that was played has the
// changes from its replays.
func (g *testGenerator) list(_ context.Context, of usecase.GenerateRequest) (usecase.GeneratedTests, error) {
	made, _, err := g.generation(of)
	if err != nil {
		return usecase.GeneratedTests{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.users = service.MergeUsers(g.users, made.Generated.Users)
	if g.listed == nil {
		g.listed = map[string]*generation.Generation{}
	}
	g.listed[paths.Absolute(of.Folder)] = made
	m := usecase.GeneratedTests{Skipped: map[string]string{}, Command: made.Command()}
	for _, t := range made.Generated.Tests {
		if learned, ok := g.played[t.Mock.Exchange]; ok {
			t = learned
		}
		m.Tests = append(m.Tests, t)
	}
	for _, x := range made.Generated.Skipped {
		m.Skipped[x.Exchange] = x.Why
	}
	return m, nil
}

// preview returns the test file that write would write.
func (g *testGenerator) preview(of usecase.GenerateRequest, tests []model.Test) (string, error) {
	made, _, err := g.generation(of)
	if err != nil {
		return "", err
	}
	files, err := format.Named("go")
	if err != nil {
		return "", err
	}
	file, err := files.Generate(suite.RelocatePaths(made.Suite(tests), of.Dir))
	if err != nil {
		return "", made.ExplainError(err)
	}
	return string(file.Text), nil
}

// write writes the tests and a run of them. It returns the path of the test file, or the folder if
// there is no test file. It returns fs.ErrExist if the folder already has a test file or a run, unless force is
// set.
func (g *testGenerator) write(of usecase.GenerateRequest, tests []model.Test, force bool) (string, error) {
	for _, there := range []string{export.TestsFileName, generation.RunFolder} {
		if _, err := os.Stat(filepath.Join(of.Dir, there)); err == nil && !force {
			return "", fs.ErrExist
		}
	}
	made, spec, err := g.generation(of)
	if err != nil {
		return "", err
	}
	made.Generated.Tests, made.Force = tests, force
	if err := made.Write(spec); err != nil {
		return "", made.ExplainError(err)
	}
	return append(made.Files, of.Dir)[0], nil
}

// play replays tests to find values that change, plays them DefaultRuns times, writes them again, and
// returns the report that sonde generate prints.
func (g *testGenerator) play(ctx context.Context, of usecase.GenerateRequest, tests []model.Test) (string, error) {
	made, spec, err := g.generation(of)
	if err != nil {
		return "", err
	}
	configured := g.session.state().config.Service != nil
	if !configured && len(service.RecordedCommands(of.Folder, made.Recording, paths.Absolute("."))) > 0 {
		return "", fmt.Errorf(
			"recording %q was made outside this folder, and says which commands to start: list them with sonde generate %s",
			of.Folder, command.Quote(of.Folder),
		)
	}
	made.Generated.Tests, made.Force = tests, true
	g.playing.Lock()
	defer g.playing.Unlock()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(g.leaving, stop)()
	if err := made.RunTests(ctx); err != nil {
		return "", err
	}
	g.learn(made.Generated.Tests)
	if err := made.Write(spec); err != nil {
		return "", made.ExplainError(err)
	}
	var out bytes.Buffer
	results.PrintGenerate(&out, made.Report(spec))
	return out.String(), nil
}

// rest waits until no tests are played. The workspace must have ended.
func (g *testGenerator) rest() {
	g.playing.Lock()
	defer g.playing.Unlock()
}

// learn stores the changes that replays made to tests.
func (g *testGenerator) learn(tests []model.Test) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.played == nil {
		g.played = map[string]model.Test{}
	}
	for _, t := range tests {
		g.played[t.Mock.Exchange] = t
	}
}

// suiteOf returns a suite of tests for an export, with the service of the recording in a folder. At least one of the
// tests comes from this recording. suiteOf returns false if the tests of the recording were not listed before.
func (g *testGenerator) suiteOf(folder string, tests []model.Test) (export.Suite, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	listed, ok := g.listed[folder]
	if !ok {
		return export.Suite{}, false
	}
	made := *listed
	made.Oracles, made.Generated.Users = nil, service.MergeUsers(g.users, g.session.state().service.Users)
	s := made.Suite(tests)
	s.Command = ""
	return s, true
}
