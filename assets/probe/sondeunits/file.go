package sondeunits

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"sonde/assets/probe/sondevalue"
)

// file is the file to which lines are appended. A line is written at once, so that a process which is killed leaves whole
// lines.
type file struct {
	mu   sync.Mutex
	file *os.File
	left int64 // bytes that may still be written
}

const maxFile = 512 << 20 // bytes that a process writes

func openFile(path string) (*file, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	w := &file{file: f, left: maxFile}
	// The line begins with a line break, because a process that was killed may have left a part of a line.
	return w, w.write(fmt.Appendf(nil, "\n{\"build\":\"%d\",\"process\":%d}\n", Build, os.Getpid()))
}

func (w *file) write(line []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left -= int64(len(line)); w.left < 0 {
		return nil
	}
	_, err := w.file.Write(line)
	return err
}

// append writes an invocation. If that is not possible, the invocation is lost.
func (w *file) append(i *sondevalue.Invocation) {
	if line, err := json.Marshal(i); err == nil {
		_ = w.write(append(line, '\n'))
	}
}
