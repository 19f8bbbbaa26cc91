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

// newMan returns the hidden command that writes man pages, for packagers.
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
				return fmt.Errorf("cannot write the man pages: %w", err)
			}
			_, err := fmt.Fprintf(s.Out, "wrote man pages to %s\n", args[0])
			return err
		},
	}
}

// commitTime returns the time of the commit from which the binary was built, so that the same source gives
// the same pages. If the time is unknown, it returns the current time.
func commitTime() *time.Time {
	t, err := time.Parse(time.RFC3339, version.BuildSetting("vcs.time"))
	if err != nil {
		t = time.Now()
	}
	return &t
}
