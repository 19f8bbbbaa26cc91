// Package commandlog has the log of what the user did in the app, each action with the command line that does the same,
// and the box that shows it. The log is kept in memory only.
//
// Watch puts the log between the screens and the use cases, so that a screen needs no code for it. Actions that call no
// use case, such as filters, are added by the frame.
package commandlog

import (
	"strings"
	"sync"
	"time"
)

// Entry is an action of the user.
type Entry struct {
	At   time.Time
	Text string // what was done, such as "search"
	// Command is the command line that does the same, "" if there is none.
	Command string
	Failed  bool // the action ended with an error
}

// maxEntries is the maximum number of entries of a log. Older entries are dropped.
const maxEntries = 1000

// maxCommand is the maximum length of a command line in a log, in bytes. A longer one is left out, because a part of it
// does something else.
const maxCommand = 64 << 10

// Log has the newest actions. Its methods may be called from any goroutine.
type Log struct {
	now func() time.Time

	mu      sync.Mutex
	entries []Entry // the oldest first
	dropped int     // number of entries that were dropped
}

// New returns an empty log. now is the clock.
func New(now func() time.Time) *Log { return &Log{now: now} }

// Add adds an action that was done now.
func (l *Log) Add(text, command string) { l.add(Entry{Text: text, Command: command}) }

func (l *Log) add(e Entry) {
	if len(e.Command) > maxCommand {
		e.Command = ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e.At = l.now()
	l.entries = append(l.entries, e)
	if over := len(l.entries) - maxEntries; over > 0 {
		l.entries = append([]Entry(nil), l.entries[over:]...)
		l.dropped += over
	}
}

// ended adds an action that has ended with an error, or with nil.
func (l *Log) ended(text, command string, err error) {
	l.add(Entry{Text: text, Command: command, Failed: err != nil})
}

// Entries returns the entries, the oldest first, and the number of older ones that were dropped.
func (l *Log) Entries() (all []Entry, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Entry(nil), l.entries...), l.dropped
}

// Script returns the entries as a shell script. An action without a command line is a comment.
func Script(all []Entry) string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n# What was done in Sonde, as commands. Secrets are not in it.\n")
	for _, e := range all {
		b.WriteString("\n# " + e.At.Format("15:04:05") + " " + oneLine(e.Text))
		if e.Failed {
			b.WriteString(" (failed)")
		}
		if e.Command == "" {
			b.WriteString(": no command does this\n")
			continue
		}
		b.WriteString("\n" + e.Command + "\n")
	}
	return b.String()
}

// oneLine replaces line breaks and other control characters by blanks, so that a text cannot leave its comment.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}
