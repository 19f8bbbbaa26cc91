package model

import (
	"fmt"
	"strings"
)

// Summary describes the stub's first answer in a word or two, with "…" if more follow. For a stub without answers, it
// returns "prologue" if the stub has one, and otherwise "nothing of its own".
func (s Stub) Summary() string {
	answers := s.AllAnswers()
	switch {
	case len(answers) > 0:
	case len(s.Prologue) > 0:
		return "prologue"
	default:
		return "nothing of its own"
	}
	text := answers[0].Label(s.Protocol)
	if len(answers) > 1 {
		text += " …"
	}
	return text
}

// String describes the messages that match, "" if all messages match.
func (m StubMatch) String() string {
	var parts []string
	add := func(on bool, text string) {
		if on {
			parts = append(parts, text)
		}
	}
	add(m.Method != "", m.Method)
	add(m.Path != "", m.Path)
	add(len(m.Query) > 0, fmt.Sprintf("with %d of the query", len(m.Query)))
	add(len(m.Header) > 0, fmt.Sprintf("with %d of the headers", len(m.Header)))
	add(m.JSON != "", "with "+m.JSON)
	add(m.Equals != "", fmt.Sprintf("%q", m.Equals))
	add(m.Prefix != "", fmt.Sprintf("%q…", m.Prefix))
	add(m.Regexp != "", "/"+m.Regexp+"/")
	add(m.Nth > 0, fmt.Sprintf("number %d", m.Nth))
	return strings.Join(parts, " ")
}
