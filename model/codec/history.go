package codec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"sonde/model"
)

// RunHistory is the course of a run, as its events describe it.
type RunHistory struct {
	Progress []model.Progress
	// Last is the last known progress. A run that was killed may have sent more requests.
	Last    model.Progress
	Resumed bool // the run was resumed at least once
	// Summary is nil if the run has not ended: it is in progress, or was killed.
	Summary *model.Summary
	// Curve and Log are as in a model.Snapshot.
	Curve    []model.CurvePoint
	Log      []model.LogEntry
	Unlogged int
}

// OpenHistory reads the events of the run in a folder. It ignores a truncated last line. If the folder has no events
// file, the history is empty. Any other invalid line is an error, because it shows that the file was damaged. The
// error is of one line and names the folder.
func OpenHistory(dir string) (RunHistory, error) {
	r := historyReader{covered: map[string]bool{}}
	f, err := os.Open(filepath.Join(dir, eventsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return r.RunHistory, nil
	}
	if err == nil {
		defer f.Close()
		err = r.readAll(f)
	}
	if err != nil {
		return r.RunHistory, fmt.Errorf("run %q cannot be read: %w", dir, err)
	}
	r.Log, r.Unlogged = r.journal.Entries()
	return r.RunHistory, nil
}

// historyReader reads the events line by line.
type historyReader struct {
	RunHistory
	covered map[string]bool
	journal model.Journal
}

func (c *historyReader) readAll(f io.Reader) error {
	r := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		var l model.LogEntry
		if err == nil {
			l, err = event(line)
		}
		if err == nil {
			err = c.read(l)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", eventsFile, n, err)
		}
	}
}

// read adds one event to the history.
func (c *historyReader) read(l model.LogEntry) error {
	c.Last.Call = max(c.Last.Call, l.Call)
	c.Last.Elapsed = max(c.Last.Elapsed, l.At)
	switch e := l.Event.(type) {
	case nil:
		return nil
	case model.RunStarted:
		c.Summary, c.Last.Targets = nil, e.Targets
	case model.RunResumed:
		c.Summary, c.Resumed = nil, true
	case model.TargetCovered:
		c.cover(e)
	case model.Progress:
		c.Last = e
		c.Progress = append(c.Progress, e)
	case model.RunStopped:
		if reflect.ValueOf(e.Summary).IsZero() {
			return errors.New("the run's end has no summary")
		}
		c.end(&e.Summary)
	}
	if l.Notable() {
		c.journal.Add(l)
	}
	return nil
}

// cover adds a point to the curve. If the last point has the same number of calls, cover replaces that point. Each
// target counts once. A target can be covered twice in the events if the run was killed before it stored the test,
// and then resumed.
func (c *historyReader) cover(e model.TargetCovered) {
	c.covered[e.Target] = true
	p := model.CurvePoint{Calls: e.Call, Covered: len(c.covered)}
	if n := len(c.Curve); n > 0 && c.Curve[n-1].Calls == p.Calls {
		c.Curve[n-1] = p
		return
	}
	c.Curve = append(c.Curve, p)
}

// end sets the summary, and updates the last progress with the numbers of the summary.
func (c *RunHistory) end(s *model.Summary) {
	c.Summary = s
	c.Last = model.Progress{
		Call: s.Calls, SetUp: s.SetUp, Checking: s.Checking, Minimising: s.Minimising, Unanswered: s.Unanswered, NoAnswer: s.NoAnswer,
		Restarts: s.Restarts, Asked: s.Asked, Used: c.Last.Used, Elapsed: s.Elapsed, Targets: s.Targets,
	}
}

// reopen opens a file of lines for appending. It creates the file if needed, and removes a truncated last
// line.
func reopen(path string) (*os.File, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := openPrivate(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(int64(bytes.LastIndexByte(data, '\n') + 1)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
