package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// sonde builds Sonde in the folder work, and returns it as a tool. If the way has probes, the tool itself builds and
// starts the service.
func sonde(ctx context.Context, work string, w way) (tool, error) {
	program := filepath.Join(work, "sonde")
	if err := build(ctx, ".", ".", program); err != nil {
		return tool{}, err
	}
	version, err := fingerprint(nil, program)
	if err != nil {
		return tool{}, err
	}
	command := []string{program}
	if w.probes {
		cache, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
		if err != nil {
			return tool{}, fmt.Errorf("go env GOCACHE: %w", err)
		}
		// In a run, the folder for caches is empty. So the run gets Go's cache by its path.
		command = []string{"env", "GOCACHE=" + strings.TrimSpace(string(cache)), program}
	}
	return tool{name: w.name, version: version, command: sondeSearch(command, w.flags...), starts: w.probes}, nil
}

// way is a way in which Sonde searches.
type way struct {
	name   string
	probes bool
	flags  []string
}

// The ways of Sonde. In the last two, Sonde searches the same service with the same probes.
var (
	plainWay = way{name: "Sonde"}
	whiteWay = way{name: "Sonde white-box", probes: true}
	blackWay = way{name: "Sonde black-box", probes: true, flags: []string{"--black"}}
)

// sondeSearch returns a function that writes sonde.yaml for a run and returns the run's command. program is how Sonde
// is started. With --keep-going Sonde continues, like the other tools, when a call has ended the session of its only
// user.
func sondeSearch(program []string, flags ...string) func(target, job) ([]string, error) {
	return func(t target, j job) ([]string, error) {
		config := map[string]any{}
		maps.Copy(config, t.sonde)
		if len(t.users) > 0 {
			config["auth"] = credentials(t.users)
		}
		at := []string{"--url", t.url + t.base}
		if t.sut != nil {
			at, config["url"], config["sut"] = nil, t.url+t.base, t.sut // with --url Sonde would not start the service
		}
		text, err := yaml.Marshal(config)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(t.dir, "sonde.yaml")
		command := slices.Concat(program, []string{"search", t.spec}, at)
		command = append(command, "--config", file, "--calls", strconv.Itoa(j.requests), "--seed", strconv.Itoa(j.seed),
			"-o", "run", "--keep-going")
		return append(command, flags...), os.WriteFile(file, text, 0o600)
	}
}
