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

// overlay has source files that a build uses instead of files on disk, or in addition to them; see
// the flag -overlay in go help build.
type overlay struct {
	sources  map[string][]byte // the content of each file, by the path of the file that it replaces or adds
	replaced map[string]string // the path of the replaced file, by the path where save wrote the source
}

func newOverlay(sources map[string][]byte) *overlay {
	o := &overlay{sources: map[string][]byte{}, replaced: map[string]string{}}
	maps.Copy(o.sources, sources)
	return o
}

// addPackage adds the files of a package, without its tests, to an overlay. dir is the folder of the
// package in source; target is the folder in which the overlay shows the files. addPackage replaces the
// import paths of this repository in the files by those in a build.
func (o *overlay) addPackage(source fs.FS, dir, target string) error {
	names, err := fs.Glob(source, dir+"/*.go")
	if err != nil {
		return err
	}
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		src, err := fs.ReadFile(source, n)
		if err != nil {
			return err
		}
		o.sources[filepath.Join(target, path.Base(n))] = []byte(buildPaths.Replace(string(src)))
	}
	return nil
}

// save writes the sources into a folder. It returns the path of the file for the flag -overlay.
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

// run runs the go command with an overlay that was saved. An error has the paths of the replaced files, not
// those of the saved sources.
func (o *overlay) run(ctx context.Context, t *toolchain, args []string) error {
	_, err := t.run(ctx, args...)
	var failed *toolError
	if errors.As(err, &failed) {
		failed.text = o.renamed(failed.text, t.dir)
	}
	return err
}

// compilerLine matches a line of the compiler's output about a file.
var compilerLine = regexp.MustCompile(`(?m)^(.+?\.go)(:\d+(?::\d+)?: )(.*)$`)

// renamed replaces paths in the output of the compiler by those of the replaced files. The compiler
// ran in the folder dir.
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
