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

// InsertUser returns the text of a configuration with one more user. It changes no other lines. If that is
// not possible, the error says why in one line.
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
	out, err := insertEntry(text, w.String())
	if err != nil {
		return nil, err
	}
	after, err := Parse(out, os.LookupEnv)
	if n := len(before.Users); err != nil || len(after.Users) != n+1 || !sameUser(after.Users[n], u) {
		return nil, errors.New(
			"a user cannot be added to its auth in the form in which that is written: add it by hand, as sonde init shows",
		)
	}
	return out, nil
}

// sameUser reports whether the user that was read back is the user that was written.
func sameUser(read, written model.User) bool {
	return read.Name == written.Name && slices.Equal(read.SecretTexts(), written.SecretTexts())
}

var (
	authKey = regexp.MustCompile(`^auth:[ \t]*(#.*)?$`)
	topLine = regexp.MustCompile(`^[^ \t#\r\n-]`)
	dashed  = regexp.MustCompile(`^([ \t]*)- `)
)

// insertEntry adds an entry after the last entry of the list auth. If there is no key auth, it adds the
// list at the end. It returns an error if auth is written in one line. It changes the indentation of the
// entry from two spaces to that of the list.
func insertEntry(text []byte, entry string) ([]byte, error) {
	lines := strings.SplitAfter(string(text), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return authKey.MatchString(strings.TrimRight(l, "\r\n")) })
	if at < 0 {
		if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "auth:") }) {
			return nil, errors.New("its auth is written in one line: add the user by hand, as sonde init shows")
		}
		return append(ended(text), "auth:\n"+entry...), nil
	}
	end, last, indent := at+1, at, "  "
	for ; end < len(lines) && !topLine.MatchString(lines[end]); end++ {
		if m := dashed.FindStringSubmatch(lines[end]); m != nil && last == at {
			indent = m[1]
		}
		if trimmed := strings.TrimSpace(lines[end]); trimmed != "" && trimmed[0] != '#' {
			last = end
		}
	}
	head := ended([]byte(strings.Join(lines[:last+1], "")))
	return append(append(head, indented(entry, indent)...), strings.Join(lines[last+1:], "")...), nil
}

// indented changes the indentation of an entry from two spaces.
func indented(entry, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(entry) {
		b.WriteString(indent + strings.TrimPrefix(line, "  "))
	}
	return b.String()
}

// ended returns a copy of a text, with a line break at its end unless the text is empty.
func ended(text []byte) []byte {
	text = bytes.Clone(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return text
}

// user writes an entry of auth, with the log-in of the user, if it has one.
func (w *writer) user(u model.User) {
	w.line("  - name: %s", scalar(u.Name))
	w.credentials(u.Sends)
	if u.Login != nil {
		w.login("    ", *u.Login)
	}
}
