package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/netns"

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

// noNetwork is the ground of a service that cannot have a virtual network.
const noNetwork model.Ground = "none"

// ground is what can carry a virtual network around a service.
type ground struct {
	model.Ground
	why string
}

// ground finds out what carries a virtual network around the service.
func (c configured) ground() ground {
	switch {
	case c.builds():
		return ground{model.BuiltIn, "Sonde builds the service with it"}
	case c.Driver != "":
		return ground{noNetwork, "the driver starts the service"}
	case c.Service == nil:
		return ground{noNetwork, "somebody else starts the service: say sut: {run: [...]} in sonde.yaml"}
	}
	if err := netns.Check(); err != nil {
		return ground{model.Proxied, "Sonde does not build the service, and " + err.Error()}
	}
	return ground{model.Namespace, "Sonde does not build the service, and this system gives namespaces"}
}

// surround is the virtual network around a service that Sonde does not build, nil where
// none is wanted.
func (s settings) surround(ctx context.Context) (*model.Net, error) {
	n, err := s.net.network(ctx, s.config.Net)
	if n == nil || err != nil {
		return nil, err
	}
	n.Ground = s.config.ground().Ground
	anyPort := slices.IndexFunc(n.Allow, func(place string) bool { return strings.HasSuffix(place, ":*") })
	switch {
	case n.Ground == noNetwork:
		return nil, nil
	case anyPort >= 0:
		return nil, fmt.Errorf("--net-allow %q: where Sonde does not build the service, each port that is real needs its number", n.Allow[anyPort])
	case len(n.Interfaces) > 0:
		return nil, errors.New("interfaces are for a Go service that Sonde builds: leave them out, or say sut: {build: ./cmd/server} in sonde.yaml")
	case n.Hostname != "" && n.Ground == model.Proxied:
		return nil, errors.New("a proxy gives the service no other host name: leave hostname out")
	}
	return n, nil
}

// tellGround says what carries the virtual network of a service that Sonde did not build.
func tellGround(s streams, n *model.Net) {
	if n != nil && n.Ground != model.BuiltIn {
		tell(s.err, "virtual network: %s", carries[n.Ground])
	}
}

// carries says what each ground carries.
var carries = map[model.Ground]string{
	model.BuiltIn: "all protocols, built into the service", model.Namespace: "all protocols, by a network namespace of Linux",
	model.Proxied: "HTTP alone, by a proxy", noNetwork: "none",
}

// networkReport is what check tells of a virtual network.
type networkReport struct {
	Ground model.Ground `json:"ground"`
	Why    string       `json:"why"`
	text   string
}

func (g ground) report() *networkReport {
	return &networkReport{Ground: cmp.Or(g.Ground, "built in"), Why: g.why, text: carries[g.Ground]}
}

// rows print it, if somebody asked.
func (n *networkReport) rows(t table) {
	if n != nil {
		t.row("network", fmt.Sprintf("%s: %s", n.text, n.Why))
	}
}
