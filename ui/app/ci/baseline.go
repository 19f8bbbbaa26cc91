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
	change, err := changedBaseline(file, runs[0].Title, found, prune)
	if err != nil {
		return change, err
	}
	if err := maybe.WriteFile(file, change.Text, 0o644); err != nil {
		return change, fmt.Errorf("baseline %q cannot be written: %w", file, paths.WithoutPath(err))
	}
	return change, nil
}

// changedBaseline returns the change of a baseline file, or a new baseline if there is no file.
func changedBaseline(file, title string, found []config.KnownFault, prune bool) (c config.BaselineChange, err error) {
	text, err := config.BaselineText(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.Text = config.NewBaseline(title, found)
		c.Added, err = config.ParseBaseline(c.Text)
	case err == nil:
		c, err = config.UpdateBaseline(text, found, prune)
	default:
		return c, err
	}
	if err != nil {
		return c, fmt.Errorf("baseline %q: %w", file, err)
	}
	return c, nil
}
