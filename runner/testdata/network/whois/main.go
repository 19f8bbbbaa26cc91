// Command whois is a service for studies of services that use the network. It asks whois servers by
// lines of text, and its answers depend on theirs.
package main

import (
	"flag"
	"net"

	"sonde/runner/testdata/services/serve"
)

func main() {
	r := newRegistry()
	flag.StringVar(&r.server, "server", r.server, "host:port of the whois server that is asked first")
	serve.Main(r.operations(), func() {})
}

// newRegistry returns a registry with the default settings.
func newRegistry() *registry {
	return &registry{server: "whois.example:43", dial: (&net.Dialer{}).DialContext}
}

func (r *registry) operations() []serve.Operation {
	return []serve.Operation{
		{Pattern: "GET /domains/{domain}", Do: r.domain, Free: true},
		{Pattern: "GET /domains/{domain}/expiry", Do: r.expiry, Free: true},
		{Pattern: "GET /addresses/{address}", Do: r.address, Free: true},
		{Pattern: "POST /bulk", Do: r.bulk, Free: true},
	}
}
