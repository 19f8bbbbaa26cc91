// Package codec keeps runs on disk: a folder with run.json (what was asked),
// events.ndjson (what happened, a line each, appended), suite.json (the tests),
// faults.json (what is wrong with the service) and traffic.har (what was sent
// and answered in the tests). Files are written whole or not at all (but on
// Windows, which cannot replace a file at once), and as the run goes, so that a
// run that was killed can still be opened.
//
// It also reads what tests of other sources call, as trails: suites, lines of
// seqs, HAR files, exported Go.
package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sonde/model"

	"github.com/google/renameio/v2/maybe"
)

// Version is the version of the format that this package writes.
const Version = 1

const (
	runFile     = "run.json"
	eventsFile  = "events.ndjson"
	trafficFile = "traffic.har"
)

// The names of the files in a run's folder that hold tests.
const (
	SuiteFile  = "suite.json"
	FaultsFile = "faults.json"
)

// Header is what a run was asked to do: run.json.
type Header struct {
	Version  int          `json:"version"`
	Title    string       `json:"title"`
	Spec     string       `json:"spec"`
	SpecHash string       `json:"spec_hash"`
	BaseURL  string       `json:"base_url"`
	Users    []model.User `json:"users,omitempty"`
	Reset    *model.Reset `json:"reset,omitempty"`
	Seed     uint64       `json:"seed"`
	Limits   model.Limits `json:"limits"`
	// Rate is the most requests a second, Timeout that of a call.
	Rate     float64        `json:"rate,omitempty"`
	Timeout  time.Duration  `json:"timeout,omitempty"`
	Insecure bool           `json:"insecure,omitempty"`
	Tuning   model.Tuning   `json:"tuning"`
	Sampling model.Sampling `json:"sampling"`
	// Steers are what a person did while it went on.
	Steers []model.Steered `json:"steers,omitempty"`
	// Oracles and Owners are those of the plan.
	Oracles []string      `json:"oracles,omitempty"`
	Owners  []model.Owned `json:"owners,omitempty"`
	// Service is the plan's, and Dir the folder in which commands started: that
	// in which Sonde was, where the service names none.
	Service *model.Service `json:"service,omitempty"`
	Dir     string         `json:"dir,omitempty"`
	Command string         `json:"command"`
	// Args are the arguments of sonde search that the run began with.
	Args []string `json:"args,omitempty"`
	// Release is that of the Sonde which made the run, and Started when it did.
	Release string    `json:"release,omitempty"`
	Started time.Time `json:"started,omitzero"`
	// Operations are all of the spec's.
	Operations []model.OpID `json:"operations,omitempty"`
}

// suite is suite.json. It follows from seed, settings and the service alone.
type suite struct {
	Version  int          `json:"version"`
	Title    string       `json:"title"`
	SpecHash string       `json:"spec_hash"`
	Tests    []model.Test `json:"tests"`
}

// faults is faults.json. Runs of before there was one do without.
type faults struct {
	Version int           `json:"version"`
	Faults  []model.Fault `json:"faults"`
}

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

// Run is a run read from disk.
type Run struct {
	Header
	Tests  []model.Test
	Faults []model.Fault
}

// Open reads the run in a folder, finished or not. The error is of one line
// and names the folder.
func Open(dir string) (Run, error) {
	var r Run
	var s suite
	var f faults
	err := loadAll(dir, &r.Header, &s, &f)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, fmt.Errorf("%q is no run: give the folder that sonde search -o wrote", dir)
	case err != nil:
		return r, fmt.Errorf("run %q cannot be read: %w", dir, err)
	case r.Version < 1 || s.Version < 1:
		return r, fmt.Errorf("%q holds no run that Sonde wrote: give the folder that sonde search -o wrote", dir)
	}
	if newest := max(r.Version, s.Version, f.Version); newest > Version {
		return r, fmt.Errorf("run %q was written by a newer Sonde (format %d, this one reads up to %d): update Sonde", dir, newest, Version)
	}
	r.Tests, r.Faults = s.Tests, f.Faults
	if err := valid(r.Tests); err != nil {
		return r, fmt.Errorf("run %q cannot be read: %s: %w", dir, SuiteFile, err)
	}
	if err := valid(testsOf(r.Faults)); err != nil {
		return r, fmt.Errorf("run %q cannot be read: %s: %w", dir, FaultsFile, err)
	}
	return r, nil
}

// loadAll reads a run's files. That of the faults may be missing.
func loadAll(dir string, h *Header, s *suite, f *faults) error {
	if err := load(dir, runFile, h); err != nil {
		return err
	}
	if err := load(dir, SuiteFile, s); err != nil {
		return err
	}
	if err := load(dir, FaultsFile, f); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// testsOf are the tests that show faults.
func testsOf(faults []model.Fault) (tests []model.Test) {
	for _, f := range faults {
		if f.Test != nil {
			tests = append(tests, *f.Test)
		}
	}
	return tests
}

func load(dir, name string, v any) error {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// valid tells whether all that points at a call points at one that is there.
func valid(tests []model.Test) error {
	for _, t := range tests {
		n := len(t.Calls)
		for _, l := range t.Links {
			if l.From < 0 || l.From >= l.To || l.To >= n {
				return fmt.Errorf("test %q has a link from call %d to %d of %d", t.ID, l.From, l.To, n)
			}
		}
		for _, c := range t.Checks {
			if c.Call < 0 || c.Call >= n {
				return fmt.Errorf("test %q checks call %d of %d", t.ID, c.Call, n)
			}
		}
	}
	return nil
}
