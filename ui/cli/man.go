package cli

import (
	"fmt"
	"os"
	"time"

	"sonde/ui/app/version"
	"sonde/ui/console"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan is the command that writes the manual; packagers call it, so that it is not
// listed.
func newMan(s console.Streams) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write a man page for each command into a folder",
		Args:   exactly("DIR"),
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := c.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "sonde " + version.Release, Manual: "Sonde", Date: commitTime()}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("the man pages cannot be written: %w", err)
			}
			_, err := fmt.Fprintf(s.Out, "wrote man pages to %s\n", args[0])
			return err
		},
	}
}

// commitTime is the time of the commit that the binary was built from, where it knows that:
// the same source has the same pages.
func commitTime() *time.Time {
	t, err := time.Parse(time.RFC3339, version.BuildSetting("vcs.time"))
	if err != nil {
		t = time.Now()
	}
	return &t
}
