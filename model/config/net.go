package config

// Network is the configuration of the virtual network around the service.
type Network struct {
	// On reports whether the file turns the virtual network on: its section net is true or an object.
	On bool
	// Allow are the real hosts that the service may reach, each with its port.
	Allow []string
	// Stubs are the paths of files with permanent stubs.
	Stubs []string
	// Providers has the path or the URL of a spec for each host, by the host.
	Providers map[string]string
	// Hostname and Interfaces are as in model.VirtualNetwork.
	Hostname   string
	Interfaces []string
}

// networkDecoder decodes the section net.
type networkDecoder struct {
	decoder *decoder
	network *Network
}

// net decodes the section net, which may also be true or false.
func (r *networkDecoder) net() decodeFunc {
	to := r.network
	return func(v *value) {
		if v.kind == isText {
			r.decoder.flag(&to.On)(v)
			return
		}
		to.On = true
		r.decoder.object(v, "net", fields{
			"allow":      r.decoder.texts(&to.Allow),
			"stubs":      r.decoder.texts(&to.Stubs),
			"providers":  r.decoder.public(&to.Providers, "providers"),
			"hostname":   r.decoder.text(&to.Hostname),
			"interfaces": r.decoder.texts(&to.Interfaces),
		})
	}
}

// startFrom replaces each path or URL p in the network by in(p). The function in makes a relative path relative to
// another folder.
func (n *Network) startFrom(in func(path string) string) {
	for i, path := range n.Stubs {
		n.Stubs[i] = in(path)
	}
	for host, spec := range n.Providers {
		n.Providers[host] = in(spec)
	}
}
