package search

import (
	"net"

	"sonde/model"
	"sonde/model/route"
)

// providers has a router for each host that has a spec.
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

// responses returns the responses that the spec of a host declares for a request. It returns nil if the host has no
// spec, or if the spec has no such operation. host may have a port.
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
