package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sonde/model"

	"github.com/google/renameio/v2/maybe"
)

// Writer writes a run. It is for one goroutine.
type Writer struct {
	dir    string
	header Header
	events *os.File
}

// Create begins a run in a new or empty folder. With force a run that is there
// is replaced; anything else that is there is never touched.
func Create(dir string, h Header, force bool) (*Writer, error) {
	if err := prepare(dir, force); err != nil {
		return nil, err
	}
	h.Version = Version
	w := &Writer{dir: dir, header: h}
	// The suite comes first: should we be killed here, it is empty rather than
	// that of an older run.
	if err := errors.Join(w.Suite(nil), w.Faults(nil), w.Traffic(nil)); err != nil {
		return nil, err
	}
	if err := w.save(runFile, h); err != nil {
		return nil, err
	}
	var err error
	w.events, err = os.OpenFile(filepath.Join(dir, eventsFile), os.O_CREATE|os.O_WRONLY|os.O_TRUNC|os.O_APPEND, 0o644)
	return w, err
}

// Resume goes on with the run in a folder: what it holds stays, and limits may be
// new, and so the arguments.
func Resume(dir string, limits model.Limits, args []string) (*Writer, error) {
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, header: r.Header}
	w.header.Limits, w.header.Args = limits, args
	if w.events, err = reopen(filepath.Join(dir, eventsFile)); err != nil {
		return nil, fmt.Errorf("run %q cannot go on: %w", dir, err)
	}
	return w, w.save(runFile, w.header)
}

func prepare(dir string, force bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot make the folder %q: %w", dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("cannot read the folder %q: %w", dir, err)
	}
	if len(entries) == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, runFile)); err != nil {
		return fmt.Errorf("folder %q is not empty and holds no run: name another", dir)
	}
	if !force {
		return &occupied{dir}
	}
	return nil
}

// occupied is the error of a folder that holds a run.
type occupied struct{ dir string }

func (o *occupied) Error() string {
	return fmt.Sprintf("folder %q holds a run: name another, or replace it with --force", o.dir)
}

// Is lets the error count as fs.ErrExist.
func (o *occupied) Is(target error) bool { return target == fs.ErrExist }

// Event appends an event. A steer is kept in run.json, too.
func (w *Writer) Event(e model.Event) error {
	line, err := json.Marshal(struct {
		Event string      `json:"event"`
		Data  model.Event `json:"data"`
	}{kind(e), e})
	if err != nil {
		return err
	}
	if _, err := w.events.Write(append(line, '\n')); err != nil {
		return err
	}
	if t, ok := e.(model.Steered); ok {
		w.header.Steers = append(w.header.Steers, t)
		return w.save(runFile, w.header)
	}
	return nil
}

func kind(e model.Event) string {
	switch e.(type) {
	case model.Started:
		return "started"
	case model.Covered:
		return "covered"
	case model.Found:
		return "found"
	case model.Checked:
		return "checked"
	case model.Steered:
		return "steered"
	case model.Progress:
		return "progress"
	case model.Resumed:
		return "resumed"
	case model.Kept:
		return "kept"
	case model.Stopped:
		return "stopped"
	}
	return "note"
}

// Suite replaces the tests.
func (w *Writer) Suite(tests []model.Test) error {
	if tests == nil {
		tests = []model.Test{}
	}
	return w.save(SuiteFile, suite{Version, w.header.Title, w.header.SpecHash, tests})
}

// Faults replaces the faults.
func (w *Writer) Faults(all []model.Fault) error {
	if all == nil {
		all = []model.Fault{}
	}
	return w.save(FaultsFile, faults{Version, all})
}

// Traffic replaces what was sent and answered in the tests.
func (w *Writer) Traffic(played []model.Played) error {
	var b bytes.Buffer
	if err := newHAR(w.header, played).Write(&b); err != nil {
		return err
	}
	return w.place(trafficFile, b.Bytes())
}

// Close ends the writing.
func (w *Writer) Close() error { return w.events.Close() }

func (w *Writer) save(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return w.place(name, append(data, '\n'))
}

// place puts a file into the folder, whole or not at all.
func (w *Writer) place(name string, data []byte) error {
	return maybe.WriteFile(filepath.Join(w.dir, name), data, 0o644)
}
