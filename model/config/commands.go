package config

import (
	"fmt"
	"path/filepath"
)

// AllowedCommand is a command that a worker process may run on behalf of another process.
type AllowedCommand struct {
	Run []string // as in sut.run of a sonde.yaml; may contain placeholders
	Dir string   // the folder on the worker's machine in which the command runs
}

// LoadCommands reads a file with a list of allowed commands. A relative Dir is relative to the folder of the file.
// The error has the form of Load's.
func LoadCommands(path string) ([]AllowedCommand, error) {
	data, err := contents("configuration", path, "docs/distributed.md shows one")
	if err != nil {
		return nil, err
	}
	all, err := ParseCommands(data)
	if err != nil {
		return nil, fmt.Errorf("configuration %q: %w", path, err)
	}
	for i, c := range all {
		if !filepath.IsAbs(c.Dir) {
			all[i].Dir = filepath.Join(filepath.Dir(path), c.Dir)
		}
	}
	return all, nil
}

// ParseCommands parses the text of a file with allowed commands. It does not change paths.
func ParseCommands(data []byte) ([]AllowedCommand, error) {
	v, err := parse(data)
	if err != nil {
		return nil, err
	}
	var all []AllowedCommand
	d := &decoder{}
	s := serviceDecoder{decoder: d}
	d.each(v, func(kid *value) {
		var c AllowedCommand
		d.object(kid, "a command", fields{"run": s.command(&c.Run), "dir": d.text(&c.Dir)})
		if len(c.Run) == 0 {
			d.fail(kid, "a command needs run, such as run: [python3, app.py, --port, \"{port}\"]")
		}
		all = append(all, c)
	})
	return all, d.err
}
