package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"sonde/export"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
)

// searches hand the app the searches that are kept on disk.
func (w *wiring) searches() screen.Searches {
	return screen.Searches{
		List: func(ctx context.Context) ([]screen.Past, error) { return pastOf(ctx, w.document()), nil },
		Open: func(_ context.Context, dir string) (screen.Past, model.Snapshot, error) {
			run, course, err := openPast(dir)
			if err != nil {
				return screen.Past{}, model.Snapshot{}, err
			}
			w.mu.Lock()
			w.past = &kept{whole(dir), run}
			w.mu.Unlock()
			return newPast(dir, run, course, w.document()), run.Snapshot(course), nil
		},
	}
}

// kept is a run that the app opened.
type kept struct {
	folder string
	codec.Run
}

// pastOf are the runs of late that are of a spec, those that can be read.
func pastOf(ctx context.Context, spec *model.Spec) (all []screen.Past) {
	_, runs := recent()
	for _, r := range runs {
		if spec == nil || r.Title != spec.Title || ctx.Err() != nil {
			continue
		}
		if run, course, err := openPast(r.Folder); err == nil {
			all = append(all, newPast(r.Folder, run, course, spec))
		}
	}
	return all
}

func openPast(dir string) (run codec.Run, course codec.Course, err error) {
	run, err = codec.Open(dir)
	if err == nil {
		course, err = codec.OpenCourse(dir)
	}
	return run, course, err
}

// newPast is a run in a folder as the app lists it.
func newPast(dir string, run codec.Run, course codec.Course, spec *model.Spec) screen.Past {
	p := screen.Past{
		Folder: whole(dir), Started: run.Started, Settings: settingsOf(run), Summary: run.Snapshot(course).Summary, Ended: course.Summary != nil,
		Other: spec != nil && spec.Hash != run.SpecHash, Command: run.Command,
	}
	p.Settings.White = p.Summary.Code != nil || run.Code != nil
	if len(run.Steers) > 0 {
		p.Command = commandLine([]string{"--replay", p.Folder})
	}
	return p
}

// settingsOf are the settings of a run. What is not in its header is in its arguments.
func settingsOf(run codec.Run) screen.Settings {
	f := newSearchFlags()
	c := &cobra.Command{}
	f.add(c)
	if err := c.ParseFlags(run.Args); err != nil { // of another release: the rest is as usual
		f = newSearchFlags()
	}
	return screen.Settings{
		Limits: run.Limits, Tuning: run.Tuning, Seed: run.Seed, Sampling: run.Sampling, Net: run.Net != nil,
		Workers: max(1, f.workers), Minimise: f.minimise,
	}
}

// ofRun are the operands that open the spec of the run in a folder: none for the demo.
func ofRun(dir string, run codec.Run) ([]string, error) {
	switch source := run.Spec; {
	case source == demoSource:
		return nil, nil
	case source == "" || source == "-":
		return nil, fmt.Errorf("run %q does not say where its spec is: name it, as in sonde SPEC --run %s", dir, quote(dir))
	case strings.Contains(source, "://") || filepath.IsAbs(source):
		return []string{source}, nil
	default:
		return []string{filepath.Join(run.Folder, source)}, nil
	}
}

// asKept is what sonde export writes of tests that are all of the run which was opened.
func (w *wiring) asKept(format string, tests []model.Test) (export.Suite, bool) {
	if w.past == nil {
		return export.Suite{}, false
	}
	for _, t := range tests {
		if !slices.ContainsFunc(w.past.Tests, func(k model.Test) bool { return same(k, t) }) {
			return export.Suite{}, false
		}
	}
	command := exportCommand(w.past.folder, ids(tests), "", formatArgs(format)...)
	s := surrounded(suiteOf(w.past.Header, tests, command), w.past.Net, false)
	s.Code = w.past.Code
	return s, true
}

// same tells that a test is still one that a run kept.
func same(kept, t model.Test) bool {
	return kept.ID == t.ID && reflect.DeepEqual(kept.Calls, t.Calls) && reflect.DeepEqual(kept.Stubs, t.Stubs)
}
