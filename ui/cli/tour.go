package cli

import (
	"cmp"

	"sonde/ui/app"
	"sonde/ui/app/recent"
	"sonde/ui/app/specfile"
	"sonde/ui/console"
	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
)

// newTour returns the command that starts the guided tour.
func newTour(s console.Streams) *cobra.Command {
	var look appearance
	c := &cobra.Command{
		Use:   "tour",
		Short: "Take a guided tour of the app on the built-in demo, in 60 seconds",
		Long: `Open the app on the built-in demo, and explain step by step which key to press and what
it shows. Each step waits until you have done it. ctrl+n skips a step, and ctrl+x ends the
tour. In the app, ctrl+t starts the tour on any spec.`,
		Args: exactly(),
		RunE: func(c *cobra.Command, _ []string) error {
			home, err := look.take(c)
			err = cmp.Or(fullScreen(s.Out), err)
			if err != nil {
				return err
			}
			home.Tour = screen.TourBegins
			start := appStart{
				Options: app.Options{Streams: s, Specs: &specfile.Loader{}, Memory: recent.MemoryFile()},
				home:    home,
			}
			return start.show(c.Context(), nil)
		},
	}
	look.add(c)
	return c
}
