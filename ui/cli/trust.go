package cli

import (
	"crypto/tls"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/client"

	"github.com/spf13/cobra"
)

// trust is how TLS is spoken with the service.
type trust struct {
	insecure bool
	tls      model.TLS
}

func (t *trust) add(c *cobra.Command) {
	fl := c.Flags()
	fl.BoolVar(&t.insecure, "insecure", false, "with https, trust any certificate, such as one that the service signed itself")
	fl.StringVar(&t.tls.CACert, "cacert", "", "with https, trust the authorities in this PEM file, too")
	fl.StringVar(&t.tls.Cert, "cert", "", "with https, the client certificate in this PEM file, for a service that asks for one")
	fl.StringVar(&t.tls.Key, "key", "", "the PEM file with the private key of --cert (default: the file of --cert)")
}

// trustNames are the flags' names.
var trustNames = []string{"insecure", "cacert", "cert", "key"}

// configure takes from a configuration what no flag says.
func (t *trust) configure(set func(flag string) bool, c config.Config) {
	if !set("insecure") {
		t.insecure = c.Insecure
	}
	if !set("cacert") {
		t.tls.CACert = c.TLS.CACert
	}
	if !set("cert") && !set("key") {
		t.tls.Cert, t.tls.Key = c.TLS.Cert, c.TLS.Key
	}
}

// open reads the files, and returns how TLS is spoken; nil is the usual way.
func (t *trust) open() (*tls.Config, error) {
	if *t == (trust{}) {
		return nil, nil
	}
	return client.Secure(t.tls, t.insecure)
}

// flags are those that say the same.
func (t *trust) flags() []string {
	var all []string
	if t.insecure {
		all = append(all, "--insecure")
	}
	for _, f := range []struct{ name, file string }{{"--cacert", t.tls.CACert}, {"--cert", t.tls.Cert}, {"--key", t.tls.Key}} {
		if f.file != "" {
			all = append(all, f.name, f.file)
		}
	}
	return all
}

// options are those of a client that calls nothing but a service that is trusted.
func (t *trust) options(hosts []string) client.Options {
	return client.Options{AllowHosts: hosts, Insecure: t.insecure, TLS: t.tls}
}
