package cli

import (
	"fmt"
	"net"
	"strings"

	"sonde/assets/demo"
	"sonde/ui/app/service"
	"sonde/ui/console"

	"github.com/spf13/cobra"
)

func newDemo(s console.Streams) *cobra.Command {
	addr, config := "", demo.Config{}
	asJSON := false
	c := &cobra.Command{
		Use:   "demo",
		Short: "Serve the built-in demo API, until interrupted",
		Long:  demoHelp(),
		Args:  exactly(),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := config.Check(); err != nil {
				return err
			}
			l, err := listenForDemo(s, addr, c.Flags().Changed("addr"))
			if err != nil {
				return err
			}
			if err := announce(s, l, asJSON); err != nil {
				return err
			}
			if !asJSON {
				console.PrintNote(s.Err, "%s", demoUsers())
			}
			return demo.Serve(c.Context(), l, demo.NewShop(config))
		},
	}
	c.Flags().StringVar(&addr, "addr", service.DemoAddr, "address to listen on; port 0 takes a free one")
	c.Flags().BoolVar(&config.Reveal, "reveal", false, "name the fault that a request triggers in the header X-Fault")
	c.Flags().BoolVar(&config.Healthy, "healthy", false, "serve the shop without its built-in faults")
	c.Flags().StringVar(&config.Payments, "payments", "", "URL of a payment provider")
	c.Flags().StringVar(&config.Stock, "stock", "", "host:port of a stock feed by TCP")
	c.Flags().StringVar(&config.Metrics, "metrics", "", "host:port to which counters are sent by UDP")
	c.Flags().BoolVar(&asJSON, "json", false, "print the address as JSON")
	return c
}

// listenForDemo listens on an address. If the user did not choose the address and it is in use, listenForDemo
// takes a free port, and writes a note that says so.
func listenForDemo(s console.Streams, addr string, chosen bool) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil && !chosen {
		usual := err
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
			console.PrintNote(s.Err, "%v: the demo listens on a free port instead", usual)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the demo cannot listen on --addr %q: %w", addr, err)
	}
	return l, nil
}

// demoHelp is the text of the command's help.
func demoHelp() string {
	return "Serve the built-in demo API, until interrupted: a shop, with faults to find.\n\n" +
		"The credentials of its users are public: the\n" + demoUsers() + ".\n" +
		"Only the admin may change products, prices and coupons. Searches with --demo call\n" +
		"as all of them."
}

// demoUsers returns a text with the credentials of the demo's users.
func demoUsers() string {
	var all []string
	for _, u := range demo.Users() {
		all = append(all, "Bearer "+u.Token)
	}
	return "header Authorization takes " + strings.Join(all, ", ")
}

// announce prints the URL at which the demo listens, as a line or as JSON.
func announce(s console.Streams, l net.Listener, asJSON bool) error {
	url := "http://" + l.Addr().String()
	if asJSON {
		return console.WriteJSON(s.Out, map[string]string{"url": url})
	}
	_, err := fmt.Fprintln(s.Out, url)
	return err
}
