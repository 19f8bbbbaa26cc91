package cli

import (
	"fmt"

	"sonde/model"

	"github.com/spf13/cobra"
)

// addWishes adds the flags for what a person may also do while a search runs.
func (f *searchFlags) addWishes(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(
		&f.Directives.Only, "only", nil,
		`seek what these operations answer, and nothing else: "GET /orders", tag:NAME or group:N, as often as needed`,
	)
	fl.StringArrayVar(&f.Directives.Mute, "mute", nil, "do not seek what these operations answer; others may still need what they create")
	fl.StringArrayVar(
		&f.Directives.Boost, "boost", nil,
		fmt.Sprintf("call and seek these operations %d times as often as others", model.BoostedWeight),
	)
	completes(c, scopeNames, "only", "mute", "boost")
	fl.StringVar(&f.Directives.Try, "try", "", "file of seqs to try first: what sonde seqs prints, or other tests; - is standard input")
	fl.StringVar(&f.Directives.Recording, "seed-from", "", "begin with the tests that sonde generate would make of the recording in this folder")
}
