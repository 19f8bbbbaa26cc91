package main

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
)

// format is an export format whose suites this program can run.
type format struct {
	name  string
	again bool // play the suite again after a restart
	// program is the program that runs a suite or, if built is set, builds it. It is looked up in the tools
	// folder first.
	program string
	args    func(dir, url string) []string
	built   string // the name of the program that is built in the suite's folder, "" if program runs the suite
	// secret is the flag that passes a secret to the suite, "" if the suite reads the environment.
	secret string
}

// formats are the formats that can be run, by name.
var formats = map[string]format{
	"go":     {name: "go", again: true, program: "go", args: goArgs, built: "suite.test"},
	"pytest": {name: "pytest", program: "pytest", args: pytestArgs},
	"node":   {name: "node", program: "node", args: func(string, string) []string { return []string{"--test"} }},
	"hurl":   {name: "hurl", program: "hurl", args: hurlArgs, secret: "--secret"},
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

func goArgs(dir, _ string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is valid
	return append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", "suite.test"}, files...)
}

// pytestArgs leave out a plugin that comes with FastAPI. Its imports take longer than most suites.
func pytestArgs(string, string) []string {
	return []string{"-q", "-p", "no:cacheprovider", "-p", "no:anyio"}
}

func hurlArgs(dir, url string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.hurl")) // the pattern is valid
	return append([]string{"--test", "--jobs", "1", "--variable", "base_url=" + url}, files...)
}

// path returns the path of the format's program, "" if it is not installed.
func (f format) path(tools string) string {
	for _, name := range []string{filepath.Join(tools, "python", "bin", f.program), filepath.Join(tools, "bin", f.program), f.program} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// missing returns the reason why a suite cannot be run, or "" if it can be run.
func (f format) missing(tools string) string {
	if f.path(tools) == "" {
		return "no " + f.program + " here"
	}
	return ""
}

// buildCommand returns the command that builds the suite in a folder, or nil if no build is needed.
func (f format) buildCommand(tools, dir string) []string {
	if f.built == "" {
		return nil
	}
	return append([]string{f.path(tools)}, f.args(dir, "")...)
}

// command returns the command that runs the suite in a folder against a service. secrets are the secrets by
// name. If the format needs a build, the suite must have been built.
func (f format) command(tools, dir, url string, secrets map[string]string) []string {
	if f.built != "" {
		return []string{filepath.Join(dir, f.built)}
	}
	all := append([]string{f.path(tools)}, f.args(dir, url)...)
	if f.secret == "" {
		return all
	}
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		all = append(all, f.secret, name+"="+secrets[name])
	}
	return all
}
