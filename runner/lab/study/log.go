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

// LogName is the file in a study's folder with a line for each finished run.
const LogName = "results.ndjson"

// Log is the results of a study on disk. A line is written as soon as its run is finished, so that
// a study that is killed loses only the runs in progress. It is safe for concurrent use.
type Log struct {
	path string
	file *os.File
	lock *flock.Flock

	mu   sync.Mutex
	done map[RunKey]Result
}

// errBusy is the error of a folder that another process writes to.
var errBusy = errors.New("another study is running there: wait for it, or name another folder with -o")

// OpenLog opens the log of a study in a folder, and creates both if they do not exist. It refuses the
// log of another study. version is that of the program: results of two versions do not mix.
func OpenLog(folder string, s Study, version string) (*Log, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("no folder %q for the results: %w", folder, err)
	}
	path := filepath.Join(folder, LogName)
	l := &Log{path: path, lock: flock.New(filepath.Join(folder, ".lock")), done: map[RunKey]Result{}}
	free, err := l.lock.TryLock()
	if err == nil && !free {
		err = errBusy
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

// open reads the existing results and appends new lines to them.
func (l *Log) open(h head) (err error) {
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

func (l *Log) read(data []byte, want head) error {
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

func (l *Log) add(r Result) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done[r.RunKey] = r
	return l.write(r)
}

// write appends a line in one write.
func (l *Log) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

func (l *Log) has(c RunKey) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.done[c]
	return ok
}

// FinishedRuns returns the number of runs in the log.
func (l *Log) FinishedRuns() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.done)
}

// of returns the results of a series by seed. at is any cell of the series. It returns false if
// some are missing.
func (l *Log) of(at RunKey, seeds []uint64) ([]Result, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []Result
	for _, at.Seed = range slices.Sorted(slices.Values(seeds)) {
		r, ok := l.done[at]
		if !ok {
			return nil, false
		}
		all = append(all, r)
	}
	return all, true
}

// Close closes the file.
func (l *Log) Close() error {
	var err error
	if l.file != nil {
		err = l.file.Close()
	}
	return errors.Join(err, l.lock.Close())
}
