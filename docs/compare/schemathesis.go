package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// flags are flags for all phases of Schemathesis: examples, coverage, fuzzing and stateful. With
// --max-time, fuzzing and stateful alternate until no requests are left. A low value of --max-examples
// makes them alternate several times.
var flags = []string{"--max-time", "3600", "--max-examples", "30", "--suppress-health-check", "all", "--no-color"}

// schemathesis returns Schemathesis with its version. If persistent is set, it continues to test an
// operation that has failed.
func schemathesis(ctx context.Context, program string, extra []string, persistent bool) (tool, error) {
	program, err := absolute(program)
	if err != nil {
		return tool{}, fmt.Errorf("there is no Schemathesis (%w): pip install schemathesis, and name its command with -st", err)
	}
	version, err := exec.CommandContext(ctx, program, "--version").Output()
	if err != nil {
		return tool{}, fmt.Errorf("-st: %q does not print a version as Schemathesis does: %w", program, err)
	}
	t, all := tool{name: "Schemathesis, stopping"}, slices.Clone(flags)
	if persistent {
		t.name = "Schemathesis"
		all = append(all, "--continue-on-failure")
	}
	all = append(all, extra...)
	t.version = strings.TrimSpace(string(version)) + " " + strings.Join(all, " ")
	t.command = schemathesisRun(program, all)
	return t, nil
}

// schemathesisRun returns the command of Schemathesis for a run. Schemathesis tries several users one after the
// other until an operation accepts one, so the user with the most permissions should be the first. The users are
// configured as peers, so Schemathesis also checks whether one user can read the data of another.
func schemathesisRun(program string, flags []string) func(target, job) ([]string, error) {
	return func(t target, j job) ([]string, error) {
		c := []string{program}
		if len(t.users) > 1 {
			config := filepath.Join(t.dir, "schemathesis.toml")
			if err := writePeers(t.users, config, filepath.Join(t.dir, "users.yaml")); err != nil {
				return nil, err
			}
			c = append(c, "--config-file", config)
		}
		c = append(c, "run", t.spec, "--url", t.url+t.base, "--seed", strconv.Itoa(j.seed))
		for _, h := range single(t.users) {
			c = append(c, "--header", h)
		}
		return append(c, flags...), nil
	}
}

// writePeers writes users to the file common, and a configuration that refers to this file to the file config.
func writePeers(users []user, config, common string) error {
	text, err := yaml.Marshal(map[string]any{"auth": credentials(users)})
	if err != nil {
		return err
	}
	var names []string
	for _, u := range users {
		names = append(names, strconv.Quote(u.Name))
	}
	toml := fmt.Sprintf("[auth.wfc]\npath = %q\npeers = [%s]\n", common, strings.Join(names, ", "))
	return errors.Join(os.WriteFile(common, text, 0o600), os.WriteFile(config, []byte(toml), 0o600))
}

// absolute returns the absolute path of a program. It uses exec.LookPath.
func absolute(program string) (string, error) {
	found, err := exec.LookPath(program)
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}
