// Package affected finds the kept tests that the changes of a spec affect. It plays no tests.
package affected

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sonde/analysis"
	"sonde/analysis/specdiff"
	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/app/adequacy"
)

// Tests describes the effect of a diff on kept tests.
type Tests struct {
	Total    int // the number of tests that were read
	Affected []Test
	// Unread are files of tests whose operations cannot be read, each with the reason.
	Unread []UnreadFile
	// Unmatched is the number of calls that match no operation of the old version.
	Unmatched int
}

// Test is a test with an affected operation. The operation was removed, moved or changed in a breaking way, or
// neither version has it.
type Test struct {
	File, Name string
	// Removed, Moved and Broken are the old identities of these operations, without duplicates. Unknown are
	// operations of the test that neither version has.
	Removed, Moved, Broken, Unknown []model.OpID
}

// UnreadFile is a file that was not read.
type UnreadFile struct{ File, Why string }

// maxFiles is the maximum number of files and folders that are visited.
const maxFiles = 20_000

// runFile is a file that every run folder has.
const runFile = "run.json"

// Find reads the tests at paths: run folders, test files, or folders that contain these. Requests are
// matched with the operations of the old version.
func Find(older *analysis.Analysis, d *specdiff.Diff, newer *model.Spec, paths []string) (*Tests, error) {
	f := &finder{evidence: adequacy.NewEvidence(older.Spec, older.ValuesTable(), nil), tests: &Tests{}, files: map[string]bool{}}
	for _, path := range paths {
		if err := f.walk(path); err != nil {
			return nil, err
		}
	}
	f.tests.Total, f.tests.Unmatched = len(f.evidence.Seqs), len(f.evidence.Unmatched)
	c := classifier{diff: d, older: idsOf(older.Spec), newer: idsOf(newer)}
	for _, seq := range f.evidence.Seqs {
		if t, ok := c.test(seq); ok {
			f.tests.Affected = append(f.tests.Affected, t)
		}
	}
	return f.tests, nil
}

// finder reads files of tests.
type finder struct {
	evidence *adequacy.Evidence
	tests    *Tests
	seen     int
	files    map[string]bool // files that were read
}

// walk reads the tests at a path. It skips hidden folders below the path.
func (f *finder) walk(root string) error {
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file or folder %q: --tests needs kept tests", root)
	case err != nil:
		return fmt.Errorf("%q cannot be read: %w", root, err)
	case !info.IsDir():
		return f.evidence.Read(root, nil)
	}
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%q cannot be read: %w", path, err)
		}
		if f.seen++; f.seen > maxFiles {
			return fmt.Errorf("%q has more than %d files: give the folder of the tests", root, maxFiles)
		}
		switch {
		case e.IsDir() && path != root && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case e.IsDir() && isRun(path):
			f.read(path)
			return fs.SkipDir
		case e.Type().IsRegular():
			f.file(path)
		}
		return nil
	})
}

func isRun(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, runFile))
	return err == nil && info.Mode().IsRegular()
}

// file reads a file below a folder. It notes an exported test file in a format that cannot be read.
func (f *finder) file(path string) {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".json", ext == ".har", strings.HasSuffix(path, "_test.go"):
		f.read(path)
	case isExported(path):
		why := "calls of this format cannot be read: give the run, or export as go or har"
		f.tests.Unread = append(f.tests.Unread, UnreadFile{path, why})
	}
}

// isExported reports whether Sonde wrote a file, judging by its first lines.
func isExported(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 2048)
	n, _ := io.ReadFull(file, head)
	return bytes.Contains(head[:n], []byte("Sonde wrote this file"))
}

// read adds the tests of a run or a file. It ignores files of other kinds, and notes broken ones.
func (f *finder) read(path string) {
	if real, err := filepath.Abs(path); err == nil {
		if f.files[real] {
			return
		}
		f.files[real] = true
	}
	if err := f.evidence.Read(path, nil); err != nil && !errors.Is(err, codec.ErrUnknownFile) {
		f.tests.Unread = append(f.tests.Unread, UnreadFile{path, err.Error()})
	}
}

// classifier finds what happened to the operations of tests.
type classifier struct {
	diff         *specdiff.Diff
	older, newer map[model.OpID]bool
}

func idsOf(s *model.Spec) map[model.OpID]bool {
	ids := make(map[model.OpID]bool, len(s.Operations))
	for _, op := range s.Operations {
		ids[op.ID] = true
	}
	return ids
}

// test returns a test with its affected operations. It returns false if there are none.
func (c classifier) test(seq adequacy.NamedSeq) (Test, bool) {
	t := Test{File: seq.File, Name: seq.Name}
	seen := map[model.OpID]bool{}
	for _, op := range seq.Seq {
		if seen[op] {
			continue
		}
		seen[op] = true
		switch change, ok := c.diff.OfOld(op); {
		case !ok:
			if !c.older[op] && !c.newer[op] {
				t.Unknown = append(t.Unknown, op)
			}
		case change.Status == specdiff.StatusRemoved:
			t.Removed = append(t.Removed, op)
		case change.Status == specdiff.StatusMoved:
			t.Moved = append(t.Moved, op)
		case change.Breaking():
			t.Broken = append(t.Broken, op)
		}
	}
	return t, len(t.Removed)+len(t.Moved)+len(t.Broken)+len(t.Unknown) > 0
}
