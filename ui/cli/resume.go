package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

// errBoth is the error of two flags that want different things of a run.
var errBoth = errors.New("--replay begins the run anew and --resume goes on with it: say one of them")

func (f *searchFlags) addAgain(c *cobra.Command) {
	c.Flags().StringVar(&f.Replayed, "replay", "", "repeat the run in this folder, with all that was done to it while it ran")
	c.Flags().StringVar(
		&f.Resumed, "resume", "",
		"go on with the run in this folder, which was stopped or killed; --calls and --time may give it a larger budget",
	)
	c.Flags().BoolVar(&f.Yes, "yes", false, "with --replay and --resume: read the run's configuration also if it is outside this folder")
}
