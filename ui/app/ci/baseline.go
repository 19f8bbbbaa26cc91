package ci

import (
	"errors"
	"fmt"
	"io/fs"

	"sonde/model/codec"
	"sonde/model/config"
	"sonde/ui/app/paths"

	"github.com/google/renameio/v2/maybe"
)

// OpenRuns opens the runs in folders.
func OpenRuns(dirs []string) (runs []codec.StoredRun, err error) {
	for _, dir := range dirs {
		run, err := codec.OpenRun(dir)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// UpdateBaseline adds the faults of runs to a baseline file, which need not exist. With prune it also removes the
// entries that none of the runs found.
func UpdateBaseline(file string, runs []codec.StoredRun, prune bool) (config.BaselineChange, error) {
	found := KnownFaults(runs...)
	text, err := config.BaselineText(file)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = config.NewBaseline(runs[0].Title, nil), nil
	}
	if err != nil {
		return config.BaselineChange{}, err
	}
	change, err := config.UpdateBaseline(text, found, prune)
	if err != nil {
		return change, fmt.Errorf("baseline %q: %w", file, err)
	}
	if err := maybe.WriteFile(file, change.Text, 0o644); err != nil {
		return change, fmt.Errorf("baseline %q cannot be written: %w", file, paths.WithoutPath(err))
	}
	return change, nil
}
