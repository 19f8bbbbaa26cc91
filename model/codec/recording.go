package codec

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sonde/model"

	"github.com/gofrs/flock"
)

// RecordingVersion is the version of the format of recordings that this package writes.
const RecordingVersion = 1

// The names of files and folders in a recording's folder.
const (
	RecordingFile = "recording.json"
	ExchangesFile = "exchanges.ndjson"
	bodiesDir     = "bodies"
	snapshotsDir  = "snapshots"
)

// Limits of a recording, in bytes.
const (
	maxInline = 64 << 10 // maximum length of a body in a line of exchanges.ndjson; a longer body has a file of its own
	maxLine   = 16 << 20 // maximum length of a line of exchanges.ndjson
	maxBody   = 64 << 20 // maximum length of a body in a file
	maxBodies = 1 << 30  // maximum total length of the bodies in files
)

// RecordingHeader is the content of recording.json, which is written when a recording starts. It contains
// no secrets.
type RecordingHeader struct {
	Version  int            `json:"version"`
	Title    string         `json:"title"`
	Spec     string         `json:"spec"`
	SpecHash string         `json:"spec_hash"`
	BaseURL  string         `json:"base_url"`
	Service  *model.Service `json:"service,omitempty"`
	Users    []model.User   `json:"users,omitempty"`
	Reset    *model.Reset   `json:"reset,omitempty"`
	// StateFiles are the service's files and folders that the state snapshots of the recording copy.
	StateFiles []string `json:"state_files,omitempty"`
	// Rules are the masking rules of the recording.
	Rules   []string  `json:"rules,omitempty"`
	Command string    `json:"command"`
	Release string    `json:"release,omitempty"`
	Started time.Time `json:"started,omitzero"`
}

// RecordingWriter writes a recording. It is safe for concurrent use.
type RecordingWriter struct {
	dir  string
	lock *flock.Flock
	sets setNumbers

	mu    sync.Mutex
	lines *os.File
}

// CreateRecording starts a recording in a new or empty folder. If the folder has a recording, CreateRecording replaces
// it with force, and returns an error without. It also returns an error if the folder has only other files, or if
// another program is writing to the recording.
func CreateRecording(dir string, h RecordingHeader, force bool) (*RecordingWriter, error) {
	problem := prepare(dir, "recording", RecordingFile, force)
	if taken := new(occupied); problem != nil && !errors.As(problem, &taken) {
		return nil, problem
	}
	lock, err := lockFolder(dir, "recording")
	if err != nil {
		return nil, err
	}
	r := &RecordingWriter{dir: dir, lock: lock}
	if problem == nil {
		h.Version = RecordingVersion
		problem = r.create(h)
	}
	if problem != nil {
		r.Close()
		return nil, problem
	}
	return r, nil
}

// create writes an empty recording. It empties the file of exchanges first. If the program is killed at that point,
// the folder does not contain exchanges of an older recording.
func (r *RecordingWriter) create(h RecordingHeader) (err error) {
	r.lines, err = openPrivate(filepath.Join(r.dir, ExchangesFile), os.O_WRONLY|os.O_TRUNC|os.O_APPEND)
	if err != nil {
		return err
	}
	for _, folder := range []string{bodiesDir, snapshotsDir} {
		if err := os.RemoveAll(filepath.Join(r.dir, folder)); err != nil {
			return err
		}
	}
	return save(r.dir, RecordingFile, h)
}

// WriteServed appends a request that the service answered, without its OutwardCalls.
func (r *RecordingWriter) WriteServed(s model.ServedRequest) error {
	set, err := r.numberOf(s.Covered)
	if err != nil {
		return err
	}
	return r.append(func(w *lineWriter) { w.served(s, set) })
}

// WriteOutwardCall appends a call of the service to another host.
func (r *RecordingWriter) WriteOutwardCall(s model.OutwardCall) error {
	return r.append(func(w *lineWriter) { w.sent(s) })
}

// WriteReady appends the time at which the service was ready for requests.
func (r *RecordingWriter) WriteReady(at time.Time) error {
	return r.append(func(w *lineWriter) { w.text("ready", at.UTC().Format(time.RFC3339Nano)) })
}

// CreateSnapshot creates the empty folder of a snapshot of the service's state, and returns its absolute path. The
// snapshot belongs to the recording once WriteStateSnapshot was called.
func (r *RecordingWriter) CreateSnapshot(name string) (folder string, err error) {
	folder, err = filepath.Abs(filepath.Join(r.dir, snapshotsDir, name))
	if err != nil {
		return "", err
	}
	return folder, os.MkdirAll(folder, 0o700)
}

// WriteStateSnapshot appends a snapshot of the service's state. The files of the snapshot must already be in its
// folder.
func (r *RecordingWriter) WriteStateSnapshot(s model.StateSnapshot) error {
	return r.append(func(w *lineWriter) { w.stateSnapshot(s) })
}

// WriteWarning appends a warning about data that was lost or not recorded.
func (r *RecordingWriter) WriteWarning(text string) error {
	return r.append(func(w *lineWriter) { w.text("note", text) })
}

// Close closes the recording.
func (r *RecordingWriter) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	if r.lines != nil {
		err = r.lines.Close()
	}
	return errors.Join(err, r.lock.Close())
}

// lines is a pool of line writers.
var lines = sync.Pool{New: func() any { return new(lineWriter) }}

// append appends a line with a single write.
func (r *RecordingWriter) append(write func(*lineWriter)) error {
	w := lines.Get().(*lineWriter)
	defer lines.Put(w)
	*w = lineWriter{b: append(w.b[:0], '{'), keep: r.keep}
	write(w)
	w.b = append(w.b, "}\n"...)
	switch {
	case w.err != nil:
		return w.err
	case len(w.b) > maxLine:
		return fmt.Errorf("an exchange of %d bytes without its bodies is too large for a recording", len(w.b))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.lines.Write(w.b)
	return err
}

// keep writes a large body to a file of its own, unless a file with this name exists. It does not sync the file to
// disk, because the reader checks the SHA-256 of the file.
func (r *RecordingWriter) keep(sum string, data []byte) error {
	dir := filepath.Join(r.dir, bodiesDir)
	path := filepath.Join(dir, sum)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
