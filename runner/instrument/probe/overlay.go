package probe

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// overlay is source that replaces that of a build, or is added to it: see go help build,
// -overlay.
type overlay struct {
	sources  map[string][]byte // by the path of the file that each replaces
	replaced map[string]string // that path by the path where the source was written
}

func newOverlay(sources map[string][]byte) *overlay {
	o := &overlay{sources: map[string][]byte{}, replaced: map[string]string{}}
	maps.Copy(o.sources, sources)
	return o
}

// addPackage adds the files of a package of ours, without its tests, to a folder.
func (o *overlay) addPackage(from fs.FS, dir, to string) error {
	names, err := fs.Glob(from, dir+"/*.go")
	if err != nil {
		return err
	}
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		src, err := fs.ReadFile(from, n)
		if err != nil {
			return err
		}
		o.sources[filepath.Join(to, path.Base(n))] = []byte(strings.ReplaceAll(string(src), ownPath, runtimePath))
	}
	return nil
}

// save writes the sources into a folder, and returns the path of the file that
// -overlay reads.
func (o *overlay) save(dir string) (string, error) {
	replace := map[string]string{}
	for file, src := range o.sources {
		to := filepath.Join(dir, strconv.Itoa(len(replace))+"_"+filepath.Base(file))
		if err := os.WriteFile(to, src, 0o600); err != nil {
			return "", err
		}
		replace[file] = to
		o.replaced[to] = file
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "overlay.json")
	return to, os.WriteFile(to, list, 0o600)
}

// run runs the go command on an overlay that was saved. Its error names the files that
// the overlay replaces.
func (o *overlay) run(ctx context.Context, t *toolchain, args []string) error {
	_, err := t.run(ctx, args...)
	var failed *toolError
	if errors.As(err, &failed) {
		failed.text = o.renamed(failed.text, t.dir)
	}
	return err
}

// compilerLine matches a line of the compiler about a file.
var compilerLine = regexp.MustCompile(`(?m)^(.+?\.go)(:\d+(?::\d+)?: )(.*)$`)

// renamed returns the output of the compiler, which ran in a folder, with the paths of
// the replaced files.
func (o *overlay) renamed(output, dir string) string {
	return compilerLine.ReplaceAllStringFunc(output, func(line string) string {
		m := compilerLine.FindStringSubmatch(line)
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		return cmp.Or(o.replaced[file], file) + m[2] + m[3]
	})
}
