package sut

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sonde/model"
	"sonde/runner/target/redact"
)

// Limits of a log. On disk it has two files of at most maxLog bytes, the older one with ".1"
// after its name.
const (
	maxLog   = 4 << 20
	maxLine  = 16 << 10 // longer lines are split
	maxTail  = 200      // last lines that are kept in memory
	maxWords = 300      // bytes of each of those lines
)

// journal receives what a service prints: it goes to a file, if there is one, and the last lines
// are kept in memory. It is safe for concurrent use.
type journal struct {
	mu    sync.Mutex
	path  string
	file  *os.File
	size  int
	limit int // bytes of a file
	mask  *redact.Matcher
	tail  []string
}

// openJournal opens a log. It replaces an older one at the path, unless it continues that.
func openJournal(path string, mask *redact.Matcher, goesOn bool) (*journal, error) {
	j := &journal{path: path, mask: mask, limit: maxLog}
	switch {
	case path == "":
		return j, nil
	case goesOn:
		return j, j.open(os.O_APPEND)
	}
	return j, j.open(os.O_TRUNC)
}

// open opens the file, and creates it if necessary.
func (j *journal) open(how int) (err error) {
	err = os.MkdirAll(filepath.Dir(j.path), 0o700)
	if err == nil {
		j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_CREATE|how, 0o600)
	}
	if err == nil {
		_ = j.file.Chmod(0o600) // an older version may have created it
	}
	if err != nil {
		return fmt.Errorf("cannot keep the service's log: %w", err)
	}
	j.size = 0
	if info, err := j.file.Stat(); err == nil {
		j.size = int(info.Size())
	}
	return nil
}

// drain reads r to its end, line by line. It never stops earlier: a service whose output is not
// read blocks.
func (j *journal) drain(r io.Reader) {
	buf, part := make([]byte, 32<<10), []byte(nil)
	for {
		n, err := r.Read(buf)
		part = j.lines(append(part, buf[:n]...))
		if err != nil {
			if len(part) > 0 {
				j.add(string(part))
			}
			return
		}
	}
}

// lines adds the complete lines of data and returns the rest.
func (j *journal) lines(data []byte) []byte {
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		switch {
		case whole && len(line) <= maxLine:
			data = rest
		case len(line) > maxLine:
			line, data = line[:maxLine], data[maxLine:]
		default:
			return append([]byte(nil), data...)
		}
		j.add(string(line))
	}
}

// add adds one line.
func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	line = j.mask.MaskText(strings.TrimSuffix(line, "\r"), redact.BodyText)
	if words := plain(line); words != "" {
		if len(j.tail) == maxTail {
			j.tail = append(j.tail[:0], j.tail[1:]...)
		}
		j.tail = append(j.tail, words)
	}
	j.write(line + "\n")
}

// write writes to the file, and begins a new one before it grows too long. If the disk is full,
// the run continues without the file.
func (j *journal) write(line string) {
	if j.file == nil {
		return
	}
	if j.size+len(line) > j.limit && !j.rotate() {
		return
	}
	n, err := j.file.WriteString(line)
	j.size += n
	if err != nil {
		j.shut()
	}
}

func (j *journal) rotate() bool {
	j.shut()
	if os.Rename(j.path, j.path+".1") != nil || j.open(os.O_TRUNC) != nil {
		return false
	}
	n, _ := fmt.Fprintf(j.file, "sonde: the lines before are in %s.1, and the older ones in that file are deleted\n", filepath.Base(j.path))
	j.size = n
	return true
}

func (j *journal) shut() {
	if j.file != nil {
		j.file.Close()
		j.file = nil
	}
}

func (j *journal) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.shut()
}

// begin notes in the file that the service starts, and forgets the last lines.
func (j *journal) begin(note string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tail = nil
	j.write("sonde: " + note + "\n")
}

// failureLinePattern matches the line in which programs begin to say why they end; the stack follows it.
var failureLinePattern = regexp.MustCompile(`^(panic|fatal error|runtime): |^SIG[A-Z]+: |^Exception in thread `)

// failureLine returns the line that explains best why the program ended, "" if it printed none.
func (j *journal) failureLine() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, line := range slices.Backward(j.tail) {
		if failureLinePattern.MatchString(line) {
			return line
		}
	}
	if n := len(j.tail); n > 0 {
		return j.tail[n-1]
	}
	return ""
}

// last returns the last lines, at most n.
func (j *journal) last(n int) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]string(nil), j.tail[max(0, len(j.tail)-n):]...)
}

// plain makes a line safe to print.
func plain(line string) string {
	return strings.Join(strings.Fields(model.Printable(line, maxWords)), " ")
}
