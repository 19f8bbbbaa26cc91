// Package survey finds specs in folders and measures them. Package analysis/survey computes the measures.
package survey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sonde/ui/app/paths"
)

// SpecFile is a file that may be a spec, or a folder that cannot be read.
type SpecFile struct {
	path string // the path for opening the file
	// Name is the file's name in the survey: its path relative to the given folder, or the path that the
	// user gave. Full begins with the given folder.
	Name, Full string
	named      bool // given by the user, not found in a folder
	err        error
}

// FindSpecs lists the files at paths. In folders it lists the files that may be a spec. Each file is listed
// once and has a unique name.
func FindSpecs(ctx context.Context, paths []string) ([]SpecFile, error) {
	f := finder{ctx: ctx, seen: map[string]bool{}}
	for _, p := range paths {
		if err := f.add(p); err != nil {
			return nil, err
		}
	}
	MakeNamesDistinct(f.files)
	return f.files, nil
}

// finder collects files.
type finder struct {
	ctx   context.Context
	seen  map[string]bool // absolute paths without links
	files []SpecFile
}

func (f *finder) add(operand string) error {
	info, err := os.Stat(operand)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file or folder %q", operand)
	case err != nil:
		return fmt.Errorf("cannot read %q: %w", operand, paths.WithoutPath(err))
	case info.IsDir():
		return f.folder(operand)
	}
	name := filepath.ToSlash(filepath.Clean(operand))
	f.file(SpecFile{path: operand, Name: name, Full: name, named: true})
	return nil
}

// folder collects the files below a folder, which may be a symbolic link. It skips hidden files and folders.
func (f *finder) folder(operand string) error {
	root, err := filepath.EvalSymlinks(operand)
	if err != nil {
		return fmt.Errorf("cannot read %q: %w", operand, paths.WithoutPath(err))
	}
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if stop := f.ctx.Err(); stop != nil {
			return ErrInterrupted
		}
		inside, _ := filepath.Rel(root, p) // cannot fail for a path below root
		name := filepath.ToSlash(inside)
		found := SpecFile{path: p, Name: name, Full: path.Join(filepath.ToSlash(operand), name)}
		switch {
		case err != nil:
			found.err = fmt.Errorf("cannot read the folder %q: %w", p, paths.WithoutPath(err))
			f.files = append(f.files, found)
		case p != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case mayHold(p, d):
			f.file(found)
		}
		return nil
	})
}

// mayHold reports whether an entry of a folder is a file with the extension of a spec, or a symbolic link to such a
// file.
func mayHold(p string, d fs.DirEntry) bool {
	if !slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(p))) {
		return false
	}
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(p)
	return err == nil && info.Mode().IsRegular()
}

// file adds a file unless it was already added by another path.
func (f *finder) file(found SpecFile) {
	real, err := filepath.EvalSymlinks(found.path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err == nil && f.seen[real] {
		return
	}
	f.seen[real] = true
	f.files = append(f.files, found)
}

// MakeNamesDistinct replaces each name that several files have by the full names of these files. It repeats this until
// all names are distinct, or until equal names are full names.
func MakeNamesDistinct(files []SpecFile) {
	for again := true; again; {
		again = false
		count := map[string]int{}
		for _, f := range files {
			count[f.Name]++
		}
		for i, f := range files {
			if count[f.Name] > 1 && f.Name != f.Full {
				files[i].Name, again = f.Full, true
			}
		}
	}
}

// specKey matches the key that identifies a document as a spec: the first one in JSON, or one at the top
// level in YAML.
var specKey = regexp.MustCompile(`(?m)\A\s*\{\s*"(swagger|openapi)"\s*:|^["']?(swagger|openapi)["']?\s*:`)

// LooksLikeSpec reports whether a file begins like a spec. The rest of the file may be invalid.
func LooksLikeSpec(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 4096))
	return err == nil && specKey.Match(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
}
