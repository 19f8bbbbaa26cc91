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

// Status is the outcome of trying a mutant.
type Status string

// The outcomes. Mutants with one of the last four outcomes are not judged.
const (
	Killed     Status = "killed"     // a test fails
	Survived   Status = "survived"   // no test fails
	Timeout    Status = "timeout"    // the tests do not end in time
	Crash      Status = "crash"      // the service does not start
	Equal      Status = "equal"      // the mutant compiles to the same binary as the unchanged service
	Duplicate  Status = "duplicate"  // the mutant compiles to the same binary as another mutant
	Uncompiled Status = "uncompiled" // the mutant does not compile
	Equivalent Status = "equivalent" // a person judged it to be equivalent to the service
)

// IsNoticed reports whether the tests notice the mutant.
func (s Status) IsNoticed() bool { return s == Killed || s == Timeout || s == Crash }

// IsJudged reports whether the mutant counts in the mutation score, because the tests noticed it or could have
// noticed it.
func (s Status) IsJudged() bool { return s == Survived || s.IsNoticed() }

// Result is the result of trying a mutant.
type Result struct {
	Mutant
	Status Status `json:"status"`
	// By has the oracles that noticed the mutant.
	By []model.MockOracle `json:"by,omitempty"`
	// Tests has the first tests that failed.
	Tests   []string `json:"tests,omitempty"`
	Why     string   `json:"why,omitempty"`    // why the mutant is uncompiled, a crash, a duplicate or equivalent
	Binary  string   `json:"binary,omitempty"` // hash of the mutant's binary
	Seconds float64  `json:"seconds"`
}

// LogHead is the first line of a file of results. It identifies the tests and the source to which
// the results belong.
type LogHead struct {
	Version int    `json:"version"`
	Package string `json:"package"`
	Source  string `json:"source"`
	Tests   string `json:"tests"`
	// Code describes the source. isSameWork ignores it.
	Code CodeSize `json:"code"`
}

// isSameWork reports whether results with these heads are of the same tests and the same source.
func (h LogHead) isSameWork(other LogHead) bool {
	return h.Version == other.Version && h.Package == other.Package && h.Source == other.Source && h.Tests == other.Tests
}

// logVersion is the version of the format of a file of results.
const logVersion = 1

// Log is a file of results, one a line. A line is written as soon as its result is known. A Log is safe for
// concurrent use.
type Log struct {
	mu   sync.Mutex
	file *os.File
	lock *flock.Flock
	done map[string]Result
}

// OpenLog opens a file of results, or creates it. If file is "", results are kept in memory only.
func OpenLog(file string, h LogHead) (*Log, error) {
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

// open reads the results in the file and prepares it for further results.
func (l *Log) open(file string, h LogHead) (err error) {
	l.file, err = os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	whole := wholeLines(data)
	if err := l.read(whole, h); err != nil {
		return err
	}
	if err := l.file.Truncate(int64(len(whole))); err != nil || len(whole) > 0 {
		return err
	}
	return l.write(h)
}

// ReadLog returns the head and the results of a file, in the order of their lines. The file may be read while another
// process writes it.
func ReadLog(file string) (LogHead, []Result, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return LogHead{}, nil, err
	}
	h, all, err := parseLog(wholeLines(data))
	if err == nil && h.Version == 0 {
		err = errNoLog
	}
	if err != nil {
		err = fmt.Errorf("results %q: %w", file, err)
	}
	return h, all, err
}

// errNoLog is the error for a file that is not a file of results.
var errNoLog = errors.New("the file is not one of sonde mutate")

// wholeLines returns data without its last line if this was cut off.
func wholeLines(data []byte) []byte { return data[:bytes.LastIndexByte(data, '\n')+1] }

// parseLog reads the lines of a file. The head is zero if there are none.
func parseLog(data []byte) (h LogHead, all []Result, err error) {
	number := 0
	for line := range bytes.Lines(data) {
		var r Result
		number++
		switch {
		case number == 1:
			if err := json.Unmarshal(line, &h); err != nil || h.Version == 0 {
				return h, nil, errNoLog
			}
		case json.Unmarshal(line, &r) != nil || r.ID == "":
			return h, nil, fmt.Errorf("line %d is not a result: delete it to try its mutant again", number)
		default:
			all = append(all, r)
		}
	}
	return h, all, nil
}

// read reads the lines of a file. It returns an error if the head of the file is not the wanted one, or if
// another line is not a result.
func (l *Log) read(data []byte, want LogHead) error {
	got, all, err := parseLog(data)
	if errors.Is(err, errNoLog) {
		return fmt.Errorf("%w: name another one with -o", err)
	}
	if err != nil {
		return err
	}
	if len(data) > 0 && !got.isSameWork(want) {
		return errors.New("the file has results of other tests, of another source or of another sonde: name another one with -o")
	}
	for _, r := range all {
		l.done[r.ID] = r
	}
	return nil
}

// Result returns the result of a mutant, false if there is none.
func (l *Log) Result(id string) (Result, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.done[id]
	return r, ok
}

// add adds a result and writes it.
func (l *Log) add(r Result) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done[r.ID] = r
	if l.file == nil {
		return nil
	}
	return l.write(r)
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

// Close closes the file and releases its lock.
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
