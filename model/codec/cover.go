package codec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sonde/model"

	"golang.org/x/tools/cover"
)

// maxCover is the maximum size of a coverage file that OpenCover reads, in bytes.
const maxCover = 64 << 20

// OpenCover reads the coverage of each source file from the run in a folder, in the order of their paths. It returns
// nil if the run has no coverage file, as a black-box run, or a run with a driver. The error is of one line and names
// the folder.
func OpenCover(dir string) ([]model.SourceFileCoverage, error) {
	f, err := os.Open(filepath.Join(dir, CoverFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("run %q cannot be read: %w", dir, err)
	}
	defer f.Close()
	profiles, err := cover.ParseProfilesFromReader(io.LimitReader(f, maxCover))
	if err != nil {
		return nil, fmt.Errorf("run %q cannot be read: %s is not a coverage file of Go", dir, CoverFile)
	}
	all := make([]model.SourceFileCoverage, 0, len(profiles))
	for _, p := range profiles {
		all = append(all, model.SourceFileCoverage{File: p.FileName, Statements: statements(p.Blocks)})
	}
	return all, nil
}

// statements counts the statements of blocks.
func statements(blocks []cover.ProfileBlock) (count model.CoverageCount) {
	for _, b := range blocks {
		count.All += b.NumStmt
		if b.Count > 0 {
			count.Covered += b.NumStmt
		}
	}
	return count
}
