package cli

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
	"sonde/runner/mimic"
	"sonde/ui/tui/screen"
)

// mimicked is what the app knows of the tests that it made of recordings.
type mimicked struct {
	last    *generation
	users   []model.User          // of all of them
	learned map[string]model.Test // that were played, by their exchanges
}

// generation is sonde generate for some exchanges.
func (w *wiring) generation(of screen.Recorded) (*generation, *model.Spec, error) {
	rec, err := codec.OpenRecording(of.Folder)
	if err != nil {
		return nil, nil, err
	}
	spec, err := w.config.scoped(w.document())
	if err != nil {
		return nil, nil, err
	}
	if rec.Service == nil {
		w.config.lend(&rec)
	}
	f := &generateFlags{dir: of.Dir, together: of.Together, runs: mimicRuns, choice: mimic.Options{Exchanges: of.IDs}}
	if len(of.Oracles) < len(model.MockOracles) {
		for _, o := range of.Oracles {
			f.oracles = append(f.oracles, string(o))
		}
	}
	return &generation{generateFlags: f, rec: rec, source: of.Folder, oracles: of.Oracles, made: mimic.Tests(rec, spec, f.choice)}, spec, nil
}

// mimicTests makes a test of each exchange. What was learned of one when it was played
// stays.
func (w *wiring) mimicTests(_ context.Context, of screen.Recorded) (screen.Mimics, error) {
	g, _, err := w.generation(of)
	if err != nil {
		return screen.Mimics{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mimics.last, w.mimics.users = g, joined(w.mimics.users, g.made.Users)
	m := screen.Mimics{Without: map[string]string{}, Command: g.command()}
	for _, t := range g.made.Tests {
		if l, ok := w.mimics.learned[t.Mimic.Exchange]; ok {
			t = l
		}
		m.Tests = append(m.Tests, t)
	}
	for _, x := range g.made.Skipped {
		m.Without[x.Exchange] = x.Why
	}
	return m, nil
}

func (w *wiring) mimicPreview(of screen.Recorded, tests []model.Test) (string, error) {
	g, _, err := w.generation(of)
	if err != nil {
		return "", err
	}
	files, err := format.Named("go")
	if err != nil {
		return "", err
	}
	made, err := files.Make(placed(g.suite(tests), of.Dir))
	if err != nil {
		return "", g.recordAgain(err)
	}
	return string(made.Text), nil
}

func (w *wiring) mimicWrite(of screen.Recorded, tests []model.Test, force bool) (string, error) {
	for _, there := range []string{export.FileName, suiteFolder} {
		if _, err := os.Stat(filepath.Join(of.Dir, there)); err == nil && !force {
			return "", fs.ErrExist
		}
	}
	g, spec, err := w.generation(of)
	if err != nil {
		return "", err
	}
	g.made.Tests, g.force = tests, force
	if err := g.write(spec); err != nil {
		return "", g.recordAgain(err)
	}
	return append(g.files, of.Dir)[0], nil
}

// mimicPlay has tests learn from replays, plays them ten times, writes them again, and
// returns what sonde generate prints.
func (w *wiring) mimicPlay(ctx context.Context, of screen.Recorded, tests []model.Test) (string, error) {
	g, spec, err := w.generation(of)
	if err != nil {
		return "", err
	}
	if w.config.Service == nil && len(recordedCommands(of.Folder, g.rec, whole("."))) > 0 {
		return "", fmt.Errorf("recording %q was made outside this folder, and says what to start: see what with sonde generate %s", of.Folder, quote(of.Folder))
	}
	var out bytes.Buffer
	g.made.Tests, g.force, g.streams = tests, true, streams{out: &out, err: &out}
	if err := g.try(ctx); err != nil {
		return "", err
	}
	w.mu.Lock()
	if w.mimics.learned == nil {
		w.mimics.learned = map[string]model.Test{}
	}
	for _, t := range g.made.Tests {
		w.mimics.learned[t.Mimic.Exchange] = t
	}
	w.mu.Unlock()
	if err := g.write(spec); err != nil {
		return "", g.recordAgain(err)
	}
	err = g.report()
	return out.String(), err
}

// asRecorded is the suite of tests of which some were made of a recording: the service
// is started as that says.
func (w *wiring) asRecorded(tests []model.Test) (export.Suite, bool) {
	for _, t := range tests {
		if t.Mimic != nil && w.mimics.last != nil {
			g := *w.mimics.last
			g.oracles, g.made.Users = nil, joined(w.mimics.users, w.service.users)
			s := g.suite(tests)
			s.Command = ""
			return s, true
		}
	}
	return export.Suite{}, false
}
