package cli

import (
	"sonde/ui/app/service"

	"github.com/spf13/cobra"
)

func addTrust(c *cobra.Command, t *service.Trust) {
	fl := c.Flags()
	fl.BoolVar(&t.Insecure, "insecure", false, "with https, trust any certificate, such as one that the service signed itself")
	fl.StringVar(&t.TLS.CACert, "cacert", "", "with https, trust the authorities in this PEM file, too")
	fl.StringVar(&t.TLS.Cert, "cert", "", "with https, the client certificate in this PEM file, for a service that asks for one")
	fl.StringVar(&t.TLS.Key, "key", "", "the PEM file with the private key of --cert (default: the file of --cert)")
}

// trustNames are the flags' names.
var trustNames = []string{"insecure", "cacert", "cert", "key"}
