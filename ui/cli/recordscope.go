package cli

import (
	"sonde/ui/app/recording"

	"github.com/spf13/cobra"
)

func addRecordScope(c *cobra.Command, f *recording.Scope) {
	c.Flags().StringArrayVar(&f.Only, "only", nil, "record only these: "+recording.ScopeRules+" (repeat for several)")
	c.Flags().StringArrayVar(&f.Except, "except", nil, "do not record these, written as in --only (repeat for several)")
	completes(c, scopeTags, "only", "except")
}
