//go:build !unix

package vnet

// seats are not there: no memory is shared.
type seats struct{}

func newSeats(string) (*seats, error) { return nil, nil }

func (*seats) close()                     {}
func (*seats) want(*conn, bool)           {}
func (*seats) shows(*conn) bool           { return false }
func (*seats) wait(*conn) (*wait, uint64) { return nil, 0 }
