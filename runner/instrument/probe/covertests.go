package probe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"
)

// CoverTests runs a go test command in o.Dir, and returns all blocks of the packages that Build would probe. A block is
// marked as reached if the tests reach it. Binaries that the tests build with -cover and run count, too. CoverTests
// returns an error if a test fails.
func CoverTests(ctx context.Context, o Options, command []string) ([]CoverBlock, error) {
	p, err := servicePackages(ctx, o)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sonde-tests-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var paths []string
	for _, s := range p {
		paths = append(paths, s.PkgPath)
	}
	args, err := coverArgs(command, o.selection(), strings.Join(paths, ","), dir)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Dir, c.Env, c.WaitDelay = o.Dir, append(os.Environ(), CoverDirVariable+"="+dir), 5*time.Second
	output, err := c.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, failureIn(output))
	}
	blocks, err := readCover(ctx, dir)
	blocks = slices.DeleteFunc(blocks, func(b CoverBlock) bool { return !slices.Contains(paths, path.Dir(b.Place)) })
	if err == nil && len(blocks) == 0 {
		err = fmt.Errorf("%s: there are no tests of the packages of the service", strings.Join(command, " "))
	}
	return blocks, err
}

// errNotGoTest is the error for a command that is not go test.
var errNotGoTest = errors.New("it is no go test command")

// coverArgs adds flags to a go test command: -count=1, so that no result comes from the cache, the flags of a build,
// and flags that make the tests count the statements of packages and write the counts into a folder. It returns
// errNotGoTest for other commands. It does not set -covermode: the go command chooses the mode, because -race needs
// another one.
func coverArgs(command, build []string, packages, dir string) ([]string, error) {
	if len(command) < 2 || command[0] != "go" || command[1] != "test" {
		return nil, errNotGoTest
	}
	own, rest := command[2:], []string(nil)
	if i := slices.IndexFunc(own, func(word string) bool { return word == "-args" || word == "--args" }); i >= 0 {
		own, rest = own[:i], own[i+1:]
	}
	return slices.Concat(
		[]string{"go", "test", "-count=1", "-coverpkg=" + packages}, build, own,
		[]string{"-args", "-test.gocoverdir=" + dir}, rest,
	), nil
}

// failureIn returns the first line of the output of go test that says what failed, or else its last line.
func failureIn(output []byte) string {
	last := ""
	for line := range strings.Lines(string(bytes.TrimSpace(output))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "--- FAIL") || strings.HasPrefix(line, "FAIL\t") || strings.HasPrefix(line, "panic: ") {
			return line
		}
		last = cmp.Or(line, last)
	}
	return last
}
