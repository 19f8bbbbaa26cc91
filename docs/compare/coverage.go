package main

import (
	"bytes"
	"context"
	_ "embed" // for the flusher
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/cover"
)

// coverage is the statement coverage of a Go service. The zero value means that it is unknown.
type coverage struct{ Reached, Total int }

// percent returns the percentage of reached statements. It returns false if the coverage is unknown.
func (c coverage) percent() (float64, bool) {
	if c.Total == 0 {
		return 0, false
	}
	return 100 * float64(c.Reached) / float64(c.Total), true
}

// flusher is a source file that is added to Go's package runtime/coverage, which is part of each program that
// go build -cover builds. The file writes the coverage while the service runs. So even a service that crashes, or
// that does not end at a signal, has coverage.
//
//go:embed flusher.go.txt
var flusher []byte

// flushing returns the flags of go build that measure the statements of a module and add the flusher. It
// writes the files that the flags refer to into the folder work.
func flushing(ctx context.Context, work string) ([]string, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	source, overlay := filepath.Join(work, "flusher.go"), filepath.Join(work, "overlay.json")
	added := filepath.Join(strings.TrimSpace(string(root)), "src", "runtime", "coverage", "sonde_flusher.go")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{added: source}})
	if err != nil {
		return nil, err
	}
	return []string{"-cover", "-covermode=atomic", "-coverpkg=./...", "-overlay", overlay},
		errors.Join(os.WriteFile(source, flusher, 0o600), os.WriteFile(overlay, text, 0o600))
}

// readCoverage reads the coverage data in dir, which was the GOCOVERDIR of a program built by go build
// -cover.
func readCoverage(ctx context.Context, dir string) (coverage, error) {
	profile := filepath.Join(dir, "profile")
	if out, err := exec.CommandContext(ctx, "go", "tool", "covdata", "textfmt", "-i", dir, "-o", profile).CombinedOutput(); err != nil {
		return coverage{}, fmt.Errorf("go tool covdata: %w: %s", err, bytes.TrimSpace(out))
	}
	return readProfile(profile)
}

// readProfile counts the statements of a profile in the format of go test -coverprofile.
func readProfile(file string) (c coverage, err error) {
	files, err := cover.ParseProfiles(file)
	for _, f := range files {
		for _, b := range f.Blocks {
			c.Total += b.NumStmt
			if b.Count > 0 {
				c.Reached += b.NumStmt
			}
		}
	}
	return c, err
}
