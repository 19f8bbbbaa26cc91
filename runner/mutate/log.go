package mutate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"sonde/model"

	"github.com/gofrs/flock"
)

// Status is what came of a mutant.
type Status string

// What comes of mutants. Those of the last four are not judged.
const (
	Killed     Status = "killed"     // a test fails
	Survived   Status = "survived"   // no test fails
	Timeout    Status = "timeout"    // the tests do not end in time
	Crash      Status = "crash"      // the service does not start
	Equal      Status = "equal"      // it compiles to the same binary as the service
	Duplicate  Status = "duplicate"  // it compiles to the same binary as another one
	Uncompiled Status = "uncompiled" // it does not compile
	Equivalent Status = "equivalent" // a person says so
)

// Dead reports whether tests notice the mutant.
func (s Status) Dead() bool { return s == Killed || s == Timeout || s == Crash }

// Judged reports whether the mutant is one that tests may notice.
func (s Status) Judged() bool { return s == Survived || s.Dead() }

// Result is what came of one mutant.
type Result struct {
	Mutant
	Status Status `json:"status"`
	// By are the oracles that noticed it.
	By []model.Oracle `json:"by,omitempty"`
	// Tests are those that failed, the first ones.
	Tests   []string `json:"tests,omitempty"`
	Why     string   `json:"why,omitempty"`    // it does not compile, or is equivalent
	Binary  string   `json:"binary,omitempty"` // its hash
	Seconds float64  `json:"seconds"`
}

// Head is the first line of a file of results. Results of other tests or of another
// source do not go with them.
type Head struct {
	Version int    `json:"version"`
	Package string `json:"package"`
	Source  string `json:"source"`
	Tests   string `json:"tests"`
}

// logVersion is the version of the file's form.
const logVersion = 1

// Log is results on disk, a line each, written at once when it is known. It may be
// used by several goroutines.
type Log struct {
	mu   sync.Mutex
	file *os.File
	lock *flock.Flock
	done map[string]Result
}

// OpenLog opens a file of results, or makes it. "" keeps them in memory alone.
func OpenLog(file string, h Head) (*Log, error) {
	l := &Log{done: map[string]Result{}}
	if file == "" {
		return l, nil
	}
	l.lock = flock.New(file + ".lock")
	free, err := l.lock.TryLock()
	if err == nil && !free {
		err = errors.New("another sonde mutate writes there: wait for it, or name another file with -o")
	}
	if err == nil {
		h.Version = logVersion
		err = l.open(file, h)
	}
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("results %q: %w", file, err)
	}
	return l, nil
}

func (l *Log) open(file string, h Head) (err error) {
	l.file, err = os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
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

func (l *Log) read(data []byte, want Head) error {
	number := 0
	for line := range bytes.Lines(data) {
		var r Result
		number++
		switch {
		case number == 1:
			var got Head
			if err := json.Unmarshal(line, &got); err != nil || got.Version == 0 {
				return errors.New("the file is none of sonde mutate: name another one with -o")
			}
			if got != want {
				return errors.New("the file has results of other tests, of another source or of another sonde: name another one with -o")
			}
		case json.Unmarshal(line, &r) != nil || r.ID == "":
			return fmt.Errorf("line %d is no result: take it out, then its mutant is tried again", number)
		default:
			l.done[r.ID] = r
		}
	}
	return nil
}

// Of returns the result of a mutant, false where there is none.
func (l *Log) Of(id string) (Result, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.done[id]
	return r, ok
}

// add notes a result.
func (l *Log) add(r Result) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done[r.ID] = r
	if l.file == nil {
		return nil
	}
	return l.write(r)
}

// write appends a line in one piece.
func (l *Log) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

// Close ends the writing.
func (l *Log) Close() error {
	var err error
	if l.file != nil {
		err = l.file.Close()
	}
	if l.lock != nil {
		err = errors.Join(err, l.lock.Close())
	}
	return err
}
