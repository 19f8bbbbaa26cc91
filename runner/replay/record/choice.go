package record

import (
	"net"
	"slices"

	"sonde/model"
)

// Selection selects what is recorded. The zero value selects everything.
type Selection struct {
	// Ops are the operations that are recorded, with "" for requests to none. Nil means all.
	Ops map[model.OpID]bool
	// Hosts are the hosts whose calls are recorded, except NotHosts: by name, or name and port.
	// Without Hosts all are.
	Hosts, NotHosts []string
}

func (c Selection) op(op model.OpID) bool { return c.Ops == nil || c.Ops[op] }

// sent reports whether an outward call is recorded.
func (c Selection) sent(s model.OutwardCall) bool {
	fits := func(host string) bool {
		return host == s.Host || host == s.Name || host == bare(s.Host) || host == bare(s.Name)
	}
	return (len(c.Hosts) == 0 || slices.ContainsFunc(c.Hosts, fits)) && !slices.ContainsFunc(c.NotHosts, fits)
}

// bare returns a host without its port.
func bare(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
