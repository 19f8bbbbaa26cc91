package cli

import (
	"sonde/ui/app/service"

	"github.com/spf13/cobra"
)

func addNetwork(c *cobra.Command, a *service.Network) {
	f := c.Flags()
	f.BoolVar(
		&a.On, "net", false,
		"give the demo, or the service that sonde.yaml builds or starts, a virtual network: the answers of other "+
			"hosts are part of the search, and no real host is reached, unless the service has only a proxy and "+
			"ignores it (docs/network.md)",
	)
	f.BoolVar(&a.Off, "no-net", false, "let the service use the real network, whatever sonde.yaml says")
	f.StringArrayVar(
		&a.Allow, "net-allow", nil,
		"with --net, a real host:port that the service may reach, such as 127.0.0.1:5432 (repeat for several)",
	)
	f.StringArrayVar(&a.Stubs, "stubs", nil, "with --net, a file of stubs that answer in every test (repeat for several)")
	f.StringArrayVar(
		&a.Providers, "provider", nil,
		"with --net, HOST=SPEC: make that host's answers by its own OpenAPI spec (repeat for several)",
	)
}
