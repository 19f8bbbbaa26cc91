package codec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sonde/model"
)

// Course is how far a run came, and when: what its events tell of that.
type Course struct {
	Progress []model.Progress
	// Last is how far it came, by the last event that tells: its end where it came
	// to that.
	Last    model.Progress
	Ended   bool
	Resumed bool          // once at least
	Summary model.Summary // if Ended
}

// OpenCourse reads the events of the run in a folder. A last line that was cut
// short by the end of the program does not count.
func OpenCourse(dir string) (Course, error) {
	f, err := os.Open(filepath.Join(dir, eventsFile))
	if err != nil {
		return Course{}, fmt.Errorf("run %q cannot be read: %w", dir, err)
	}
	defer f.Close()
	var c Course
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err == nil {
			err = c.read(line)
		}
		if err != nil {
			return c, fmt.Errorf("run %q cannot be read: %s: %w", dir, eventsFile, err)
		}
	}
}

// read takes up one line.
func (c *Course) read(line []byte) error {
	var e struct {
		Event string
		Data  json.RawMessage
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	switch e.Event {
	case kind(model.Progress{}):
		c.Ended = false
		if err := json.Unmarshal(e.Data, &c.Last); err != nil {
			return err
		}
		c.Progress = append(c.Progress, c.Last)
	case kind(model.Resumed{}):
		c.Ended, c.Resumed = false, true
	case kind(model.Stopped{}):
		var s model.Stopped
		if err := json.Unmarshal(e.Data, &s); err != nil {
			return err
		}
		c.Summary, c.Ended = s.Summary, true
		c.Last = model.Progress{Call: c.Summary.Calls, SetUp: c.Summary.SetUp, Asked: c.Summary.Asked, Used: c.Last.Used, Elapsed: c.Summary.Elapsed}
	}
	return nil
}

// reopen opens a file of lines to append to. A last line that was cut short goes.
func reopen(path string) (*os.File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	if err := os.Truncate(path, int64(whole)); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
}
