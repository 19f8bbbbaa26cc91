package probe

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A program with probes has the same output as without, including line numbers and the order of
// initialisation, with and without a shared file.
func TestSame(t *testing.T) {
	needsBuild(t)
	for _, c := range []struct {
		name, file string
		options    Options
	}{
		{"corners", "corners", Options{Panics: true}},
		{"tags", "go118", Options{Tags: "special"}},
		{"go 1.16", "go116", Options{Panics: true}},
		{"go 1.18", "go118", Options{Panics: true}},
		{"queries", "queries", Options{SQL: true}},
		{"panics", "panics", Options{Panics: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			source, err := os.ReadFile("testdata/same/" + c.file + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			dir, r := builtModule(t, string(source), c.options)
			plain := filepath.Join(t.TempDir(), "plain")
			run(t, dir, "go", "build", "-tags="+c.options.Tags, "-o", plain, ".")
			want := run(t, dir, plain)
			if len(r.Manifest.Skipped) > 0 {
				t.Errorf("skipped: %v", r.Manifest.Skipped)
			}
			if diff := cmp.Diff(want, run(t, dir, r.Binary)); diff != "" {
				t.Errorf("it says something else with probes:\n%s", diff)
			}
			w := watch(t, r)
			out, err := w.command().CombinedOutput()
			if diff := cmp.Diff(want, string(out)); err != nil || diff != "" {
				t.Errorf("it says something else with a file to share: %v\n%s", err, diff)
			}
			if w.memory.Attached() != 1 || len(w.AppendScores(nil)) == 0 {
				t.Errorf("%d processes shared the file, %d targets were reached", w.memory.Attached(), len(w.AppendScores(nil)))
			}
		})
	}
}

// tree returns the hash of each file in a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir)] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
