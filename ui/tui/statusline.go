package tui

import (
	"time"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// statusLine shows one message at the bottom of the app, in place of the keys. The message disappears after
// some seconds or at the next key.
type statusLine struct {
	message  screen.StatusMessage // the shown message, zero for none
	no       int                  // the number of the latest message
	duration time.Duration        // the time for which a message is shown
}

// statusExpired is sent to end the message with the number no.
type statusExpired struct{ no int }

// show shows a message and returns the command that ends it.
func (s *statusLine) show(msg screen.StatusMessage) tea.Cmd {
	s.message = msg
	s.no++
	no := s.no
	return tea.Tick(s.duration, func(time.Time) tea.Msg { return statusExpired{no} })
}

// expire clears the message unless a later one is shown.
func (s *statusLine) expire(msg statusExpired) {
	if msg.no == s.no {
		s.clear()
	}
}

func (s *statusLine) clear() { s.message = screen.StatusMessage{} }

func (s *statusLine) empty() bool { return s.message == screen.StatusMessage{} }

// line draws the message.
func (s *statusLine) line(width int) string {
	if err := s.message.Err; err != nil {
		return draw.FitLine(theme.Bad.Render(" "+theme.Failed+" "+draw.Clean(err.Error())), width)
	}
	return draw.FitLine(" "+draw.Clean(s.message.Text), width)
}
