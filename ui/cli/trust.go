package cli

import (
	"sonde/ui/app/service"

	"github.com/spf13/cobra"
)

func addTrust(c *cobra.Command, t *service.TLSOptions) {
	fl := c.Flags()
	fl.BoolVar(&t.Insecure, "insecure", false, "with https, trust any certificate, including self-signed ones")
	fl.StringVar(&t.TLS.CACert, "cacert", "", "with https, also trust the authorities in this PEM file")
	fl.StringVar(&t.TLS.Cert, "cert", "", "with https, the PEM file of the client certificate")
	fl.StringVar(&t.TLS.Key, "key", "", "the PEM file with the private key of --cert (default: the file of --cert)")
}

// trustNames are the flags that addTrust adds.
var trustNames = []string{"insecure", "cacert", "cert", "key"}
