package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"sonde/model"
)

// PutCorrection returns the text of a configuration with a correction of a value. If the text already has a
// correction of the same value in the same scope, the new one replaces it and keeps its comments. Otherwise the
// correction is appended. All other lines stay the same. If this is not possible, the error gives the reason in one
// line.
func PutCorrection(text []byte, c model.ValueCorrection) ([]byte, error) {
	w := &writer{}
	w.correction(c)
	return changeCorrections(text, func(now []model.ValueCorrection) ([]byte, []model.ValueCorrection, error) {
		i := slices.IndexFunc(now, c.HasScopeOf)
		if i < 0 {
			out, err := insertEntry(text, "values", w.String())
			return out, append(slices.Clip(now), c), err
		}
		after := slices.Clone(now)
		after[i] = c
		e, err := entryOf(text, "values", i)
		if err != nil {
			return nil, nil, err
		}
		return e.replaced(w.String()), after, nil
	})
}

// RemoveCorrection returns the text of a configuration without the correction of the same value in the same scope as
// c. All other lines stay the same. If there is no such correction, or if it cannot be removed, the error gives the
// reason in one line.
func RemoveCorrection(text []byte, c model.ValueCorrection) ([]byte, error) {
	return changeCorrections(text, func(now []model.ValueCorrection) ([]byte, []model.ValueCorrection, error) {
		i := slices.IndexFunc(now, c.HasScopeOf)
		if i < 0 {
			return nil, nil, fmt.Errorf("it has no correction of %q there", c.Value)
		}
		e, err := entryOf(text, "values", i)
		if err != nil {
			return nil, nil, err
		}
		return e.removed(len(now) == 1), slices.Delete(slices.Clone(now), i, i+1), nil
	})
}

// changeCorrections returns the changed text of a configuration. The function change gets the current corrections, and
// returns the new text and the corrections that Parse must find in it. If Parse finds other corrections, or if another
// setting has changed, changeCorrections returns an error.
func changeCorrections(
	text []byte, change func(now []model.ValueCorrection) ([]byte, []model.ValueCorrection, error),
) ([]byte, error) {
	before, err := Parse(text, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	out, want, err := change(before.Values)
	if err != nil {
		return nil, err
	}
	after, err := Parse(out, os.LookupEnv)
	same := err == nil && slices.Equal(after.Values, want)
	before.Values, after.Values = nil, nil
	if !same || !reflect.DeepEqual(before, after) {
		return nil, errors.New("its values cannot be changed in the form in which they are written: change them by hand")
	}
	return out, nil
}

// correction writes an entry of the section values.
func (w *writer) correction(c model.ValueCorrection) {
	text := "value: " + scalar(c.Value)
	for _, member := range [][2]string{{"in", c.In}, {"field", c.Field}, {"kind", string(c.Kind)}, {"is", c.Is}} {
		if member[1] != "" {
			text += ", " + member[0] + ": " + scalar(member[1])
		}
	}
	w.line("  - {%s}", text)
}

// entryLines are the lines of one entry of a list: the half-open range [from, to).
type entryLines struct {
	listLines
	from, to int
}

// entryOf returns the lines of the entry at an index of the list under key. It returns an error if the list is written
// in one line, or if it has no such entry.
func entryOf(text []byte, key string, index int) (entryLines, error) {
	l, err := linesOf(text, key)
	if err != nil {
		return entryLines{}, fmt.Errorf("%w: change it by hand", err)
	}
	root, err := parse(text)
	if err != nil {
		return entryLines{}, err
	}
	e := entryLines{listLines: l, to: l.last + 1}
	list := root.get(key)
	if l.key < 0 || list == nil || index >= len(list.kids) {
		return e, fmt.Errorf("its %s cannot be changed in the form in which they are written: change them by hand", key)
	}
	e.from = list.kids[index].line - 1
	if index+1 < len(list.kids) {
		e.to = list.kids[index+1].line - 1
	}
	for e.to > e.from+1 && isRemark(l.lines[e.to-1]) {
		e.to--
	}
	return e, nil
}

// isRemark reports whether a line is blank or has only a comment.
func isRemark(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

// replaced returns the text with a new entry of one line in place of this entry. If the old entry has one comment, the
// comment is moved to the end of the new line. Several comments are moved to lines above the new line.
func (e entryLines) replaced(entry string) []byte {
	var comments []string
	for _, line := range e.lines[e.from:e.to] {
		if c := commentIn(line); c != "" {
			comments = append(comments, c)
		}
	}
	entry = indented(entry, e.indent)
	if len(comments) == 1 {
		return e.replace(e.from, e.to, strings.TrimSuffix(entry, "\n")+"  "+comments[0]+"\n")
	}
	var above strings.Builder
	for _, c := range comments {
		above.WriteString(e.indent + c + "\n")
	}
	return e.replace(e.from, e.to, above.String()+entry)
}

// removed returns the text without the entry. only reports whether the list has no other entry. In this case the key
// of the list is removed, too, if its line is directly above the entry and has no comment.
func (e entryLines) removed(only bool) []byte {
	if from := e.key; only && e.from == from+1 && commentIn(e.lines[from]) == "" {
		return e.replace(from, e.to, "")
	}
	return e.replace(e.from, e.to, "")
}

// commentIn returns the comment of a line, "" if the line has none.
func commentIn(line string) string {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return strings.TrimSpace(line[i:])
		}
	}
	return ""
}
