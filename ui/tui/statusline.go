package tui

import (
	"strings"
	"time"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// statusLine shows one message above the key line, over the last lines of what is drawn there. The message disappears
// after some seconds or at the next key.
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

// maxStatusLines is the maximum number of lines of a message. The rest of the message is cut.
const maxStatusLines = 3

// lines draws the message. It returns nil if there is none. A message of one line has only the cells that it needs, so
// that other notes in the border below it stay readable.
func (s *statusLine) lines(width int) []string {
	if s.empty() {
		return nil
	}
	mark, style, text := theme.Said, theme.Strong, s.message.Text
	if err := s.message.Err; err != nil {
		mark, style, text = theme.Failed, theme.Bad, err.Error()
	}
	room := max(1, width-4)
	rows := words.Wrap(ansi.Truncate(draw.Clean(text), maxStatusLines*room, "…"), room)
	if len(rows) > maxStatusLines {
		rows = rows[:maxStatusLines]
		rows[maxStatusLines-1] = ansi.Truncate(rows[maxStatusLines-1], room-1, "") + "…"
	}
	for i, row := range rows {
		rows[i] = style.Render(" " + mark + " " + row + " ")
		mark = " "
	}
	return fitRows(rows, width)
}

// fitRows pads several rows to a width. It returns a single row as it is.
func fitRows(rows []string, width int) []string {
	if len(rows) > 1 {
		for i, row := range rows {
			rows[i] = draw.FitLine(row, width)
		}
	}
	return rows
}

// over draws the message over the last lines of a picture.
func (s *statusLine) over(picture string, width int) string {
	rows := s.lines(width)
	if rows == nil {
		return picture
	}
	if len(rows) == 1 {
		below := picture[strings.LastIndex(picture, "\n")+1:]
		rows[0] = draw.FitLine(rows[0], textEnd(ansi.Strip(below), ansi.StringWidth(rows[0])))
	}
	return draw.Overlay(picture, strings.Join(rows, "\n"), 0, strings.Count(picture, "\n")+1-len(rows))
}

// textEnd returns the column after the text that is at a column of a row: the column where a border continues, or the end of the row.
// So no part of a text is left beside a message.
func textEnd(row string, column int) int {
	width := ansi.StringWidth(row)
	for column < width && !strings.ContainsAny(ansi.Cut(row, column, column+1), "─│╯╰") {
		column++
	}
	return column
}

// covers reports whether the message is drawn over row y, if it is drawn above row end.
func (s *statusLine) covers(y, end, width int) bool { return y < end && y >= end-len(s.lines(width)) }
