package cli

import (
	"cmp"

	"sonde/ui/tui/screen"

	"github.com/spf13/cobra"
)

// newTour is the command that leads through the app.
func newTour(s streams) *cobra.Command {
	var look look
	c := &cobra.Command{
		Use:   "tour",
		Short: "Be led through the app, on the built-in demo, in 60 seconds",
		Long: `Opens the app on the built-in demo and says, step by step, what to press and what
is seen then. Each step waits until you did it; ctrl+n skips one, ctrl+x ends the tour.
In the app, ctrl+t begins it on any spec.`,
		Args: exactly(),
		RunE: func(c *cobra.Command, _ []string) error {
			home, err := look.take(c)
			err = cmp.Or(fullScreen(s.out), err)
			if err != nil {
				return err
			}
			home.Tour = screen.TourBegins
			return runApp(c.Context(), &wiring{streams: s, flags: &sourceFlags{}, home: home, memory: memory()}, nil)
		},
	}
	look.add(c)
	return c
}
