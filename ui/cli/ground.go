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
func tellGround(s console.Streams, n *model.VirtualNetwork) {
	if n != nil && n.Backend != model.BackendBuiltIn {
		console.Note(s.Err, "virtual network: %s", carries[n.Backend])
	}
}

// carries says what each ground carries.
var carries = map[model.NetworkBackend]string{
	model.BackendBuiltIn: "all protocols, built into the service", model.BackendNamespace: "all protocols, by a network namespace of Linux",
	model.BackendProxy: "HTTP alone, by a proxy", service.NoGround: "none",
}

// networkReport is what check tells of a virtual network.
type networkReport struct {
	Ground model.NetworkBackend `json:"ground"`
	Why    string               `json:"why"`
	text   string
}

func newNetworkReport(g service.Ground) *networkReport {
	return &networkReport{Ground: cmp.Or(g.NetworkBackend, "built in"), Why: g.Why, text: carries[g.NetworkBackend]}
}

// rows print it, if somebody asked.
func (n *networkReport) rows(t console.Table) {
	if n != nil {
		t.Row("network", fmt.Sprintf("%s: %s", n.text, n.Why))
	}
}
