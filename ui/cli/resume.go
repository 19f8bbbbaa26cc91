package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

// errBoth is the error of --replay with --resume.
var errBoth = errors.New("--replay repeats the run and --resume continues it: use one of them")

func (f *searchFlags) addAgain(c *cobra.Command) {
	c.Flags().StringVar(&f.Replayed, "replay", "", "repeat the run in this folder, with the commands that it got while it ran")
	c.Flags().StringVar(
		&f.Resumed, "resume", "",
		"continue the run in this folder, which was stopped or killed; --calls and --time may give it a larger budget",
	)
	c.Flags().BoolVar(&f.Yes, "yes", false, "with --replay and --resume: read the run's configuration even if it is outside this folder")
}
