// Package userdata reads and writes the files that Sonde keeps for a user on this machine: the preferences
// (config.yaml), which the user writes, and the state, which has the recent specs and runs of earlier
// sessions.
package userdata

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

	"sonde/ui/draw"
	"sonde/ui/theme"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// Preferences are the user's preferences for all APIs. Missing and invalid settings have the values of
// NewPreferences.
type Preferences struct {
	Theme string
	ASCII bool
	Names draw.Naming  // initial naming of operations
	Keys  []KeyBinding // key bindings in the order of the file
	// Wrong lists the problems of the file.
	Wrong []Problem
}

// Problem is an error in a file. Line is the number of the line, from 1, or 0 if the error concerns the whole file.
type Problem struct {
	Line int
	Text string
}

// KeyBinding assigns another key to an action, on one screen or on all screens.
type KeyBinding struct {
	Screen, Key, As string
	Line            int
}

// NewPreferences returns the defaults.
func NewPreferences() Preferences { return Preferences{Theme: theme.Auto} }

// PreferencesFile returns the path of the preferences, in XDG_CONFIG_HOME or otherwise in the system's
// folder for configurations.
func PreferencesFile() (string, error) {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // XDG requires relative paths to be ignored
		var err error
		dir, err = os.UserConfigDir()
		if err != nil {
			return "", fmt.Errorf("cannot find the folder of the preferences: %w", err)
		}
	}
	return filepath.Join(dir, "sonde", "config.yaml"), nil
}

// maxBytes is the maximum size of the preferences.
const maxBytes = 64 << 10

// ReadPreferences reads the preferences from a file. If the file does not exist, it returns the defaults. If the file
// cannot be read, it returns the defaults and a problem.
func ReadPreferences(path string) Preferences {
	data, err := readUpTo(path, maxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return NewPreferences()
	case err != nil:
		p := NewPreferences()
		p.wrong(0, "%v", err)
		return p
	}
	return ParsePreferences(data)
}

// readUpTo reads a file, and returns an error if it is too large.
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

// ParsePreferences reads the valid part of a file, and lists the problems of the rest.
func ParsePreferences(data []byte) Preferences {
	p := NewPreferences()
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

// parse returns the YAML value of a file, or nil if the file is empty.
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

// readers has, for each known key, the function that reads the value of the key.
var readers = map[string]func(*Preferences, *yaml.Node){
	"theme":  func(p *Preferences, v *yaml.Node) { p.oneOf(&p.Theme, "theme", v, theme.Names()...) },
	"glyphs": (*Preferences).glyphs,
	"keys":   (*Preferences).keys,
	"names":  (*Preferences).names,
}

func known() string { return strings.Join(slices.Sorted(maps.Keys(readers)), ", ") }

func (p *Preferences) take(key, value *yaml.Node) {
	read, ok := readers[key.Value]
	if !ok {
		p.wrong(key.Line, "%.60q is no setting: there are %s", key.Value, known())
		return
	}
	if value.ShortTag() != "!!null" {
		read(p, value)
	}
}

func (p *Preferences) glyphs(v *yaml.Node) {
	var word string
	p.oneOf(&word, "glyphs", v, "unicode", "ascii")
	p.ASCII = word == "ascii"
}

func (p *Preferences) names(v *yaml.Node) {
	word := p.Names.String()
	p.oneOf(&word, "names", v, draw.NamingWords()...)
	p.Names = draw.ParseNaming(word)
}

// keys reads the key bindings of each screen.
func (p *Preferences) keys(v *yaml.Node) {
	each(v, func(where, all *yaml.Node) {
		if all.Kind != yaml.MappingNode {
			p.wrong(all.Line, "the keys of %.20q are such as {x: space}, where x does what space does", where.Value)
		}
		each(all, func(k, as *yaml.Node) {
			p.Keys = append(p.Keys, KeyBinding{Screen: where.Value, Key: k.Value, As: as.Value, Line: k.Line})
		})
	})
	if v.Kind != yaml.MappingNode {
		p.wrong(v.Line, "keys takes screens, such as seqs, or everywhere")
	}
}

// each calls a function for each entry of a mapping.
func each(v *yaml.Node, do func(key, value *yaml.Node)) {
	for i := 0; v.Kind == yaml.MappingNode && i+1 < len(v.Content); i += 2 {
		do(v.Content[i], v.Content[i+1])
	}
}

// oneOf reads a value that must be one of the given words into *to. Any other value is recorded as a problem.
func (p *Preferences) oneOf(to *string, key string, v *yaml.Node, words ...string) {
	switch {
	case v.Kind == yaml.ScalarNode && slices.Contains(words, v.Value):
		*to = v.Value
	case v.Kind != yaml.ScalarNode:
		p.wrong(v.Line, "%s takes one of %s", key, strings.Join(words, ", "))
	default:
		p.wrong(v.Line, "%s is %.60q: take one of %s", key, v.Value, strings.Join(words, ", "))
	}
}

func (p *Preferences) wrong(line int, format string, args ...any) {
	p.Wrong = append(p.Wrong, Problem{line, fmt.Sprintf(format, args...)})
}
