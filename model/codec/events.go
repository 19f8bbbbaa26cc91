package codec

import (
	"bufio"
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
	Calls    int // requests that had been counted by the last event that tells
	Asked    int // tests that had been asked for when the last was judged, if Ended
	Ended    bool
	Summary  model.Summary // if Ended
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
	case "progress":
		var p model.Progress
		if err := json.Unmarshal(e.Data, &p); err != nil {
			return err
		}
		c.Progress, c.Calls = append(c.Progress, p), p.Call
	case "stopped":
		var s model.Stopped
		if err := json.Unmarshal(e.Data, &s); err != nil {
			return err
		}
		c.Summary, c.Ended, c.Calls, c.Asked = s.Summary, true, s.Summary.Calls, s.Summary.Asked
	}
	return nil
}
