package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"sonde/ui/app/paths"

	"github.com/spf13/cobra"
)

// enterFolder changes to the folder in which the earlier run was made, because the paths in the run's
// arguments and commands are relative to that folder. If a file is missing there, enterFolder does not
// change the folder, because a run may come from another machine. A file that is missing in both folders is
// an error.
func (f *searchFlags) enterFolder(c *cobra.Command) error {
	there, files := f.Previous.Folder, files(c)
	if there == "" || there == paths.Absolute(".") || paths.FirstMissing(there, files) != "" {
		if missing := paths.FirstMissing("", files); missing != "" {
			return f.missingFile(missing)
		}
		return nil
	}
	f.Folder, f.Replayed, f.Resumed = paths.AbsoluteOrEmpty(f.Folder), paths.AbsoluteOrEmpty(f.Replayed), paths.AbsoluteOrEmpty(f.Resumed)
	if err := os.Chdir(there); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot enter the folder where run %q was made: %w", f.EarlierFolder(), err)
	}
	return nil
}

// missingFile returns the error for a file of the run that is neither in the run's folder nor in the
// current one.
func (f *searchFlags) missingFile(file string) error {
	where := "not here"
	if f.Previous.Folder != "" {
		where = fmt.Sprintf("neither in %q, where the run was made, nor here", f.Previous.Folder)
	}
	return fmt.Errorf("run %q needs %q, which is %s: bring it back, or go to the folder that has it", f.EarlierFolder(), file, where)
}

// files returns the files that the arguments name. It leaves out the file of --try, which is not read again.
func files(c *cobra.Command) []string {
	named := slices.Clone(c.Flags().Args())
	for _, flag := range []string{"config", "cacert", "cert", "key"} {
		named = append(named, c.Flag(flag).Value.String())
	}
	return slices.DeleteFunc(named, func(name string) bool {
		return name == "" || name == "-" || strings.Contains(name, "://")
	})
}
