package cli

import (
	"fmt"
	"runtime"

	"sonde/ui/app/version"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

func newVersion(s console.Streams) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return console.WriteJSON(s.Out, map[string]string{
					"version":  version.Release,
					"revision": version.Revision(),
					"go":       runtime.Version(),
				})
			}
			_, err := fmt.Fprintln(s.Out, version.Text())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON for programs")
	return c
}
