package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// OldestRelease is the first Go release that can build the probes.
const OldestRelease = "go1.21"

// CheckRelease returns an error if a Go release is too old to build the probes, or newer than the one that built Sonde.
// A release in development is accepted.
func CheckRelease(release string) error {
	v := lang(release)
	switch {
	case v != "" && version.Compare(v, OldestRelease) < 0:
		return fmt.Errorf("probes need %s or newer", OldestRelease)
	case version.Compare(v, lang(runtime.Version())) > 0:
		return fmt.Errorf("this Sonde was built with %s: build Sonde with the newer one", runtime.Version())
	}
	return nil
}

// toolchain is the Go installation that builds a service. The service's module selects it.
type toolchain struct {
	dir     string // the folder in which the go command runs
	Version string `json:"GOVERSION"`
	Root    string `json:"GOROOT"`
	Cache   string `json:"GOMODCACHE"`
	Flags   string `json:"GOFLAGS"`
	OS      string `json:"GOOS"`
	Arch    string `json:"GOARCH"`
	Cgo     string `json:"CGO_ENABLED"`
}

// openToolchain returns the Go installation that builds the packages of a folder.
func openToolchain(ctx context.Context, dir string) (*toolchain, error) {
	t := &toolchain{dir: dir}
	out, err := t.run(ctx, "env", "-json", "GOVERSION", "GOROOT", "GOMODCACHE", "GOFLAGS", "GOOS", "GOARCH", "CGO_ENABLED")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, t); err != nil {
		return nil, fmt.Errorf("go env has unexpected output: %w", err)
	}
	if err := CheckRelease(t.Version); err != nil {
		return nil, fmt.Errorf("%s builds what is in %q: %w", t.Version, dir, err)
	}
	return t, nil
}

// lang returns the language version of a Go release, "" for a release in development.
func lang(release string) string {
	release, _, _ = strings.Cut(release, " ")
	return version.Lang(release)
}

// releases returns the release tags that apply to this Go installation.
func (t *toolchain) releases(tags []string) []string {
	own := lang(t.Version)
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return own != "" && version.Compare(tag, own) > 0 })
}

// closed returns the reason why the source of a package cannot be replaced, "" if it can be replaced.
func (t *toolchain) closed(p *packages.Package) string {
	file := p.GoFiles[0]
	switch {
	case strings.HasPrefix(file, t.Root+string(filepath.Separator)):
		return "it is in the standard library"
	case strings.HasPrefix(file, t.Cache+string(filepath.Separator)):
		return "it is in the module cache, which an overlay cannot replace: vendor it, or replace it by a folder"
	}
	return ""
}

// run runs the go command and returns its output. If the command fails, the error is a toolError
// with its error output.
func (t *toolchain) run(ctx context.Context, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = t.dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("there is no go command: install Go from https://go.dev/dl, or put it into PATH")
	case err != nil:
		return nil, &toolError{args[0], strings.TrimSpace(errs.String())}
	}
	return out.Bytes(), nil
}

// toolError is a failure of the go command.
type toolError struct{ command, text string }

func (e *toolError) Error() string { return "go " + e.command + ": " + complaintOf(e.text) }

// complaintOf returns the first line of the go command's output that is not a heading. Headings begin with "#".
func complaintOf(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "it failed without a message"
}
