package record

import (
	"net"
	"slices"

	"sonde/model"
)

// Selection selects what is recorded. The zero value selects everything.
type Selection struct {
	// Ops are the operations that are recorded. "" is for requests to no operation of the spec.
	// Nil means all operations.
	Ops map[model.OpID]bool
	// Hosts are the hosts whose calls are recorded, as a name or a name with a port. If there are
	// none, the calls to all hosts are recorded. Calls to NotHosts are never recorded.
	Hosts, NotHosts []string
}

// hasOperation reports whether requests to an operation are recorded.
func (s Selection) hasOperation(op model.OpID) bool { return s.Ops == nil || s.Ops[op] }

// hasCall reports whether an outward call is recorded.
func (s Selection) hasCall(call model.OutwardCall) bool {
	fits := func(host string) bool {
		return host == call.Host || host == call.Name || host == withoutPort(call.Host) || host == withoutPort(call.Name)
	}
	return (len(s.Hosts) == 0 || slices.ContainsFunc(s.Hosts, fits)) && !slices.ContainsFunc(s.NotHosts, fits)
}

func withoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
