package cli

import (
	"fmt"

	"sonde/model"

	"github.com/spf13/cobra"
)

// addDirectives adds the flags for directives, which can also be given while a search runs.
func (f *searchFlags) addDirectives(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(
		&f.Directives.Only, "only", nil,
		`search only for answers and faults of these operations: "GET /orders", tag:NAME, group:N or cluster:NAME (repeat for several)`,
	)
	fl.StringArrayVar(&f.Directives.Mute, "mute", nil, "do not search for answers of these operations; other tests may "+
		"still call them to create what they need")
	fl.StringArrayVar(
		&f.Directives.Boost, "boost", nil,
		fmt.Sprintf("call these operations and choose their targets %d times as often as others", model.BoostedWeight),
	)
	completes(c, scopeNames, "only", "mute", "boost")
	fl.StringVar(&f.Directives.Try, "try", "", "file of seqs to try first: what sonde seqs prints, or other tests; - is standard input")
	fl.StringVar(&f.Directives.Recording, "seed-from", "", "begin with the tests that sonde generate would make of the "+
		"recording in this folder")
}
