package config

// Network is what a file says of the virtual network around a service that is built.
type Network struct {
	// On tells that the file speaks of a network at all, and does not switch it off.
	On bool
	// Allow are hosts with their ports that are real.
	Allow []string
	// Stubs are files of stubs that answer in every test. The paths start from the
	// file's folder.
	Stubs []string
	// Providers are the specs of hosts: paths, from the file's folder, or URLs.
	Providers map[string]string
	// Hostname and Interfaces are what the service sees of its machine.
	Hostname   string
	Interfaces []string
}

// networkDecoder decodes the section net.
type networkDecoder struct {
	decoder *decoder
	network *Network
}

// net decodes the section, or true or false in its place.
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

// startFrom lets the paths start from a folder.
func (n *Network) startFrom(in func(path string) string) {
	for i, path := range n.Stubs {
		n.Stubs[i] = in(path)
	}
	for host, spec := range n.Providers {
		n.Providers[host] = in(spec)
	}
}
