package cli

import (
	"cmp"
	"fmt"

	"sonde/model"
	"sonde/runner/network/netns"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

// newNetns is the keeper of a network namespace: Sonde starts itself with this command,
// nobody else does.
func newNetns() *cobra.Command {
	return &cobra.Command{
		Use: netns.Word, Hidden: true, DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if code := netns.Keep(args); code != 0 {
				return verdict(code)
			}
			return nil
		},
	}
}

// tellGround says what carries the virtual network of a service that Sonde did not build.
func tellGround(s console.Streams, n *model.Net) {
	if n != nil && n.Ground != model.BuiltIn {
		console.Note(s.Err, "virtual network: %s", carries[n.Ground])
	}
}

// carries says what each ground carries.
var carries = map[model.Ground]string{
	model.BuiltIn: "all protocols, built into the service", model.Namespace: "all protocols, by a network namespace of Linux",
	model.Proxied: "HTTP alone, by a proxy", service.NoGround: "none",
}

// networkReport is what check tells of a virtual network.
type networkReport struct {
	Ground model.Ground `json:"ground"`
	Why    string       `json:"why"`
	text   string
}

func newNetworkReport(g service.Ground) *networkReport {
	return &networkReport{Ground: cmp.Or(g.Ground, "built in"), Why: g.Why, text: carries[g.Ground]}
}

// rows print it, if somebody asked.
func (n *networkReport) rows(t console.Table) {
	if n != nil {
		t.Row("network", fmt.Sprintf("%s: %s", n.text, n.Why))
	}
}
