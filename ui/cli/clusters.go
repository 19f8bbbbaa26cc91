package cli

import (
	"sonde/ui/console"
	"sonde/ui/results"

	"github.com/spf13/cobra"
)

func newClusters(s console.Streams) *cobra.Command {
	var f sourceFlags
	c := &cobra.Command{
		Use:   "clusters [SPEC]",
		Short: "Divide an API into areas: operations that belong together, and the values between them",
		Long: `Divide an API into areas: operations that belong together, and the values between them.

Operations belong together if they are near each other in the tree of paths, or share
rare words of paths or rare identifiers. Areas are clusters of the Louvain method. Small
ones are joined to the nearest ones until there are few enough for an overview. An area is
named after what most of its operations share: a noun, up to three, such as "issues,
pulls", or segments of their paths, such as "orgs/secrets". "users (other)" has the
other operations on users. Give it to other commands with --only cluster:NAME.

Tags do not influence the areas, except that an area takes a tag's name if that fits best. The
last line says how well the smallest areas agree with the tags, as their adjusted
mutual information: 1 if both divide the operations alike, 0 if by chance. Then it says
how many areas have a name with a noun of their operations' most frequent tag.`,
		Example: "  sonde clusters shop.yaml\n  sonde search shop.yaml --url http://127.0.0.1:8080 --only cluster:orders",
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			args, err := withSpec(c, s, args, "SPEC")
			if err != nil {
				return err
			}
			a, err := f.loadAnalysis(c, s, args[0])
			if err != nil {
				return err
			}
			r := results.NewClusterReport(a)
			if f.json {
				return console.WriteJSON(s.Out, r)
			}
			return results.PrintClusters(s.Out, r)
		},
	}
	f.addCase(c)
	return c
}
