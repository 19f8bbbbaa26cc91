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

// newNetns returns a hidden command, which Sonde starts to hold the sockets of a network namespace.
func newNetns() *cobra.Command {
	return &cobra.Command{
		Use: netns.KeeperCommand, Hidden: true, DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if code := netns.RunKeeper(args); code != 0 {
				return verdict(code)
			}
			return nil
		},
	}
}

// tellGround prints how a service that Sonde did not build gets its virtual network.
func tellGround(s console.Streams, n *model.VirtualNetwork) {
	if n != nil && n.Ground != model.GroundBuiltIn {
		console.PrintNote(s.Err, "virtual network: %s", carries[n.Ground])
	}
}

// carries describes the protocols that each ground supports.
var carries = map[model.NetworkGround]string{
	model.GroundBuiltIn: "all protocols, built into the service", model.GroundNamespace: "all protocols, by a network namespace of Linux",
	model.GroundProxy: "HTTP alone, by a proxy", service.NoNetworkBackend: "none",
}

// networkReport is the part of the report of sonde check about a virtual network.
type networkReport struct {
	Ground model.NetworkGround `json:"ground"`
	Why    string              `json:"why"`
	text   string
}

func newNetworkReport(g service.NetworkBackend) *networkReport {
	return &networkReport{Ground: cmp.Or(g.NetworkGround, "built in"), Why: g.Reason, text: carries[g.NetworkGround]}
}

// rows adds the report to a table. A nil report adds nothing.
func (n *networkReport) rows(t console.Table) {
	if n != nil {
		t.Row("network", fmt.Sprintf("%s: %s", n.text, n.Why))
	}
}
