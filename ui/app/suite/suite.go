// Package suite exports tests: which of them, with which faults and hosts, into
// which files, and the command that does the same again.
package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/paths"
)

// DefaultFolder is where test files go unless somebody says otherwise.
const DefaultFolder = "sonde-tests"

// DefaultFormat is what tests are written in unless somebody says otherwise.
const DefaultFormat = "go"

// IndependentTests returns the tests that depend only on what they create themselves, and the IDs
// of the others.
func IndependentTests(tests []model.Test) (kept []model.Test, others []string) {
	for _, t := range tests {
		if t.EarlierState == "" {
			kept = append(kept, t)
		} else {
			others = append(others, t.ID)
		}
	}
	return kept, others
}

// SelectTests returns the tests with the IDs, in the order of the run; all of them
// where none is named.
func SelectTests(tests []model.Test, ids []string) ([]model.Test, error) {
	if len(ids) == 0 {
		return tests, nil
	}
	var out []model.Test
	missing := slices.Clone(ids)
	for _, t := range tests {
		if slices.Contains(ids, t.ID) {
			out = append(out, t)
			missing = slices.DeleteFunc(missing, func(id string) bool { return id == t.ID })
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("there is no test %q: suite.json lists the IDs", missing[0])
	}
	return out, nil
}

// TestIDs are the IDs of tests.
func TestIDs(tests []model.Test) []string {
	out := []string{}
	for _, t := range tests {
		out = append(out, t.ID)
	}
	return out
}

// FromRun is the suite of some tests of a run, with the command that exports them.
func FromRun(h codec.RunHeader, tests []model.Test, command string) export.Suite {
	return export.Suite{
		Title:    h.Title,
		Spec:     h.Spec,
		BaseURL:  h.BaseURL,
		Insecure: h.Insecure,
		TLS:      AbsoluteTLS(h.TLS, h.Folder),
		Service:  h.Service,
		Dir:      h.Dir,
		Reset:    h.Reset,
		Users:    h.Users,
		Tests:    tests,
		Command:  command,
	}
}

// WriteFiles writes a file with a way out where there is one.
func WriteFiles(dir, name string, s export.Suite, force bool) (string, format.Output, error) {
	f, err := format.FormatNamed(name)
	if err != nil {
		return "", format.Output{}, err
	}
	path, made, err := f.Write(dir, RelocatePaths(s, dir), force)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf(
			"a file %q is there already, which does not say what of it Sonde wrote: "+
				"overwrite it with --force, or name another folder with -o",
			filepath.Join(dir, f.TestsFile),
		)
	}
	return path, made, err
}

// RelocatePaths lets the commands of a suite that is written into a folder start where
// they did, and find the files of TLS, seen from there: a repository may be somewhere else tomorrow.
func RelocatePaths(s export.Suite, out string) export.Suite {
	base, err := filepath.Abs(out)
	if err != nil {
		return s
	}
	for _, path := range append(s.TLS.Paths(), &s.Dir) {
		if *path == "" {
			continue
		}
		if seen, err := filepath.Rel(paths.ResolveLinks(base), paths.ResolveLinks(*path)); err == nil {
			*path = filepath.ToSlash(seen)
		}
	}
	return s
}

// AbsoluteTLS are the same files by names from the root, where they are seen from a
// folder; "" is the one in which Sonde is.
func AbsoluteTLS(t model.TLSFiles, folder string) model.TLSFiles {
	for _, path := range t.Paths() {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = paths.Absolute(filepath.Join(folder, *path))
		}
	}
	return t
}

// FilePaths are the paths of the files of an export.
func FilePaths(dir string, made format.Output) []string {
	var all []string
	for _, file := range made.Files {
		all = append(all, filepath.Join(dir, file.Name))
	}
	return all
}
