// Package suite prepares tests for an export: it selects tests, faults and hosts, makes the paths in the files relative
// to the output folder, and returns the command that writes the files. Package export writes the files.
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

// DefaultFolder is the default folder of test files.
const DefaultFolder = "sonde-tests"

// DefaultFormat is the default format of test files.
const DefaultFormat = "go"

// IndependentTests returns the tests that do not depend on state of other tests, and the IDs of the others.
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

// SelectTests returns the tests with the IDs, in the order of the run. If there are no IDs, it returns
// all tests. An unknown ID is an error.
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

// TestIDs returns the IDs of tests. If there are no tests, the result is empty but not nil.
func TestIDs(tests []model.Test) []string {
	out := []string{}
	for _, t := range tests {
		out = append(out, t.ID)
	}
	return out
}

// FromRun returns the suite of some tests of a run, with the command that exports them.
func FromRun(h codec.RunHeader, tests []model.Test, command string) export.Suite {
	made := export.Suite{
		Title:     h.Title,
		Spec:      h.Spec,
		BaseURL:   h.BaseURL,
		Insecure:  h.Insecure,
		TLS:       AbsoluteTLS(h.TLS, h.Folder),
		Service:   h.Service,
		Driver:    h.Driver,
		Dir:       h.Dir,
		RowsBuild: RowsBuild(h.Build),
		Reset:     h.Reset,
		Users:     h.Users,
		Tests:     tests,
		Command:   command,
	}
	return made.WithHeaders(h.Headers)
}

// WriteFiles writes test files in a format. The error for an existing file says how to replace it.
func WriteFiles(dir, name string, s export.Suite, force bool) (string, format.Output, error) {
	f, err := format.Named(name)
	if err != nil {
		return "", format.Output{}, err
	}
	path, made, err := f.Write(dir, RelocatePaths(ForFormat(s, f), dir), force)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf(
			"the file %q exists and does not say which part of it Sonde wrote: "+
				"overwrite it with --force, or name another folder with -o",
			filepath.Join(dir, f.TestsFile),
		)
	}
	return path, made, err
}

// RelocatePaths returns a suite whose paths are relative to the output folder, so that a repository can be
// moved.
func RelocatePaths(s export.Suite, out string) export.Suite {
	base, err := filepath.Abs(out)
	if err != nil {
		return s
	}
	located := append(s.TLS.Paths(), &s.Dir)
	if s.Reset != nil && s.Reset.Snapshots != "" {
		reset := *s.Reset
		reset.Files = slices.Clone(reset.Files)
		s.Reset = &reset
		located = append(located, &reset.Snapshots)
		for i := range reset.Files {
			located = append(located, &reset.Files[i])
		}
	}
	for _, path := range located {
		if *path == "" {
			continue
		}
		if seen, err := filepath.Rel(paths.ResolveLinks(base), paths.ResolveLinks(*path)); err == nil {
			*path = filepath.ToSlash(seen)
		}
	}
	return s
}

// AbsoluteTLS returns TLS files with absolute paths. Relative paths are relative to folder; "" means the
// current folder.
func AbsoluteTLS(t model.TLSFiles, folder string) model.TLSFiles {
	for _, path := range t.Paths() {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = paths.Absolute(filepath.Join(folder, *path))
		}
	}
	return t
}

// FilePaths returns the paths of the files of an export in a folder.
func FilePaths(dir string, made format.Output) []string {
	var all []string
	for _, file := range made.Files {
		all = append(all, filepath.Join(dir, file.Name))
	}
	return all
}
