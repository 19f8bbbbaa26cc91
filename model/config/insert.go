package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// InsertUser returns the text of a configuration with an additional user. All other lines stay the same. If this is
// not possible, the error gives the reason in one line.
func InsertUser(text []byte, u model.User) ([]byte, error) {
	before, err := Parse(text, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(before.Users, func(other model.User) bool { return other.Name == u.Name }) {
		return nil, fmt.Errorf("it has a user %q already: change that one there", u.Name)
	}
	w := &writer{}
	w.user(u)
	out, err := insertEntry(text, "auth", w.String())
	if err != nil {
		return nil, fmt.Errorf("%w: add the user by hand, as sonde init shows", err)
	}
	after, err := Parse(out, os.LookupEnv)
	if n := len(before.Users); err != nil || len(after.Users) != n+1 || !sameUser(after.Users[n], u) {
		return nil, errors.New(
			"a user cannot be added to its auth in the form in which that is written: add it by hand, as sonde init shows",
		)
	}
	return out, nil
}

// sameUser reports whether two users have the same name and the same texts that may refer to secrets. One was parsed
// from the new text of the configuration; the other is the user to insert.
func sameUser(read, written model.User) bool {
	return read.Name == written.Name && slices.Equal(read.SecretTexts(), written.SecretTexts())
}

var (
	topLine = regexp.MustCompile(`^[^ \t#\r\n-]`)
	dashed  = regexp.MustCompile(`^([ \t]*)- `)
)

// listLines has the lines of a configuration and the position of one list in them.
type listLines struct {
	lines  []string // with their line breaks
	key    int      // the line of the list's key, -1 if there is none
	last   int      // the last line of the list; blank lines and comments at its end do not count
	indent string   // indentation of the list's dashes
}

// linesOf returns the lines of a configuration with the position of the list under key. It returns an error
// if the list is written in one line.
func linesOf(text []byte, key string) (listLines, error) {
	l := listLines{lines: strings.SplitAfter(string(text), "\n"), indent: "  "}
	alone := regexp.MustCompile(`^` + key + `:[ \t]*(#.*)?$`)
	l.key = slices.IndexFunc(l.lines, func(line string) bool { return alone.MatchString(strings.TrimRight(line, "\r\n")) })
	l.last = l.key
	if l.key < 0 {
		if slices.ContainsFunc(l.lines, func(line string) bool { return strings.HasPrefix(line, key+":") }) {
			return l, fmt.Errorf("its %s is written in one line", key)
		}
		return l, nil
	}
	for i := l.key + 1; i < len(l.lines) && !topLine.MatchString(l.lines[i]); i++ {
		if m := dashed.FindStringSubmatch(l.lines[i]); m != nil && l.last == l.key {
			l.indent = m[1]
		}
		if trimmed := strings.TrimSpace(l.lines[i]); trimmed != "" && trimmed[0] != '#' {
			l.last = i
		}
	}
	return l, nil
}

// replace returns the text of the configuration with other text in place of lines[from:to].
func (l listLines) replace(from, to int, with string) []byte {
	head := ended([]byte(strings.Join(l.lines[:from], "")))
	return append(append(head, with...), strings.Join(l.lines[to:], "")...)
}

// insertEntry inserts an entry after the last entry of the list under key. If the text has no such key, insertEntry
// appends the key with a list of this entry. The given entry is indented by two spaces; insertEntry changes this to
// the indentation of the list. It returns an error if the list is written in one line.
func insertEntry(text []byte, key, entry string) ([]byte, error) {
	l, err := linesOf(text, key)
	switch {
	case err != nil:
		return nil, err
	case l.key < 0:
		return append(ended(text), key+":\n"+entry...), nil
	}
	return l.replace(l.last+1, l.last+1, indented(entry, l.indent)), nil
}

// indented changes the indentation of an entry from two spaces to indent.
func indented(entry, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(entry) {
		b.WriteString(indent + strings.TrimPrefix(line, "  "))
	}
	return b.String()
}

// ended returns a copy of a text that ends in a line break, unless the text is empty.
func ended(text []byte) []byte {
	text = bytes.Clone(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text
}

// user writes an entry of auth, with the log-in if the user has one.
func (w *writer) user(u model.User) {
	w.line("  - name: %s", scalar(u.Name))
	w.credentials(u.Sends)
	if u.Login != nil {
		w.login("    ", *u.Login)
	}
}
