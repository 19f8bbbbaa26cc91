package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/google/renameio/v2/maybe"
)

// A builder builds the program for targets. Its own build for this machine writes completions and man pages.
type builder struct {
	source  string // the top folder of Sonde's source
	scratch string // programs and pages go here
	version string
}

// host is the system that release runs on.
var host = target{runtime.GOOS, runtime.GOARCH}

// buildHost builds the program for this machine into scratch.
func buildHost(source, scratch string) (*builder, error) {
	b := &builder{source: source, scratch: scratch}
	if _, err := b.build(host); err != nil {
		return nil, err
	}
	out, err := b.run("version", "--json")
	if err != nil {
		return nil, err
	}
	var v struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(out, &v); err != nil || !plain(v.Version) {
		return nil, fmt.Errorf("sonde version --json printed %q, without a version", out)
	}
	b.version = v.Version
	return b, nil
}

// build returns the path of the program for t, and builds it if there is none.
func (b *builder) build(t target) (string, error) {
	path := filepath.Join(b.scratch, t.system, t.architecture, t.program())
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w -buildid=", "-o", path, ".")
	c.Dir = b.source
	c.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.architecture)
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build for %s: %w\n%s", t, err, out)
	}
	return path, nil
}

// run runs the program of this machine and returns what it prints.
func (b *builder) run(args ...string) ([]byte, error) {
	c := exec.Command(filepath.Join(b.scratch, host.system, host.architecture, host.program()), args...)
	var failure bytes.Buffer
	c.Stderr = &failure
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("sonde %s: %w\n%s", args[0], err, failure.Bytes())
	}
	return out, nil
}

// completions are the files with completions, by the name of the shell.
var completions = map[string]string{
	"bash":       "completions/sonde.bash",
	"zsh":        "completions/_sonde",
	"fish":       "completions/sonde.fish",
	"powershell": "completions/sonde.ps1",
}

// sharedFiles returns the files that the archives of all targets have.
func (b *builder) sharedFiles() ([]file, error) {
	var files []file
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(b.source, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, data: data})
	}
	for shell, name := range completions {
		data, err := b.run("completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, data: data})
	}
	pages := filepath.Join(b.scratch, "man")
	if _, err := b.run("man", pages); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(pages)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(pages, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "man/man1/" + e.Name(), data: data})
	}
	slices.SortFunc(files, byName)
	return files, nil
}

// writeFile writes a file whole or not at all, where the system can.
func writeFile(path string, data []byte) error {
	return maybe.WriteFile(path, data, 0o644)
}
