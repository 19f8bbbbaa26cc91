package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v4"
)

// entry is a service in a configuration. docs/compare/services.yaml describes it for users.
//
// Prepare, Run, Env, Ready, Prefixes and the users' Login may have placeholders:
//
//   - {port}, {port2}, {port3}, {port4} and {port5}: free ports
//   - {data}: the folder for the data of one run
//   - {program}: the program that Build makes
//   - {dir}: the folder of the configuration
type entry struct {
	Name     string            `yaml:"name"`
	Half     string            `yaml:"half"` // tuned or heldOut
	Spec     string            `yaml:"spec"` // path of a file
	Build    *goBuild          `yaml:"build"`
	Prepare  string            `yaml:"prepare"` // shell script before the start
	Run      []string          `yaml:"run"`
	Env      map[string]string `yaml:"env"`
	Ready    string            `yaml:"ready"` // path or URL
	Stop     string            `yaml:"stop"`  // name of a signal
	Prefixes map[string]string `yaml:"prefixes"`
	Users    []user            `yaml:"users"`
	Sonde    map[string]any    `yaml:"sonde"`

	dir string // the folder of the configuration
}

// The halves of a set of services. Only tuned services may influence changes to Sonde.
const (
	tuned   = "tuned"
	heldOut = "held out"
)

// goBuild describes how to build a Go service that records its statement coverage.
type goBuild struct {
	Dir     string   `yaml:"dir"` // of the module
	Package string   `yaml:"package"`
	Flags   []string `yaml:"flags"`
}

// user is a user of a service. Its headers are given, or a script prints them.
type user struct {
	Name    string            `yaml:"name"`
	Headers map[string]string `yaml:"headers"`
	Login   string            `yaml:"login"` // shell script that prints headers
}

// signals are the signals that end services.
var signals = map[string]syscall.Signal{
	"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "QUIT": syscall.SIGQUIT, "HUP": syscall.SIGHUP,
}

// readConfig reads a configuration. The error has one line, and names the file and the service.
func readConfig(file string) ([]entry, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var config struct {
		Services []entry `yaml:"services"`
	}
	if err := yaml.Load(text, &config, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("%s: %s", file, strings.Join(strings.Fields(err.Error()), " "))
	}
	if len(config.Services) == 0 {
		return nil, fmt.Errorf("%s has no services: list them under the key services", file)
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range config.Services {
		e := &config.Services[i]
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("%s: service %s: %w", file, cmp.Or(e.Name, fmt.Sprint(i+1)), err)
		}
		if seen[e.Name] {
			return nil, fmt.Errorf("%s: service %s: the name is taken", file, e.Name)
		}
		seen[e.Name] = true
		e.in(dir)
	}
	return config.Services, nil
}

// check returns an error for the first mistake in an entry.
func (e entry) check() error {
	_, known := signals[cmp.Or(e.Stop, "TERM")]
	switch {
	case e.Name == "" || strings.ContainsAny(e.Name, `/\`):
		return errors.New("name: a service needs a name without slashes")
	case e.Half != tuned && e.Half != heldOut:
		return fmt.Errorf("half: %q is neither %q nor %q", e.Half, tuned, heldOut)
	case e.Spec == "":
		return errors.New("spec: name the file of the OpenAPI document")
	case len(e.Run) == 0:
		return errors.New("run: write the command that starts the service")
	case e.Build != nil && e.Build.Dir == "":
		return errors.New("build: dir: name the folder of the Go module")
	case e.Ready == "":
		return errors.New("ready: write a path or a URL that answers when the service is ready")
	case !known:
		return fmt.Errorf("stop: %q is not TERM, INT, QUIT or HUP", e.Stop)
	}
	for prefix := range e.Prefixes {
		if !strings.HasPrefix(prefix, "/") {
			return fmt.Errorf("prefixes: %q does not begin with a slash", prefix)
		}
	}
	for _, u := range e.Users {
		if u.Name == "" || len(u.Headers) == 0 && u.Login == "" {
			return fmt.Errorf("users: user %q needs a name, and headers or a login", u.Name)
		}
	}
	return nil
}

// in makes the paths of an entry absolute. dir is the folder to which relative paths refer.
func (e *entry) in(dir string) {
	e.dir = dir
	paths := []*string{&e.Spec}
	if e.Build != nil {
		paths = append(paths, &e.Build.Dir)
	}
	for _, path := range paths {
		if !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
}

// choose returns the entries that have one of the names and are in the half. If names is empty, all names are
// chosen. If half is "", both halves are chosen.
func choose(all []entry, names []string, half string) ([]entry, error) {
	for _, name := range names {
		if !slices.ContainsFunc(all, func(e entry) bool { return e.Name == name }) {
			return nil, fmt.Errorf("-services: the configuration has no service %q", name)
		}
	}
	var chosen []entry
	for _, e := range all {
		if (len(names) == 0 || slices.Contains(names, e.Name)) && (half == "" || e.Half == half) {
			chosen = append(chosen, e)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-half: none of the services is %q", half)
	}
	return chosen, nil
}
