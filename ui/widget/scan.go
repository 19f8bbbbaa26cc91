package widget

import (
	"fmt"
	"strings"

	"sonde/ui/theme"
)

// scanner converts valid JSON to rows. It uses no recursion, so depth is not limited.
type scanner struct {
	text   string
	at     int
	rows   []row
	opened []int  // rows whose end has not been read yet
	key    string // the key of the next value
}

// scan returns the rows of valid JSON, at most maxRows rows. If a part of text is left over, one more row has the
// number of the bytes that are left over.
func scan(text string) []row {
	s := &scanner{text: text}
	for s.at < len(text) && len(s.rows) < maxRows {
		s.next()
	}
	if left := len(strings.TrimSpace(text[s.at:])); left > 0 {
		s.add(row{value: fmt.Sprintf("… %d bytes more", left), style: theme.Dim})
		for _, i := range s.opened {
			s.rows[i].end = len(s.rows) - 1
		}
	}
	return s.rows
}

// next reads one token.
func (s *scanner) next() {
	switch c := s.text[s.at]; c {
	case ' ', '\t', '\r', '\n', ':':
		s.at++
	case ',':
		s.rows[len(s.rows)-1].comma = true
		s.at++
	case '{', '[':
		s.begin()
	case '}', ']':
		last := len(s.opened) - 1
		s.rows[s.opened[last]].end = len(s.rows)
		s.opened = s.opened[:last]
		s.rows = append(s.rows, row{value: string(c), depth: last, style: theme.Plain})
		s.at++
	case '"':
		s.word(s.quoted(), theme.Good)
	default:
		s.word(s.bare(), theme.Value)
	}
}

// begin reads the opening bracket of an object or array, or both brackets of an empty one.
func (s *scanner) begin() {
	from := s.at
	s.at++
	rest := strings.TrimLeft(s.text[s.at:], " \t\r\n")
	if rest[0] == '}' || rest[0] == ']' {
		s.at = len(s.text) - len(rest) + 1
		s.add(row{value: s.text[from:from+1] + rest[:1], style: theme.Plain})
		return
	}
	s.add(row{value: s.text[from : from+1], open: true, style: theme.Plain})
	s.opened = append(s.opened, len(s.rows)-1)
}

// word adds a string or another literal. The literal is a key if a colon follows.
func (s *scanner) word(text string, style theme.Style) {
	rest := s.at
	for rest < len(s.text) && strings.IndexByte(" \t\r\n", s.text[rest]) >= 0 {
		rest++
	}
	if rest < len(s.text) && s.text[rest] == ':' {
		s.key, s.at = text, rest+1
		return
	}
	s.add(row{value: text, style: style})
}

// add appends a value's row.
func (s *scanner) add(r row) {
	r.key, r.depth = s.key, len(s.opened)
	s.key = ""
	if r.depth > 0 {
		s.rows[s.opened[r.depth-1]].has++
	}
	s.rows = append(s.rows, r)
}

// quoted reads a string.
func (s *scanner) quoted() string {
	from := s.at
	for s.at++; s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
	return s.text[from:s.at]
}

// bare reads a number, true, false or null.
func (s *scanner) bare() string {
	from := s.at
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n,:]}", s.text[s.at]) < 0 {
		s.at++
	}
	return s.text[from:s.at]
}
