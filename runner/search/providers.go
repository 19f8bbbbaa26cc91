package search

import (
	"net"

	"sonde/model"
	"sonde/model/route"
)

// providers are the specs of hosts, ready for look-ups.
type providers map[string]*route.Router

func newProviders(n *model.VirtualNetwork) providers {
	all := providers{}
	if n != nil {
		for host, spec := range n.Providers {
			all[host] = route.New(spec)
		}
	}
	return all
}

// answers returns the responses that the spec of a host declares, nil if there is no spec or no
// operation. The host may be named with or without its port.
func (p providers) responses(host, method, path string) []model.Response {
	router := p[host]
	if router == nil {
		name, _, _ := net.SplitHostPort(host)
		router = p[name]
	}
	if router == nil {
		return nil
	}
	m, ok := router.FindOperation(method, path)
	if !ok {
		return nil
	}
	return m.Op.Responses
}
