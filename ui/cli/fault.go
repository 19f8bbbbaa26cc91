package cli

import (
	"errors"

	"sonde/runner/search/oracle"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// addOracles adds the flags that turn oracles on and off.
func (f *searchFlags) addOracles(c *cobra.Command) {
	f.addSwitches(c)
	c.Flags().BoolVar(&f.list, "oracles", false, "list the oracles with their severities and exit")
}

// addSwitches adds the flags that switch oracles and security tests on and off.
func (f *callFlags) addSwitches(c *cobra.Command) {
	c.Flags().StringSliceVar(
		&f.Oracles, "oracle", nil,
		"switch an oracle off with -NAME, or on with NAME; all means every oracle (repeat for several, in order)",
	)
	c.Flags().BoolVar(
		&f.Security, "security", false,
		"look for broken access control and injections, too: calls of other users and hostile values, within 10% of the budget",
	)
}

// listOracles prints the oracles.
func (f *searchFlags) listOracles(s console.Streams, args []string) error {
	if len(args) > 0 {
		return errors.New("--oracles only lists them: leave out SPEC")
	}
	on, err := oracle.ParseSwitches(f.Oracles)
	if err != nil {
		return err
	}
	type row struct {
		oracle.Oracle
		On bool `json:"on"`
	}
	var rows []row
	for _, o := range oracle.AllOracles() {
		rows = append(rows, row{o, on[o.Name] && (f.Security || !o.Security)})
	}
	if f.json {
		return console.WriteJSON(s.Out, rows)
	}
	t := console.NewTable(s.Out)
	for _, r := range rows {
		t.Row(r.Name, r.Severity, map[bool]string{true: "on", false: "off"}[r.On], r.About)
	}
	return t.Flush()
}

// checkOracles returns an error if the flags are invalid.
func (f *searchFlags) checkOracles() error {
	_, err := oracle.ParseSwitches(f.OracleSwitches())
	return err
}
