// Package tty drives a program in a pseudo-terminal. The end-to-end tests and the program
// that draws the pictures of the documentation use it.
package tty

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// Session is a program in a terminal.
type Session struct {
	cmd    *exec.Cmd
	pty    *os.File
	screen vt10x.Terminal
	done   chan struct{} // closed when the program's output has ended
}

// Start runs a command in a terminal of width × height cells. The terminal understands 256 colours.
func Start(cmd *exec.Cmd, width, height int) (*Session, error) {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", fmt.Sprintf("COLUMNS=%d", width), fmt.Sprintf("LINES=%d", height))
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)})
	if err != nil {
		return nil, err
	}
	s := &Session{cmd: cmd, pty: f, done: make(chan struct{})}
	s.screen = vt10x.New(vt10x.WithSize(width, height), vt10x.WithWriter(f))
	go s.read()
	return s, nil
}

// background is the request for the terminal's background colour, and dark is the answer. The emulator
// itself does not answer, so that a program would wait.
const (
	background = "\x1b]11;?"
	dark       = "\x1b]11;rgb:1616/1818/1d1d\x1b\\"
)

func (s *Session) read() {
	defer close(s.done)
	buf, held := make([]byte, 1<<16), 0
	for {
		n, err := s.pty.Read(buf[held:])
		n += held
		if strings.Contains(string(buf[held:n]), background) {
			s.pty.WriteString(dark)
		}
		whole := whole(buf[:n])
		s.screen.Write(buf[:whole])
		if err != nil {
			return
		}
		held = copy(buf, buf[whole:n])
	}
}

// whole returns the length of a text without an incomplete character at its end. The emulator would lose
// such a character.
func whole(text []byte) int {
	for i := max(0, len(text)-utf8.UTFMax+1); i < len(text); i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			return i
		}
	}
	return len(text)
}

// Type sends keys: text, or the escape sequences that a terminal sends.
func (s *Session) Type(keys string) error {
	_, err := s.pty.WriteString(keys)
	return err
}

// Resize changes the terminal's size. The program gets a signal.
func (s *Session) Resize(width, height int) error {
	s.screen.Resize(width, height)
	return pty.Setsize(s.pty, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)})
}

// Lines returns the lines of the screen.
func (s *Session) Lines() []string {
	s.screen.Lock()
	defer s.screen.Unlock()
	width, height := s.screen.Size()
	lines := make([]string, height)
	for y := range lines {
		var b strings.Builder
		for x := range width {
			b.WriteRune(visible(s.screen.Cell(x, y).Char))
		}
		lines[y] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

func visible(r rune) rune {
	if r == 0 {
		return ' '
	}
	return r
}

// WaitFor waits until the screen shows a text. If it does not within patience, the error contains the
// screen.
func (s *Session) WaitFor(text string, patience time.Duration) error {
	return s.Until(fmt.Sprintf("%q", text), patience, func(screen string) bool { return strings.Contains(screen, text) })
}

// Until waits until the function ok returns true for the screen. If this does not happen within patience, the error
// contains the screen and a description of the condition, which is the parameter what.
func (s *Session) Until(what string, patience time.Duration, ok func(screen string) bool) error {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		screen := strings.Join(s.Lines(), "\n")
		if ok(screen) {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("waited %v for %s; the screen shows\n%s", patience, what, screen)
		}
	}
}

// Wait waits until the program has ended, and returns its exit code. If the program does not end within
// patience, the error contains the screen.
func (s *Session) Wait(patience time.Duration) (int, error) {
	select {
	case <-s.done:
	case <-time.After(patience):
		return 0, fmt.Errorf("still running after %v; the screen shows\n%s", patience, strings.Join(s.Lines(), "\n"))
	}
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// Kill kills the program and its children if the program is still running. A child that ignores the hang-up
// of the terminal, as under nohup, would otherwise keep the terminal open.
func (s *Session) Kill() {
	if s.cmd.ProcessState == nil { // otherwise the process ID may be another program's
		kill(s.cmd.Process)
	}
	s.pty.Close()
	s.cmd.Wait() // reap the process; the error only says that it was killed
}
