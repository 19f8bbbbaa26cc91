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

	"github.com/gofrs/flock"
)

// RunWriter writes a run. It is for one goroutine.
type RunWriter struct {
	dir    string
	header RunHeader
	events *os.File
	lock   *flock.Flock
}

// CreateRun starts a run in a new or empty folder. If the folder has a run, CreateRun replaces it with force, and
// returns an error without. It also returns an error if the folder has only other files, or if another program is
// writing to the run.
func CreateRun(dir string, h RunHeader, force bool) (*RunWriter, error) {
	if err := prepare(dir, "run", runFile, force); err != nil {
		return nil, err
	}
	h.Version = Version
	return begin(dir, h, (*RunWriter).create)
}

// begin locks a folder and returns the writer of the run. setUp prepares the files of the folder with this writer.
func begin(dir string, h RunHeader, setUp func(*RunWriter) error) (*RunWriter, error) {
	lock, err := lockFolder(dir, "run")
	if err != nil {
		return nil, err
	}
	w := &RunWriter{dir: dir, header: h, lock: lock}
	if err := setUp(w); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// create writes a run without tests. It writes the suite first. If the program is killed at that point, the folder
// does not contain the suite of an older run.
func (w *RunWriter) create() error {
	if err := errors.Join(
		w.WriteSuite(nil), w.WriteFaults(nil), w.WriteAnswers(nil), w.WriteTraffic(nil), w.remove(CoverFile), w.remove(codeFile),
	); err != nil {
		return err
	}
	if err := w.save(runFile, w.header); err != nil {
		return err
	}
	var err error
	w.events, err = openPrivate(filepath.Join(w.dir, eventsFile), os.O_WRONLY|os.O_TRUNC|os.O_APPEND)
	return err
}

// ResumeRun continues the run in a folder. It keeps the files, and replaces the limits, the command and the arguments.
// It returns an error if the run cannot be read, or if another program is writing to it.
func ResumeRun(dir string, limits model.Limits, command string, args []string) (*RunWriter, error) {
	r, err := OpenRun(dir)
	if err != nil {
		return nil, err
	}
	r.Limits, r.Command, r.Args = limits, command, args
	return begin(dir, r.RunHeader, (*RunWriter).resume)
}

// remove removes a file if it exists.
func (w *RunWriter) remove(name string) error {
	if err := os.Remove(filepath.Join(w.dir, name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (w *RunWriter) resume() (err error) {
	w.events, err = reopen(filepath.Join(w.dir, eventsFile))
	if err != nil {
		return fmt.Errorf("run %q cannot be resumed: %w", w.dir, err)
	}
	return w.save(runFile, w.header)
}

// prepare creates a folder for a run or a recording. name is a file that every such folder has. If the folder has this
// file, prepare returns an *occupied, unless force is set. It returns another error if the folder has other files than
// the lock file, but not this one. kind is "run" or "recording", for errors.
func prepare(dir, kind, name string, force bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot make the folder %q: %w", dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("cannot read the folder %q: %w", dir, err)
	}
	if len(entries) == 0 || len(entries) == 1 && entries[0].Name() == lockFile {
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
		return fmt.Errorf("folder %q is not empty and holds no %s: name another", dir, kind)
	}
	if !force {
		return &occupied{dir, kind}
	}
	return nil
}

// occupied is the error for a folder that already has a run or a recording.
type occupied struct{ dir, kind string }

func (o *occupied) Error() string {
	return fmt.Sprintf("folder %q holds a %s: name another, or replace it with --force", o.dir, o.kind)
}

// Is makes the error match fs.ErrExist.
func (o *occupied) Is(target error) bool { return target == fs.ErrExist }

// WriteEvent appends an event. Applied commands and startup stubs are also stored in run.json.
func (w *RunWriter) WriteEvent(l model.LogEntry) error {
	line, err := json.Marshal(struct {
		Event string        `json:"event"`
		Data  model.Event   `json:"data"`
		At    time.Duration `json:"at"`
		Call  int           `json:"call"`
	}{Event: kind(l.Event), Data: l.Event, At: l.At, Call: l.Call})
	if err != nil {
		return err
	}
	if _, err := w.events.Write(append(line, '\n')); err != nil {
		return err
	}
	switch e := l.Event.(type) {
	case model.AppliedCommand:
		w.header.Commands = append(w.header.Commands, e)
	case model.StartupStubsFound:
		w.header.Net = w.header.Net.WithStartupStubs(e.Stubs)
	default:
		return nil
	}
	return w.save(runFile, w.header)
}

// WriteSuite replaces the tests.
func (w *RunWriter) WriteSuite(tests []model.Test) error {
	if tests == nil {
		tests = []model.Test{}
	}
	return w.save(SuiteFile, suite{Version: Version, Title: w.header.Title, SpecHash: w.header.SpecHash, Tests: tests})
}

// WriteFaults replaces the faults.
func (w *RunWriter) WriteFaults(all []model.Fault) error {
	if all == nil {
		all = []model.Fault{}
	}
	return w.save(FaultsFile, faults{Version, all})
}

// WriteAnswers replaces the number of answers by operation and status.
func (w *RunWriter) WriteAnswers(all map[model.OpID]map[int]int) error {
	return w.save(answersFile, answers{Version, all})
}

// WriteTraffic replaces the exchanges of the tests.
func (w *RunWriter) WriteTraffic(played []model.PlayedTest) error {
	var b bytes.Buffer
	if err := newHAR(w.header, played).Write(&b); err != nil {
		return err
	}
	return w.place(trafficFile, b.Bytes())
}

// WriteCoverage replaces the coverage profile and the targets of each test.
func (w *RunWriter) WriteCoverage(profile []byte, covers []model.TestTargets) error {
	return errors.Join(w.place(CoverFile, profile), w.save(codeFile, code{Version, covers}))
}

// Close closes the run's files and releases its lock.
func (w *RunWriter) Close() error {
	var err error
	if w.events != nil {
		err = w.events.Close()
	}
	return errors.Join(err, w.lock.Close())
}

func (w *RunWriter) save(name string, v any) error { return save(w.dir, name, v) }

// place replaces a file in the folder atomically.
func (w *RunWriter) place(name string, data []byte) error {
	return writePrivate(filepath.Join(w.dir, name), data)
}

// save replaces a JSON file in a folder atomically.
func save(dir, name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(filepath.Join(dir, name), append(data, '\n'))
}
