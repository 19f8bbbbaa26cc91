package record

import (
	"net"
	"slices"

	"sonde/model"
)

// Choice says what is recorded of what passes. The zero value is all.
type Choice struct {
	// Ops are the operations that are recorded; nil are all, and what is none.
	Ops map[model.OpID]bool
	// Hosts are those to which outward calls are recorded, but for NotHosts: by name, or
	// name and port, as the service or people call them. Without Hosts all are.
	Hosts, NotHosts []string
}

func (c Choice) op(op model.OpID) bool { return c.Ops == nil || c.Ops[op] }

// sent reports whether an outward call is recorded.
func (c Choice) sent(s model.Sent) bool {
	fits := func(host string) bool {
		return host == s.Host || host == s.Name || host == bare(s.Host) || host == bare(s.Name)
	}
	return (len(c.Hosts) == 0 || slices.ContainsFunc(c.Hosts, fits)) && !slices.ContainsFunc(c.NotHosts, fits)
}

// bare is a host without its port.
func bare(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
