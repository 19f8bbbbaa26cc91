package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/home"
	"sonde/ui/tui"
	"sonde/ui/tui/screen"
)

// show is the app on the wiring's spec: as it was left the last time, and remembered. It
// is no app, but lines, where those are asked for.
func (w *wiring) show(ctx context.Context, host screen.Host) error {
	if w.plain {
		return w.tellAll(ctx)
	}
	h := w.home
	state, err := home.ReadState(w.memory)
	switch {
	case err == nil && h.Tour == screen.NoTour && w.memory != "" && w.source != "-" && len(state.Specs) == 0: // nothing was open yet
		h.Tour = screen.TourOffered
	case err != nil:
		h.Wrong = append(h.Wrong, screen.Trouble{File: w.memory, Problem: model.Problem{Text: err.Error()}})
	}
	spec, _ := state.Spec(w.remembered())
	h.Place = spec.Place
	if w.source != "-" {
		h.Keep = w.rememberPlace
	}
	return tui.Run(ctx, w.engine(), host, h, w.source)
}

// rememberPlace remembers where a person is in the spec.
func (w *wiring) rememberPlace(title string, p home.Place) error {
	return w.remember(func(s *home.State) {
		s.PutSpec(home.Spec{Source: w.remembered(), Title: title, When: now(), Place: p})
	})
}

// remembered is the spec's name in what is remembered.
func (w *wiring) remembered() string {
	if w.source == demoSource || w.source == "-" {
		return w.source
	}
	return home.Source(w.source)
}

// remember changes what is remembered, where there is a place for it.
func (w *wiring) remember(change func(*home.State)) error {
	if w.memory == "" {
		return nil
	}
	if err := home.Change(w.memory, change); !errors.Is(err, home.ErrNewer) { // which show has said
		return err
	}
	return nil
}

// rememberRun adds a search to those of late.
func (w *wiring) rememberRun(folder string) {
	_ = w.remember(begun(folder, w.spec.Title)) // the search is there all the same
}

// begun adds a search to those of late.
func begun(folder, title string) func(*home.State) {
	run := home.Run{Folder: whole(folder), Title: title, When: now()}
	return func(s *home.State) { s.PutRun(run) }
}

// rememberSearch adds a search that was begun without the app, in a folder that the
// person named.
func rememberSearch(folder, title string) {
	if file := memory(); file != "" && folder != "" {
		_ = home.Change(file, begun(folder, title)) // the search is there all the same
	}
}

func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// memory is the file of what is remembered, "" where there is no place for it.
func memory() string {
	file, _ := home.StateFile() // nothing is remembered then
	return file
}

// recent is what is remembered and still there, but for the demo.
func recent() (specs []home.Spec, runs []home.Run) {
	state, _ := home.ReadState(memory()) // the app says what is wrong with it
	for _, s := range state.Specs {
		if s.Source != demoSource && (strings.Contains(s.Source, "://") || exists(s.Source)) {
			specs = append(specs, s)
		}
	}
	for _, r := range state.Runs {
		if exists(filepath.Join(r.Folder, "run.json")) {
			runs = append(runs, r)
		}
	}
	return specs, runs
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
