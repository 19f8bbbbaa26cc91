// Package home is what Sonde has of a person on this machine: the preferences that
// they write down, and what it remembers from one start to the next.
package home

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sonde/ui/theme"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// Prefs are a person's preferences, whatever the API. What they do not say, or not
// rightly, is as in NewPrefs.
type Prefs struct {
	Theme string
	ASCII bool
	Keys  []Rebound // in the file's order
	// Wrong is what could not be taken of the file.
	Wrong []Wrong
}

// Wrong is a thing in a file that cannot be taken as it is; Line counts from 1, and is
// 0 where it is about the whole file.
type Wrong struct {
	Line int
	Text string
}

// Rebound is a key that does on a screen, or everywhere, what another one does.
type Rebound struct {
	Screen, Key, As string
	Line            int
}

// NewPrefs are the preferences of somebody who has none.
func NewPrefs() Prefs { return Prefs{Theme: theme.Auto} }

// PrefsFile is where the preferences are looked for: in the place that XDG has for
// that, else where the system keeps such files.
func PrefsFile() (string, error) {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // as XDG wants it
		var err error
		dir, err = os.UserConfigDir()
		if err != nil {
			return "", fmt.Errorf("no place for preferences: %w", err)
		}
	}
	return filepath.Join(dir, "sonde", "config.yaml"), nil
}

// mostBytes is more than anybody writes.
const mostBytes = 64 << 10

// ReadPrefs reads the preferences in a file, which need not be there.
func ReadPrefs(path string) Prefs {
	data, err := readUpTo(path, mostBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return NewPrefs()
	case err != nil:
		p := NewPrefs()
		p.wrong(0, "%v", err)
		return p
	}
	return ParsePrefs(data)
}

// readUpTo reads a file that is no larger than some bytes.
func readUpTo(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%q is larger than %d KiB", path, most>>10)
	}
	return data, err
}

// ParsePrefs takes what is right of a file and lists the rest.
func ParsePrefs(data []byte) Prefs {
	p := NewPrefs()
	top, err := parse(data)
	switch {
	case err != nil:
		line, text := 0, err.Error()
		if load := new(yaml.LoadError); errors.As(err, &load) {
			line, text = load.Mark.Line, load.Message
		}
		p.wrong(line, "%s", text)
	case top != nil && top.Kind != yaml.MappingNode:
		p.wrong(top.Line, "the keys %s belong here", known())
	case top != nil:
		each(top, p.take)
	}
	return p
}

// parse returns the one value of a file, nil where there is none.
func parse(data []byte) (*yaml.Node, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithPlugin(loaderlimits.New(loaderlimits.AliasNone())))
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := loader.Load(&doc); errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0 {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return doc.Content[0], nil
}

// readers take the value of each key that is known.
var readers = map[string]func(*Prefs, *yaml.Node){
	"theme":  func(p *Prefs, v *yaml.Node) { p.oneOf(&p.Theme, "theme", v, theme.Names()...) },
	"glyphs": (*Prefs).glyphs,
	"keys":   (*Prefs).keys,
}

func known() string { return strings.Join(slices.Sorted(maps.Keys(readers)), ", ") }

func (p *Prefs) take(key, value *yaml.Node) {
	read, ok := readers[key.Value]
	if !ok {
		p.wrong(key.Line, "%.60q is no setting: there are %s", key.Value, known())
		return
	}
	if value.ShortTag() != "!!null" {
		read(p, value)
	}
}

func (p *Prefs) glyphs(v *yaml.Node) {
	var word string
	p.oneOf(&word, "glyphs", v, "unicode", "ascii")
	p.ASCII = word == "ascii"
}

// keys takes for each screen which key does what another one does.
func (p *Prefs) keys(v *yaml.Node) {
	each(v, func(where, all *yaml.Node) {
		if all.Kind != yaml.MappingNode {
			p.wrong(all.Line, "the keys of %.20q are such as {x: space}, where x does what space does", where.Value)
		}
		each(all, func(k, as *yaml.Node) {
			p.Keys = append(p.Keys, Rebound{Screen: where.Value, Key: k.Value, As: as.Value, Line: k.Line})
		})
	})
	if v.Kind != yaml.MappingNode {
		p.wrong(v.Line, "keys takes screens, such as seqs, or everywhere")
	}
}

// each goes over a mapping; what is none has nothing in it.
func each(v *yaml.Node, do func(key, value *yaml.Node)) {
	for i := 0; v.Kind == yaml.MappingNode && i+1 < len(v.Content); i += 2 {
		do(v.Content[i], v.Content[i+1])
	}
}

// oneOf takes one of some words.
func (p *Prefs) oneOf(to *string, key string, v *yaml.Node, words ...string) {
	switch {
	case v.Kind == yaml.ScalarNode && slices.Contains(words, v.Value):
		*to = v.Value
	case v.Kind != yaml.ScalarNode:
		p.wrong(v.Line, "%s takes one of %s", key, strings.Join(words, ", "))
	default:
		p.wrong(v.Line, "%s is %.60q: take one of %s", key, v.Value, strings.Join(words, ", "))
	}
}

func (p *Prefs) wrong(line int, format string, args ...any) {
	p.Wrong = append(p.Wrong, Wrong{line, fmt.Sprintf(format, args...)})
}
