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

// Limits of a log.
const (
	maxLog      = 4 << 20  // bytes of each of the two files; the name of the older file ends in ".1"
	maxLine     = 16 << 10 // bytes of a line; longer lines are split
	maxTail     = 200      // how many of the last lines are kept in memory
	maxTailLine = 300      // bytes of a line in memory
)

// serviceLog is the log of a service's output. It writes the lines to a file, if it has a path, and
// keeps the last lines in memory. It is safe for concurrent use.
type serviceLog struct {
	mu    sync.Mutex
	path  string   // "" for a log without a file
	file  *os.File // nil if there is none
	size  int      // bytes of the file so far
	limit int      // maximum of size
	mask  *redact.Matcher
	// issued masks the secrets that log-ins have returned; nil if there are no log-ins.
	issued func(string) string
	tail   []string // the last lines
}

// openLog opens a log. The log appends to a file that exists at path if appends is true, otherwise it
// replaces the file. If path is "", the log has no file.
func openLog(path string, mask *redact.Matcher, appends bool) (*serviceLog, error) {
	l := &serviceLog{path: path, mask: mask, limit: maxLog}
	switch {
	case path == "":
		return l, nil
	case appends:
		return l, l.open(os.O_APPEND)
	}
	return l, l.open(os.O_TRUNC)
}

// open opens or creates the file. flags is os.O_APPEND or os.O_TRUNC.
func (l *serviceLog) open(flags int) (err error) {
	err = os.MkdirAll(filepath.Dir(l.path), 0o700)
	if err == nil {
		l.file, err = os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|flags, 0o600)
	}
	if err == nil {
		_ = l.file.Chmod(0o600) // an older version may have created it
	}
	if err != nil {
		return fmt.Errorf("cannot keep the service's log: %w", err)
	}
	l.size = 0
	if info, err := l.file.Stat(); err == nil {
		l.size = int(info.Size())
	}
	return nil
}

// drain adds the lines of r until r ends. It never stops earlier, because a service blocks if its
// output is not read.
func (l *serviceLog) drain(r io.Reader) {
	buf, part := make([]byte, 32<<10), []byte(nil)
	for {
		n, err := r.Read(buf)
		part = l.lines(append(part, buf[:n]...))
		if err != nil {
			if len(part) > 0 {
				l.add(string(part))
			}
			return
		}
	}
}

// lines adds the complete lines of data and returns the rest. It splits lines longer than maxLine.
func (l *serviceLog) lines(data []byte) []byte {
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
		l.add(string(line))
	}
}

// maskIssued makes the log mask the secrets that log-ins return. A line that the service prints before it answers a
// log-in is not masked, because Sonde does not know the secret yet.
func (l *serviceLog) maskIssued(mask func(string) string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.issued = mask
}

// add adds one line.
func (l *serviceLog) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line = l.mask.MaskText(strings.TrimSuffix(line, "\r"), redact.BodyText)
	if l.issued != nil {
		line = l.issued(line)
	}
	if words := plain(line); words != "" {
		if len(l.tail) == maxTail {
			l.tail = append(l.tail[:0], l.tail[1:]...)
		}
		l.tail = append(l.tail, words)
	}
	l.write(line + "\n")
}

// write writes a line to the file. It first begins a new file if the file would otherwise grow too long.
// If writing fails, the log continues without a file.
func (l *serviceLog) write(line string) {
	if l.file == nil {
		return
	}
	if l.size+len(line) > l.limit && !l.rotate() {
		return
	}
	n, err := l.file.WriteString(line)
	l.size += n
	if err != nil {
		l.shut()
	}
}

// rotate renames the file and begins a new one. If that fails, it returns false, and the log has no file.
func (l *serviceLog) rotate() bool {
	l.shut()
	if os.Rename(l.path, l.path+".1") != nil || l.open(os.O_TRUNC) != nil {
		return false
	}
	n, _ := fmt.Fprintf(l.file, "sonde: the lines before are in %s.1, and the older ones in that file are deleted\n", filepath.Base(l.path))
	l.size = n
	return true
}

// shut closes the file. The caller holds l.mu.
func (l *serviceLog) shut() {
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}

func (l *serviceLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shut()
}

// begin writes a note to the file, and drops the last lines from memory.
func (l *serviceLog) begin(note string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = nil
	l.write("sonde: " + note + "\n")
}

// failureLinePattern matches the line with which a program's report of its crash begins. A stack
// trace usually follows the line.
var failureLinePattern = regexp.MustCompile(`^(panic|fatal error|runtime): |^SIG[A-Z]+: |^Exception in thread `)

// failureLine returns the line that best explains why the program ended: the last line that
// matches failureLinePattern, or else the last line. It returns "" if the program printed nothing.
func (l *serviceLog) failureLine() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range slices.Backward(l.tail) {
		if failureLinePattern.MatchString(line) {
			return line
		}
	}
	if n := len(l.tail); n > 0 {
		return l.tail[n-1]
	}
	return ""
}

// last returns the last lines, at most n.
func (l *serviceLog) last(n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.tail[max(0, len(l.tail)-n):]...)
}

// plain returns a line that is safe to print, with at most maxTailLine bytes.
func plain(line string) string {
	return strings.Join(strings.Fields(model.Printable(line, maxTailLine)), " ")
}
