//go:build unix

package net

// Write allows a system call of the service's own. Its destination is not known here,
// but the kernel lets the service send from the loopback only to the loopback.
func (c *rawConn) Write(f func(uintptr) bool) error {
	if c.ok() && c.fd.sonde != nil && !c.fd.isConnected {
		sondeTell("raw", c.fd.sonde.proto, c.fd.laddr.String())
	}
	return c.sondeRealWrite(f)
}
