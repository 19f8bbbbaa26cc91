package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strconv"

	"go.yaml.in/yaml/v4"
)

// sonde builds Sonde in the folder work.
func sonde(ctx context.Context, work string) (tool, error) {
	program := filepath.Join(work, "sonde")
	if err := build(ctx, ".", ".", program); err != nil {
		return tool{}, err
	}
	version, err := fingerprint(nil, program)
	return tool{name: "Sonde", version: version, command: sondeSearch(program)}, err
}

// sondeSearch returns the command of Sonde for a run. Like the other tools, Sonde continues the search if a call
// ends the session of its only user.
func sondeSearch(program string) func(target, job) ([]string, error) {
	return func(t target, j job) ([]string, error) {
		config := map[string]any{}
		maps.Copy(config, t.sonde)
		if len(t.users) > 0 {
			config["auth"] = credentials(t.users)
		}
		text, err := yaml.Marshal(config)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(t.dir, "sonde.yaml")
		return []string{
			program, "search", t.spec, "--url", t.url + t.base, "--config", file, "--calls", strconv.Itoa(j.requests),
			"--seed", strconv.Itoa(j.seed), "-o", "run", "--keep-going",
		}, os.WriteFile(file, text, 0o600)
	}
}
