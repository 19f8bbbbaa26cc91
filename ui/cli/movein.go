package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// moveIn goes to where the run of before was made, for its arguments and its
// commands are seen from there. Where the files that it names are not there any
// more, they may be here: a run may have come from another machine.
func (f *searchFlags) moveIn(c *cobra.Command) error {
	there, files := f.before.Folder, files(c)
	if there == "" || there == whole(".") || missingIn(there, files) != "" {
		if missing := missingIn("", files); missing != "" {
			return f.homeless(missing)
		}
		return nil
	}
	f.folder, f.replayed, f.resumed = fixed(f.folder), fixed(f.replayed), fixed(f.resumed)
	if err := os.Chdir(there); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("run %q was made in a folder that cannot be entered: %w", f.earlier(), err)
	}
	return nil
}

// homeless is the error of a run without one of its files.
func (f *searchFlags) homeless(file string) error {
	where := "not here"
	if f.before.Folder != "" {
		where = fmt.Sprintf("neither in %q, where it was made, nor here", f.before.Folder)
	}
	return fmt.Errorf("run %q needs %q, which is %s: bring it back, or go to the folder that has it", f.earlier(), file, where)
}

// files are those that arguments name. Seqs to try are not read again.
func files(c *cobra.Command) []string {
	named := slices.Clone(c.Flags().Args())
	for _, flag := range []string{"config", "cacert", "cert", "key"} {
		named = append(named, c.Flag(flag).Value.String())
	}
	return slices.DeleteFunc(named, func(name string) bool {
		return name == "" || name == "-" || strings.Contains(name, "://")
	})
}

// missingIn is the first of the files that is not there, seen from a folder; ""
// where all are.
func missingIn(folder string, files []string) string {
	for _, name := range files {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		if _, err := os.Stat(path); err != nil {
			return name
		}
	}
	return ""
}

// fixed is a path that stays the same wherever we go, if there is one.
func fixed(path string) string {
	if path == "" {
		return ""
	}
	return whole(path)
}
