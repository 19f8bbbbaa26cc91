package codec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sonde/model"
)

// Course is how far a run came, and when: what its events tell of that.
type Course struct {
	Progress []model.Progress
	// Last is how far it came, by the last event that tells. Its end tells all;
	// of a run that was killed, the events know less than had left.
	Last    model.Progress
	Resumed bool // once at least
	// Summary is nil where the run has no end: it goes on, or was killed.
	Summary *model.Summary
}

// OpenCourse reads the events of the run in a folder. A last line that was cut
// short by the end of the program does not count, and a run without a file has
// no events yet. Any other line that cannot be read is an error, for nobody
// knows then what else is missing. It is of one line and names the folder.
func OpenCourse(dir string) (Course, error) {
	var c Course
	f, err := os.Open(filepath.Join(dir, eventsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		defer f.Close()
		err = c.readAll(f)
	}
	if err != nil {
		return c, fmt.Errorf("run %q cannot be read: %w", dir, err)
	}
	return c, nil
}

func (c *Course) readAll(f io.Reader) error {
	r := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = c.read(line)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", eventsFile, n, err)
		}
	}
}

// happened is what counts of an event.
type happened struct {
	model.Progress
	Fault   struct{ At int }
	Summary *model.Summary
}

// read takes up one line.
func (c *Course) read(line []byte) error {
	var e struct {
		Event string
		Data  happened
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	h := e.Data
	c.Last.Call = max(c.Last.Call, h.Call, h.Fault.At)
	switch e.Event {
	case kind(model.Started{}):
		c.Summary = nil
	case kind(model.Resumed{}):
		c.Summary, c.Resumed = nil, true
	case kind(model.Progress{}):
		c.Last = h.Progress
		c.Progress = append(c.Progress, c.Last)
	case kind(model.Stopped{}):
		if h.Summary == nil {
			return errors.New("the run's end has no summary")
		}
		c.end(h.Summary)
	}
	return nil
}

// end takes up the last event.
func (c *Course) end(s *model.Summary) {
	c.Summary = s
	c.Last = model.Progress{
		Call: s.Calls, SetUp: s.SetUp, Checking: s.Checking, Minimising: s.Minimising, Unanswered: s.Unanswered, NoAnswer: s.NoAnswer,
		Restarts: s.Restarts, Asked: s.Asked, Used: c.Last.Used, Elapsed: s.Elapsed,
	}
}

// reopen opens a file of lines to append to. A last line that was cut short goes.
func reopen(path string) (*os.File, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(int64(bytes.LastIndexByte(data, '\n') + 1)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
