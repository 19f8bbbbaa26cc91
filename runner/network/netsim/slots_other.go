//go:build !unix

package netsim

// slots is always nil on this system, on which no memory is shared with the service.
type slots struct{}

func newSlots(string) (*slots, error) { return nil, nil }

func (*slots) close()                     {}
func (*slots) setWanted(*conn, bool)      {}
func (*slots) shows(*conn) bool           { return false }
func (*slots) wait(*conn) (*wait, uint64) { return nil, 0 }
