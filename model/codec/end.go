package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sonde/model"
)

// End is how a run came to its end, as its events tell.
type End struct {
	// Summary is nil where the run has no end: it goes on, or was killed.
	Summary *model.Summary
	// Calls is how many had left when the last event happened.
	Calls int
	// Notes say why it ended before its time.
	Notes []string
}

// OpenEnd reads the end of the run in a folder. A line that is broken, as the
// last one of a killed run may be, is passed over. The error is of one line and
// names the folder.
func OpenEnd(dir string) (End, error) {
	var e End
	data, err := os.ReadFile(filepath.Join(dir, eventsFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return e, fmt.Errorf("run %q cannot be read: %w", dir, err)
	}
	for line := range bytes.Lines(data) {
		e.read(line)
	}
	return e, nil
}

// happened is what counts of an event.
type happened struct {
	Event string `json:"event"`
	Data  struct {
		Call    int            `json:"call"`
		Text    string         `json:"text"`
		Fault   model.Fault    `json:"fault"`
		Summary *model.Summary `json:"summary"`
	} `json:"data"`
}

func (e *End) read(line []byte) {
	var h happened
	if json.Unmarshal(line, &h) != nil {
		return
	}
	e.Calls = max(e.Calls, h.Data.Call, h.Data.Fault.At)
	switch h.Event {
	case kind(model.Started{}), kind(model.Resumed{}): // which had ended before, or was killed
		e.Summary, e.Notes = nil, nil
	case kind(model.Note{}):
		e.Notes = append(e.Notes, h.Data.Text)
	case kind(model.Stopped{}):
		if e.Summary = h.Data.Summary; e.Summary != nil {
			e.Calls = max(e.Calls, e.Summary.Calls)
		}
	}
}
