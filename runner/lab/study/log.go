package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gofrs/flock"
)

// LogName is the name of the log in a study's folder.
const LogName = "results.ndjson"

// Log has the results of a study on disk. A line is written as soon as its run has finished, so
// that a study that is killed loses only the runs in progress. A Log is safe for concurrent use.
type Log struct {
	path string
	file *os.File
	lock *flock.Flock

	mu   sync.Mutex
	done map[RunKey]Result
}

// errFolderInUse is returned if another process writes to the folder.
var errFolderInUse = errors.New("another study is running there: wait for it, or name another folder with -o")

// OpenLog opens the log of a study in a folder, and creates both if they do not exist. It returns
// an error if the log belongs to another study. version is Sonde's version: results of different
// versions must not be mixed.
func OpenLog(folder string, s Study, version string) (*Log, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("no folder %q for the results: %w", folder, err)
	}
	path := filepath.Join(folder, LogName)
	l := &Log{path: path, lock: flock.New(filepath.Join(folder, ".lock")), done: map[RunKey]Result{}}
	free, err := l.lock.TryLock()
	if err == nil && !free {
		err = errFolderInUse
	}
	if err == nil {
		err = l.open(newHead(s, version))
	}
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("results %q: %w", path, err)
	}
	return l, nil
}

// open reads the results in the file and prepares it for further results.
func (l *Log) open(h logHead) (err error) {
	l.file, err = os.OpenFile(l.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(l.path)
	if err != nil {
		return err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1] // the last line may be cut off
	if err := l.read(whole, h); err != nil {
		return err
	}
	if err := l.file.Truncate(int64(len(whole))); err != nil || len(whole) > 0 {
		return err
	}
	return l.write(h)
}

// read reads the lines of a log. It returns an error if the first line is not the wanted head, or if another
// line is not a result.
func (l *Log) read(data []byte, want logHead) error {
	for i, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		if len(data) == 0 {
			return nil
		}
		if i == 0 {
			if err := want.check(line); err != nil {
				return err
			}
			continue
		}
		var r Result
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("line %d is not a result: delete it to repeat its run", i+1)
		}
		l.done[r.RunKey] = r
	}
	return nil
}

// Add adds a result and writes it.
func (l *Log) Add(r Result) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.checkPool(r); err != nil {
		return err
	}
	l.done[r.RunKey] = r
	return l.write(r)
}

// checkPool returns an error if a result was judged by other mutants than an earlier one of the same service. l.mu must be locked.
func (l *Log) checkPool(r Result) error {
	for _, other := range l.done {
		if r.Mutants != nil && other.Mutants != nil && other.Service == r.Service && other.Mutants.Pool != r.Mutants.Pool {
			return fmt.Errorf(
				"%s was built with other mutants before: its source or Go has changed; name another folder with -o", r.Service,
			)
		}
	}
	return nil
}

// write appends v as a line of JSON, in a single call of Write.
func (l *Log) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

// Has reports whether the log has the result of a run.
func (l *Log) Has(key RunKey) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.done[key]
	return ok
}

// FinishedRuns returns the number of runs in the log.
func (l *Log) FinishedRuns() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.done)
}

// seriesResults returns the results of a series, in the order of their seeds. key is the key of any
// of its runs. It returns false if a result is missing.
func (l *Log) seriesResults(key RunKey, seeds []uint64) ([]Result, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []Result
	for _, key.Seed = range slices.Sorted(slices.Values(seeds)) {
		r, ok := l.done[key]
		if !ok {
			return nil, false
		}
		all = append(all, r)
	}
	return all, true
}

// Close closes the log and releases its lock.
func (l *Log) Close() error {
	var err error
	if l.file != nil {
		err = l.file.Close()
	}
	return errors.Join(err, l.lock.Close())
}
